# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables and figures of the report as Markdown text."""


def time(value):
    """Microseconds to three digits or so; "" where there is none."""
    if value is None:
        return ""
    return f"{value:.2f}" if value < 100 else f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def ratio(value):
    return "" if value is None else f"{value:.2f}"


def quotient(a, b):
    return a / b if a and b else None


def markdown(header, rows):
    """The first column is on the left, the others on the right."""
    lines = ["| " + " | ".join(header) + " |", "|---" + "|--:" * (len(header) - 1) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def matrix(corner, points, value, columns="d"):
    """A row for each number of tokens and a column for each width; `value` makes the text of a cell."""
    widths = sorted({p[columns] for p in points})
    at = {(p["tokens"], p[columns]): p for p in points}
    rows = [[t, *(value(at[t, d]) if (t, d) in at else "" for d in widths)] for t in sorted({p["tokens"] for p in points})]
    return markdown([corner, *map(str, widths)], rows)


def machine(result):
    """A sentence on where and when a result was measured."""
    parts = [result.get("device") or result.get("processor") or result["machine"]]
    if result["driver"]:
        parts.append(f"driver {result['driver']}, CUDA {result['cuda']}, {result['clock_mhz']} MHz")
    else:
        parts.append(f"{result['threads']} threads, {result['capability']}")
    parts.append(f"PyTorch {result.get('torch', 'unknown')}")
    return f"{', '.join(parts)}; {result['date']}, commit {result['commit'][:12]}."
