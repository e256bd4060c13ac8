#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints `N passed, N failed, N skipped` of a result file of lit; exit code 1 where a test failed."""

import argparse
import collections
import json
import pathlib
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=pathlib.Path, help="JSON file written by lit --output")
    parser.add_argument("--extra-failures", type=int, default=0, help="failures of checks that lit did not run")
    args = parser.parse_args()

    counts = collections.Counter()
    if args.results.exists():
        for test in json.loads(args.results.read_text())["tests"]:
            code = test["code"]
            counts["passed" if code in PASSED else "skipped" if code in SKIPPED else "failed"] += 1
    else:
        print(f"{args.results}: no such file: the tests did not run", file=sys.stderr)
        counts["failed"] += 1
    counts["failed"] += args.extra_failures
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
