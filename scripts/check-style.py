#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the style of C++ sources: clang-format, clang-tidy and the second compiler's warnings.

By default over the files that changed in the last hours (or since --base); --all takes every file. The slow checks, clang-tidy
and g++, need a state to compare with: of a tree that is younger than that, only the format is checked by default.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("include", "lib", "tools", "test", "kernels", "benchmarks", "examples")
MOST_LINES = 40


def git(*args):
    return subprocess.run(["git", *args], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def find_base():
    """The newest commit that is not of the last hours; empty in a younger tree."""
    return git("rev-list", "-1", "--before=4 hours ago", "HEAD").strip()


def sources(names):
    wanted = (".cpp", ".h", ".cu", ".cuh", ".c")
    return [n for n in names if n.endswith(wanted) and n.split("/")[0] in FOLDERS and (ROOT / n).exists()]


def run(command):
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return result.returncode == 0, (result.stdout + result.stderr).strip()


def gcc_command(entry):
    """The compile command of an entry, with g++, without clang's precompiled header, as a syntax check."""
    words = shlex.split(entry["command"])
    words = words[1:] if words[0].endswith("ccache") else words
    is_c = entry["file"].endswith(".c")
    out, skip = ["gcc"] if is_c else ["g++", "-Wno-redundant-move"], 0
    for word in words[1:]:
        if skip:
            skip -= 1
        elif word in ("-Xclang", "-o", "-MT", "-MF"):
            skip = 1
        elif word not in ("-MD", "-Winvalid-pch", "-c") and not word.startswith("-W#"):
            out.append(word)
    return out + ["-fsyntax-only"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder with compile_commands.json")
    parser.add_argument("--all", action="store_true", help="check every file")
    parser.add_argument("--base", help="check what changed since this commit")
    parser.add_argument("--minutes", type=float, default=12, help="stop starting slow checks after this long")
    args = parser.parse_args()

    base = None if args.all else args.base or find_base()
    names = sources((git("diff", "--name-only", "--diff-filter=d", base) if base else git("ls-files")).splitlines())
    failures = []

    def report(title, text):
        failures.append(title)
        lines = text.splitlines()
        print(f"style: {title}", *lines[:MOST_LINES], sep="\n")
        if len(lines) > MOST_LINES:
            print(f"... and {len(lines) - MOST_LINES} more lines")
        sys.stdout.flush()

    ok, text = run(["clang-format-22", "--dry-run", "-Werror", *names]) if names else (True, "")
    if not ok:
        report("clang-format", text)

    commands = {}
    for entry in json.loads((args.build / "compile_commands.json").read_text()):
        path = os.path.relpath(os.path.realpath(os.path.join(entry["directory"], entry["file"])), ROOT)
        commands[path] = entry
    slow = []
    for name in (n for n in names if n in commands and (base or args.all)):
        slow.append((f"clang-tidy {name}", ["clang-tidy-22", "--quiet", "-p", str(args.build), name]))
        slow.append((f"g++ {name}", gcc_command(commands[name])))

    deadline = time.monotonic() + args.minutes * 60
    left = 0

    def check(item):
        if not args.all and time.monotonic() > deadline:
            return item[0], None, ""
        return item[0], *run(item[1])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for title, ok, text in pool.map(check, slow):
            if ok is None:
                left += 1
            elif not ok:
                report(title, text)
    late = f", {left} not reached in {args.minutes:g} minutes" if left else ""
    if not base and not args.all:
        late += "; clang-tidy and g++ over everything run with --all"
    print(f"style: {len(names)} files, {len(slow)} slow checks, {len(failures)} failed{late}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
