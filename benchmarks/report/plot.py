# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots as SVG text with logarithmic axes, the same bytes for the same data. Needs Python alone."""

import dataclasses
import math

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 34, 48
COLORS = ("#1f6fb4", "#d1621b", "#2f8f4e", "#b8383b", "#7a5aa6", "#8a6a4f", "#6b6b6b")
BYTES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


@dataclasses.dataclass
class Series:
    """Points (x, y), as dots or joined by a line."""

    name: str
    points: list
    line: bool = False
    dots: bool = True


def bytes_text(value):
    unit, name = next((u for u in BYTES if value >= u[0]), BYTES[-1])
    return f"{value / unit:g} {name}"


def number_text(value):
    return f"{value:g}"


def ticks(low, high, base):
    """Powers of `base` in the range, thinned to about eight; of 10 also 2 and 5 where there are few."""
    powers = range(math.ceil(math.log(low, base) - 1e-9), math.floor(math.log(high, base) + 1e-9) + 1)
    found = [float(base**p) for p in powers]
    if base == 10 and len(found) < 3:
        found = [m * 10.0**p for p in range(powers.start - 1, powers.stop + 1) for m in (1, 2, 5)]
        found = [v for v in found if low <= v <= high]
    return found[::-(-len(found) // 9) or 1]


class Axis:
    def __init__(self, values, start, end, base):
        margin = (max(values) / min(values)) ** 0.04 if max(values) > min(values) else 1.2
        self.low, self.high = min(values) / margin, max(values) * margin
        self.start, self.end, self.base = start, end, base

    def at(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self):
        return ticks(self.low, self.high, self.base)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text(x, y, content, anchor="middle", size=12, more=""):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}"{more}>{escape(content)}</text>'


def frame(x_axis, y_axis, title, x_label, y_label, x_text):
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    lines = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>', text(LEFT, 20, title, "start", 14)]
    for value in x_axis.ticks():
        x = x_axis.at(value)
        lines += [f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{bottom}" stroke="#e4e4e4"/>',
                  text(x, bottom + 16, x_text(value), size=11)]
    for value in y_axis.ticks():
        y = y_axis.at(value)
        lines += [f'<line x1="{LEFT}" y1="{y}" x2="{right}" y2="{y}" stroke="#e4e4e4"/>',
                  text(LEFT - 6, y + 4, number_text(value), "end", 11)]
    lines += [f'<rect x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}" fill="none" stroke="#808080"/>',
              text((LEFT + right) // 2, HEIGHT - 12, x_label),
              text(16, (TOP + bottom) // 2, y_label, more=f' transform="rotate(-90 16 {(TOP + bottom) // 2})"')]
    return lines


def svg(title, x_label, y_label, series, x_base=10, x_text=number_text, level=None):
    """The plot of the series that have points; `level` is a y that gets a line of its own."""
    series = [s for s in series if s.points]
    x_axis = Axis([x for s in series for x, _ in s.points], LEFT, WIDTH - RIGHT, x_base)
    values = [y for s in series for _, y in s.points] + ([level] if level else [])
    y_axis = Axis(values, HEIGHT - BOTTOM, TOP, 10)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">']
    lines += frame(x_axis, y_axis, title, x_label, y_label, x_text)
    if level:
        y = y_axis.at(level)
        lines.append(f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" stroke="#404040" stroke-dasharray="5 4"/>')
    for number, s in enumerate(series):
        color = COLORS[number % len(COLORS)]
        at = [(x_axis.at(x), y_axis.at(y)) for x, y in sorted(s.points)]
        if s.line:
            path = " ".join(f"{x},{y}" for x, y in at)
            lines.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        if s.dots:
            lines += [f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>' for x, y in at]
        y = TOP + 14 + 18 * number
        lines += [f'<circle cx="{WIDTH - RIGHT + 16}" cy="{y - 4}" r="4" fill="{color}"/>',
                  text(WIDTH - RIGHT + 26, y, s.name, "start")]
    return "\n".join([*lines, "</svg>"]) + "\n"
