#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a guide and writes what they print below them.

A fenced block that opens with ```sh is run by bash in the source folder; where a fenced block with another language follows
it, that block is replaced by the output. With --check the guide is left alone, and a difference is an error.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCKS = re.compile(r"```sh\n(?P<command>.*?)```\n\n```(?P<language>(?!sh\b)\w+)\n(?P<output>.*?)```\n", re.S)


def run(match, path):
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", match["command"]], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}"})
    if result.returncode:
        sys.exit(f"exit code {result.returncode} from\n{match['command']}{result.stdout}")
    output = textwrap.dedent(result.stdout).strip("\n")
    return f"```sh\n{match['command']}```\n\n```{match['language']}\n{output}\n```\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("guide", type=pathlib.Path)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="folder of frit-opt and frit-run")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    args = parser.parse_args()

    old = args.guide.read_text()
    new, count = BLOCKS.subn(lambda match: run(match, args.tools.resolve()), old)
    if count == 0:
        sys.exit(f"{args.guide}: no command with an output")
    if not args.check:
        args.guide.write_text(new)
    elif old != new:
        diff = difflib.unified_diff(old.splitlines(), new.splitlines(), str(args.guide), "what the commands print", lineterm="")
        print(*diff, sep="\n")
        sys.exit(f"{args.guide} is stale: run scripts/update-tutorial.py")
    print(f"{args.guide}: {count} commands")


if __name__ == "__main__":
    main()
