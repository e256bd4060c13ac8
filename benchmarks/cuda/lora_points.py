# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of lora_matmul: those of the peer's figures, shrink, expand and sum in one op."""

import csv

from activation_points import PEERS
from points import Point

SCALE = 0.5


def lora_matmul():
    with open(PEERS / "h200_lora_bf16.csv", encoding="utf-8") as file:
        return [Point("lora_matmul", "bf16", (
            ("tokens", int(r["tokens"])), ("k", int(r["k"])), ("n", tuple(map(int, r["n_per_slice"].split("+")))),
            ("rank", int(r["rank"])), ("adapters", int(r["adapters"])), ("active", int(r["active_adapters"])),
            ("tokens_with_adapter", int(r["tokens_with_adapter"])))) for r in csv.DictReader(file)]


def has_grouping(p):
    """Whether the batch comes grouped by adapter: one op for all layers, so it is not part of the point."""
    return p["tokens"] > 32


def mlir(p):
    """The function of a point: x, ids, A and B of each slice, order and starts where there are, and y, which is
    updated in place."""
    t, rank, adapters, e = p["tokens"], p["rank"], p["adapters"], p.dtype
    x, ids, y = f"tensor<{t}x{p['k']}x{e}>", f"tensor<{t}xi32>", f"{t}x{sum(p['n'])}x{e}"
    starts = f"tensor<{adapters + 1}xi32>"
    weights = [(f"%a{s}", f"tensor<{adapters}x{rank}x{p['k']}x{e}>", f"%b{s}", f"tensor<{adapters}x{n}x{rank}x{e}>")
               for s, n in enumerate(p["n"])]
    arguments = [f"%x: {x}", f"%ids: {ids}"] + [f"{a}: {ta}, {b}: {tb}" for a, ta, b, tb in weights]
    grouping = ""
    if has_grouping(p):
        arguments += [f"%order: {ids}", f"%starts: {starts}"]
        grouping = f"grouping(%order, %starts : {ids}, {starts}) "
    names = ", ".join(f"{a}, {b}" for a, _, b, _ in weights)
    types = ", ".join(f"{ta}, {tb}" for _, ta, _, tb in weights)
    return f"""func.func @{p.function}({', '.join(arguments)}, %y: memref<{y}>) {{
  %old = bufferization.to_tensor %y restrict writable : memref<{y}> to tensor<{y}>
  %new = frit.lora_matmul ins(%x, %ids : {x}, {ids}) weights({names} : {types})
      {grouping}outs(%old : tensor<{y}>) scale = {SCALE}{p.kernel_attribute()} -> tensor<{y}>
  bufferization.materialize_in_destination %new in restrict writable %y : (tensor<{y}>, memref<{y}>) -> ()
  return
}}
"""


def moved(p):
    """Bytes that are read and written at least: x, y twice, and the weights of the active adapters."""
    return 2 * (p["tokens_with_adapter"] * (p["k"] + 2 * sum(p["n"]))
                + p["active"] * p["rank"] * sum(p["k"] + n for n in p["n"]))


def flops(p):
    return 2 * p["tokens_with_adapter"] * p["rank"] * sum(p["k"] + n for n in p["n"])


def timed(_):
    return True


def has_candidates(_):
    return True


def has_peers(_):
    return False
