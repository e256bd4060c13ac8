#!/usr/bin/env bash
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs, builds, checks the style of what changed and runs all tests. The last
# line is `N passed, N failed, N skipped`; the exit code is 0 where none failed.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-dependencies.sh
scripts/build.sh all
status=0
python3 scripts/check-style.py --build build/dev || status=1
export LIT_OPTS="${LIT_OPTS:-} --output=$PWD/build/dev/test/results.json"
rm -f build/dev/test/results.json
# Failures of tests are counted from lit's result file.
cmake --build build/dev --target check-frit || true
python3 scripts/summarize-tests.py build/dev/test/results.json --extra-failures "$status"
