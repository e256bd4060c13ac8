#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what README.md asks of tests: opt runs through %frit_opt, so that the same file can test the
plugin, and passes are called by pipeline text. A test of what only a tool has says UNSUPPORTED: plugin."""

import pathlib
import re
import sys

OPT = re.compile(r"\bfrit-opt\b")
PASS_FLAG = re.compile(r"%frit_opt\b[^|]*\s-{1,2}(frit-|convert-|canonicalize\b|cse\b|one-shot|inline\b)")

problems = []
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*")):
    if path.suffix not in (".mlir", ".test") or "data" in path.parts:
        continue
    text = path.read_text()
    for number, line in enumerate(text.splitlines(), 1):
        if "RUN:" not in line:
            continue
        if OPT.search(line) and not re.search(r"UNSUPPORTED:.*\bplugin\b", text):
            problems.append(f"{path}:{number}: calls frit-opt itself, but is not UNSUPPORTED: plugin")
        if PASS_FLAG.search(line):
            problems.append(f"{path}:{number}: calls a pass by a flag, not by --pass-pipeline")
if problems:
    sys.exit("\n".join(problems))
