#!/usr/bin/env bash
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Configures and builds Frit in build/dev, with the `dev` preset. Arguments are
# build targets (default: all).
set -euo pipefail
cd "$(dirname "$0")/.."

# The tests run in the Python environment that install-dependencies.sh makes.
[[ -f build/dev/build.ninja ]] ||
  cmake --preset dev -DPython3_EXECUTABLE="$PWD/build/venv/bin/python3"
cmake --build build/dev --target "${@:-all}"
