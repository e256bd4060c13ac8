#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds one kernel image with nvcc, writes registers, shared memory and spills of every kernel to a csv file, and
fails where a kernel spills registers that the list of known spills does not name."""

import argparse
import csv
import re
import subprocess
import sys

KERNEL = re.compile(r"Compiling entry function '(\w+)' for '(\w+)'")
SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers(?:.*?(\d+) bytes smem)?")


def resources(log):
    """Rows of (architecture, kernel, registers, shared bytes, stack bytes, spilled bytes)."""
    rows, kernel, stack, spilled = [], None, 0, 0
    for line in log.splitlines():
        if match := KERNEL.search(line):
            kernel = match
        elif match := SPILLS.search(line):
            stack, spilled = int(match[1]), int(match[2]) + int(match[3])
        elif (match := USED.search(line)) and kernel:
            rows.append((kernel[2], kernel[1], int(match[1]), int(match[2] or 0), stack, spilled))
            kernel, stack, spilled = None, 0, 0
    return rows


def known_spills(path):
    """Kernel names by architecture; each line reads `architecture kernel reason`."""
    lines = [line.split(maxsplit=2) for line in open(path) if line.strip() and not line.startswith("#")]
    for line in lines:
        if len(line) != 3:
            sys.exit(f"{path}: '{' '.join(line)}' gives no reason")
    return {(line[0], line[1]) for line in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--architectures", required=True, help="separated by ';' or ','")
    parser.add_argument("--known-spills", required=True)
    parser.add_argument("--depfile", required=True)
    parser.add_argument("--report", required=True)
    parser.add_argument("-o", dest="output", required=True)
    parser.add_argument("source")
    options = parser.parse_args()

    command = [options.nvcc, "-std=c++17", "-O3", "-fatbin", "-Xptxas", "-v", "-I", options.include,
               "-MD", "-MF", options.depfile, "-MT", options.output, "-o", options.output, options.source]
    for architecture in re.split("[;,]", options.architectures):
        command += ["-gencode", f"arch=compute_{architecture},code=sm_{architecture}"]
    done = subprocess.run(command, capture_output=True, text=True)
    log = done.stdout + done.stderr
    noise = re.compile(r"ptxas info|spill stores|^\s*$")
    messages = [line for line in log.splitlines() if not noise.search(line)]
    if messages:
        print("\n".join(messages), file=sys.stderr)
    if done.returncode:
        sys.exit(done.returncode)

    rows = resources(log)
    with open(options.report, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("architecture", "kernel", "registers", "shared_bytes", "stack_bytes", "spill_bytes"))
        writer.writerows(sorted(rows))
    if not rows:
        sys.exit(f"{options.source}: nvcc reported no kernel")
    known = known_spills(options.known_spills)
    bad = [row for row in rows if row[5] and (row[0], row[1]) not in known]
    for row in bad:
        print(f"{options.source}: {row[1]} spills {row[5]} bytes on {row[0]} ({row[2]} registers)", file=sys.stderr)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
