# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The anchors of Markdown headings, as GitHub and its kin make them."""

import re


def anchors(headings):
    """An anchor for each heading of a page, in their order; later ones of the same text are numbered."""
    seen, found = {}, []
    for heading in headings:
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen[anchor] = seen.get(anchor, -1) + 1
        found.append(f"{anchor}-{count}" if count else anchor)
    return found
