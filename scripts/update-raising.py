#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what frit-raise makes of exported graphs into the table of docs/Raising.md.

The rows of the graphs in FOLDER (NAME.mlir) are made anew, from the remarks of frit-opt; others stay. With --check the
guide is left alone, and a difference is an error. FRIT_REAL_GRAPHS names a folder to use in place of FOLDER.
"""

import argparse
import collections
import difflib
import os
import pathlib
import re
import subprocess
import sys

HEADER = "| graph | `exact` | `framework` | repaired | why not at `exact` | left at `framework` |\n|---|---|---|---|---|---|\n"
REMARK = re.compile(r'remark: \[(\w+)\] (\S+) \| Category:frit-raise.*?(?:Remark|Reason)="(.*?)"')


def get_remarks(frit_opt, graph, fidelity):
    """The remarks (kind, name, text) about a graph, without repetitions of one name and text."""
    result = subprocess.run(
        [frit_opt, str(graph), f"--frit-raise=fidelity={fidelity}", "--remarks-filter=frit-raise", "-o", os.devnull],
        text=True, capture_output=True)
    if result.returncode:
        sys.exit(f"exit code {result.returncode} for {graph}\n{result.stderr}")
    return REMARK.findall(result.stderr)


def list_ops(remarks):
    """What was raised, with how many of each."""
    counts = collections.Counter(name for kind, name, _ in remarks if kind == "Passed")
    ops = [f"{count} `{name}`" if count > 1 else f"`{name}`" for name, count in sorted(counts.items())]
    return ", ".join(ops) or "nothing"


def list_reasons(remarks):
    """What was not raised, and why."""
    missed = dict.fromkeys((name, text) for kind, name, text in remarks if kind == "Missed")
    return "; ".join(f"`{name}`: {text}" for name, text in missed)


def make_row(frit_opt, graph):
    exact = get_remarks(frit_opt, graph, "exact")
    framework = get_remarks(frit_opt, graph, "framework")
    repaired = ", ".join(sorted({name for kind, name, _ in framework if kind == "Analysis"}))
    reasons = list_reasons(exact).replace("needs fidelity=", "needs ")
    cells = [f"`{graph.stem}`", list_ops(exact), list_ops(framework), repaired, reasons, list_reasons(framework)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("guide", type=pathlib.Path)
    parser.add_argument("--frit-opt", default="frit-opt", help="the tool (default: found through PATH)")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    args = parser.parse_args()

    old = args.guide.read_text()
    before, header, table = old.partition(HEADER)
    if not header:
        sys.exit(f"{args.guide} has no table of graphs")
    rows = {line.split("`")[1]: line + "\n" for line in table.splitlines() if line.startswith("| `")}
    folder = pathlib.Path(os.environ.get("FRIT_REAL_GRAPHS", args.folder))
    graphs = sorted(folder.glob("*.mlir"))
    if not graphs:
        sys.exit(f"{folder} has no graphs")
    for graph in graphs:
        rows[graph.stem] = make_row(args.frit_opt, graph)
    new = before + header + "".join(rows[name] for name in sorted(rows))
    if args.check and new != old:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "guide", "now"))
        sys.exit(f"{args.guide} is stale: run {sys.argv[0]} without --check")
    if not args.check:
        args.guide.write_text(new)


if __name__ == "__main__":
    main()
