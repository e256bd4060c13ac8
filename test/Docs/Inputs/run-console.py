# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the console blocks of a Markdown file and compares what they print with what the file shows.

A block opens with ```console. A line that starts with `$ ` is a command; a backslash at its end continues it. The lines
up to the next command are its output: `...` stands for any text within a line, and a line of only `...` for any lines.
A command that shows no output may print anything; every command must succeed.
"""

import argparse
import re
import subprocess
import sys


def blocks(text):
    return re.findall(r"^```console\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def commands(block):
    """Yields pairs of a command and the lines that it should print."""
    command, output = None, []
    continued = False
    for line in block.splitlines():
        if continued:
            command += " " + line.strip().removesuffix("\\").rstrip()
        elif line.startswith("$ "):
            if command is not None:
                yield command, output
            command, output = line[2:].removesuffix("\\").rstrip(), []
        elif command is None:
            raise SystemExit(f"output before the first command: {line}")
        else:
            output.append(line)
            continue
        continued = line.endswith("\\")
    if command is not None:
        yield command, output


def pattern(lines):
    """A regular expression for shown output."""
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(r".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n")
    return "".join(parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--directory", required=True, help="where the commands run")
    args = parser.parse_args()
    with open(args.file, encoding="utf-8") as file:
        text = file.read()
    count = 0
    for block in blocks(text):
        for command, output in commands(block):
            run = subprocess.run(["bash", "-c", command], cwd=args.directory, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed = "".join(line.rstrip() + "\n" for line in run.stdout.splitlines())
            if run.returncode != 0:
                sys.exit(f"{args.file}: $ {command}\nexit code {run.returncode}:\n{printed}")
            if output and not re.fullmatch(pattern(output), printed):
                sys.exit(f"{args.file}: $ {command}\nprinted:\n{printed}\nexpected:\n" + "\n".join(output))
            count += 1
    if count == 0:
        sys.exit(f"{args.file}: no console block")
    print(f"{count} commands")


if __name__ == "__main__":
    main()
