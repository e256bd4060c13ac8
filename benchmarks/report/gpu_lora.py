# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report on the LoRA suites that were measured on a GPU: tables, and plots as {file: SVG}."""

import result_file
import roofline
import table
from gpu import extras, over_bytes, peer
from scaled_peers import ScaledPeers

HEADER = ["T", "with adapter", "K to N", "rank", "adapters (active)", "kernel", "nodes", "cold", "warm", "vLLM, cold", "over vLLM",
          "copy / cold"]


def points_table(points, scaled):
    """(a line a point, times of the peer over those of the points)."""
    rows, over = [], []
    for p in points:
        other = peer(p, "vllm", "cold_us", scaled)
        if other:
            over.append(other / p["cold_us"])
        rows.append([p["tokens"], p["tokens_with_adapter"], f"{p['k']} to {'+'.join(map(str, p['n']))}", p["rank"],
                     f"{p['adapters']} ({p['active']})", f"`{p['kernel']}`", p["nodes"], table.time(p["cold_us"]),
                     table.time(p["warm_us"]), table.time(other), table.ratio(table.quotient(other, p["cold_us"])),
                     table.ratio(p["peers"]["copy"]["cold_us"] / p["cold_us"])])
    return table.markdown(HEADER, rows), over


def suite(result, machine, what, scaled):
    """The points by element type, those of bf16 with the peer and a plot."""
    points = [p for p in result["points"] if p["dtype"] == "bf16"]
    text, over = points_table(points, scaled)
    name = f"{machine}_{points[0]['op']}_bf16_time.svg"
    plots = {name: over_bytes(points, result, scaled, f"frit.{points[0]['op']}, bf16: time over bytes")}
    mean = f" Geometric mean over vLLM: {result_file.geometric_mean(over):.2f}." if over else ""
    parts = [f"{table.machine(result)} {what}; microseconds.{mean}", "", f"![{name}](plots/{name})\n", text]
    for dtype in sorted({p["dtype"] for p in result["points"]} - {"bf16"}):
        others = [p for p in result["points"] if p["dtype"] == dtype]
        parts += [f"In {dtype}, beside the peer in bf16:\n", points_table(others, scaled)[0]]
    return parts, plots


def lora_matmul(result, machine):
    scaled = ScaledPeers.lora(result["copy"], "pair")
    parts, plots = suite(result, machine, "Shrink, expand and sum", scaled)
    points = [p for p in result["points"] if p["dtype"] == "bf16"]
    rooflines = roofline.plots(points, result, scaled, f"{machine}_lora_matmul_bf16")
    parts += [f"Rooflines by regime; the target is {roofline.SLACK} times the larger of a copy of the bytes and the operations at "
              f"{roofline.PEAK / 1e12:g} TFLOP/s, and {roofline.LAUNCH_US} us:\n",
              *(f"![{name}](plots/{name})\n" for name in rooflines)]
    return "\n".join([*parts, *extras(result), *more(result)]), plots | rooflines


def lora_shrink(result, machine):
    parts, plots = suite(result, machine, "Shrink alone", ScaledPeers.lora(result["copy"], "shrink"))
    return "\n".join(parts), plots


def lora_expand(result, machine):
    parts, plots = suite(result, machine, "Expand and sum alone", ScaledPeers.lora(result["copy"], "expand"))
    return "\n".join(parts), plots


def more(result):
    """What only lora_matmul has beside its points."""
    text = []
    if found := result.get("lora_group"):
        rows = [[e["tokens"], e["adapters"], f"`{e['kernel']}`", table.time(e["cold_us"]), table.time(e["warm_us"])] for e in found]
        text += ["lora_group alone, microseconds:\n", table.markdown(["T", "adapters", "kernel", "cold", "warm"], rows)]
    if found := result.get("mixes"):
        rows = [[e["tokens"], e["adapters"], e["mix"], f"`{e['kernel']}`", table.time(e["cold_us"]), table.time(e["captured_for_it_us"]),
                 table.time(e.get("empty_us"))] for e in found]
        text += ["A graph captured once and replayed over other batches, beside one captured over the batch and an empty kernel of the "
                 "same grid; K = N = 4096, rank 16, microseconds:\n",
                 table.markdown(["T", "adapters", "batch", "kernel", "cold", "captured for it", "empty kernel"], rows)]
    if found := result.get("random"):
        rows = [["yes" if e["f32_weights"] else "no", e["points"], e["geometric_mean"], e["largest"], e["limit"], e["above"],
                 ", ".join(map(str, e["at"]))] for e in found]
        text += ["Random points over element types, roundings, odd K, N and rank and true ranks: time over that of the plain point with K "
                 "and N rounded up to 64 and the rank to 16:\n",
                 table.markdown(["f32 weights", "points", "geometric mean", "largest", "limit", "above it", "largest at"], rows)]
    return text
