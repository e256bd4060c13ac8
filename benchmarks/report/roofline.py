# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rooflines of the LoRA suites: what each regime reaches of what the device allows, as {file: SVG}.

The roof is the smaller of the speed of the run's largest copy times a point's operations a byte, and PEAK. Few tokens stay
below it because a launch takes its time whatever the bytes: the dots of the target say how far below is expected."""

import plot
import result_file
from gpu import peer

PEAK = 600e12  # operations a second that a matmul of the same types reaches
LAUNCH_US = 1.5
SLACK = 1.35
# (name, title, fewest tokens, most tokens)
REGIMES = (("decode", "up to 16 tokens", 0, 16), ("mid", "17 to 256 tokens", 17, 256), ("prefill", "more than 256 tokens", 257, 1 << 62))


def target_us(point, copy):
    """The longest time that is good enough: SLACK over the roof, and a launch."""
    return SLACK * max(result_file.interpolate(copy, point["bytes"], "cold_us"), point["flops"] / PEAK * 1e6) + LAUNCH_US


def roof(points, copy):
    """The roof over the points' range, with its corner where it is within."""
    largest = max(copy, key=lambda c: c["bytes"])
    speed = largest["bytes"] / largest["cold_us"] * 1e6
    found = [p["flops"] / p["bytes"] for p in points]
    ends = sorted({min(found), max(found), *([PEAK / speed] if min(found) < PEAK / speed < max(found) else [])})
    return [(x, min(speed * x, PEAK) / 1e12) for x in ends]


def series(points, times):
    """A dot a point that has a time: (operations a byte, TFLOP/s)."""
    return [(p["flops"] / p["bytes"], p["flops"] / t / 1e6) for p, t in zip(points, times) if t]


def plots(points, result, scaled, stem):
    copy, images = result["copy"], {}
    for name, title, fewest, most in REGIMES:
        chosen = [p for p in points if fewest <= p["tokens"] <= most]
        if not chosen:
            continue
        all_series = [plot.Series("Frit", series(chosen, [p["cold_us"] for p in chosen])),
                      plot.Series("roof", roof(chosen, copy), line=True, dots=False),
                      plot.Series("target", series(chosen, [target_us(p, copy) for p in chosen])),
                      plot.Series("vLLM", series(chosen, [peer(p, "vllm", "cold_us", scaled) for p in chosen]))]
        images[f"{stem}_roofline_{name}.svg"] = plot.svg(f"{points[0]['op']}, {points[0]['dtype']}: {title}, cold", "operations a byte",
                                                         "TFLOP/s", all_series)
    return images
