#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that what the guides link to in this source tree is there: files, and headings of Markdown files."""

import pathlib
import re
import sys

import markdown_anchors

LINK = re.compile(r"\]\(([^)\s#:]*)(?:#([^)\s]+))?\)")


def find_anchors(text):
    """The anchors of a page's headings."""
    return set(markdown_anchors.anchors(re.findall(r"^#+ +(.*)$", text, re.MULTILINE)))


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    for page in sorted(root.rglob("*.md")):
        name = page.relative_to(root)
        if name.parts[0] == "build":
            continue
        for line_number, line in enumerate(page.read_text().splitlines(), 1):
            for path, anchor in LINK.findall(line):
                target = page.parent / path if path else page
                if not target.exists():
                    problems.append(f"{name}:{line_number}: {path} does not exist")
                elif anchor and target.suffix == ".md" and anchor not in find_anchors(target.read_text()):
                    problems.append(f"{name}:{line_number}: {target.name} has no heading #{anchor}")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
