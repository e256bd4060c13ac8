# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of the LoRA ops: those of the peer's figures, other element types and forms, and random ones.

A point's form is words between underscores: `f32w` has weights of f32, `sum` and `stepwise` name the rounding, `element` the
intermediate, `ranks` gives the adapters true ranks of their own. `random` and a number come first where K, N and rank are
drawn; `rounded` and the number is the default form with K and N rounded up to 64 and the rank to 16, which a random point is
compared to."""

import csv
import random

import lora_forms
from activation_points import PEERS
from lora_problem import Problem
from points import Point

SCALE = 0.5
RANDOM_POINTS = 200
GROUPED = ((32, 4), (1024, 4), (8192, 4), (8192, 64), (65536, 64))  # tokens, adapters
SIZES = {"bf16": 2, "f16": 2, "f32": 4}


def peer_points(op, dtype="bf16", form="", step=1):
    with open(PEERS / "h200_lora_bf16.csv", encoding="utf-8") as file:
        return [point(op, dtype, int(r["tokens"]), int(r["k"]), tuple(map(int, r["n_per_slice"].split("+"))), int(r["rank"]),
                      int(r["adapters"]), int(r["active_adapters"]), int(r["tokens_with_adapter"]), form)
                for r in list(csv.DictReader(file))[::step]]


def point(op, dtype, tokens, k, n, rank, adapters, active, tokens_with_adapter, form):
    return Point(op, dtype, (("tokens", tokens), ("k", k), ("n", n), ("rank", rank), ("adapters", adapters), ("active", active),
                             ("tokens_with_adapter", tokens_with_adapter)), form)


def random_points():
    """Pairs: a point over all that the op takes, and the plain one that it is compared to."""
    rng, found = random.Random(5), []
    for number in range(RANDOM_POINTS):
        tokens, dtype = rng.choice([1, 2, 8, 16, 32, 64, 128, 256, 512, 1024]), rng.choice(["bf16", "bf16", "f16", "f32"])
        k, n = rng.randint(500, 6000), tuple(rng.randint(300, 6000) for _ in range(rng.choice([1, 1, 2, 3])))
        rank, adapters = rng.choice([rng.randint(1, 16), rng.randint(1, 128)]), rng.choice([1, 4, 4, 16])
        batch = (adapters, rng.randint(1, min(adapters, tokens)), tokens)
        words = [rng.choice(["f32w", "", "", ""]), rng.choice(["", "", "sum", "stepwise"]), rng.choice(["", "element"]),
                 rng.choice(["", "ranks"])]
        words[0] = "" if dtype == "f32" else words[0]
        words[2] = "" if "stepwise" in words else words[2]
        form = "_".join(["random", str(number), *filter(None, words)])
        up = lambda size, step: -(-size // step) * step
        found.append(point("lora_matmul", dtype, tokens, k, n, rank, *batch, form))
        found.append(point("lora_matmul", "bf16", tokens, up(k, 64), tuple(up(v, 64) for v in n), up(rank, 16), *batch,
                           f"rounded_{number}"))
    return found


def lora_matmul():
    op = "lora_matmul"
    points = peer_points(op) + peer_points(op, "f16", "", 3) + peer_points(op, "bf16", "element", 3) + random_points()
    return points + [Point("lora_group", "i32", (("tokens", t), ("adapters", g)), "alone") for t, g in GROUPED]


def lora_shrink():
    return peer_points("lora_shrink")


def lora_expand():
    return peer_points("lora_expand")


def has_grouping(p):
    """Whether the batch comes grouped by adapter: one op for all layers, so it is not part of the point."""
    return p["tokens"] > 32


def problem(p):
    """The numbers and words of a point."""
    words = p.form.split("_")
    rounding = next((w for w in words if w in ("sum", "stepwise")), "final")
    return Problem(op=p.op.removeprefix("lora_"), dtype=p.dtype, weights="f32" if "f32w" in words else p.dtype, tokens=p["tokens"],
                   k=p["k"], n=p["n"], rank=p["rank"], adapters=p["adapters"], rounding=rounding, element="element" in words,
                   scale=SCALE, ranks="shared" if "ranks" in words else "", grouping="group" if has_grouping(p) else "")


def group_mlir(p):
    """Of ids, and of order and starts, which are written."""
    ids, starts = f"{p['tokens']}xi32", f"{p['adapters'] + 1}xi32"
    return f"""func.func @{p.function}(%ids: tensor<{ids}>, %o: memref<{ids}>, %s: memref<{starts}>) {{
  %order = bufferization.to_tensor %o restrict writable : memref<{ids}> to tensor<{ids}>
  %starts = bufferization.to_tensor %s restrict writable : memref<{starts}> to tensor<{starts}>
  %g:2 = frit.lora_group ins(%ids : tensor<{ids}>) outs(%order, %starts : tensor<{ids}>, tensor<{starts}>)
      {p.kernel_attribute()} -> tensor<{ids}>, tensor<{starts}>
  bufferization.materialize_in_destination %g#0 in restrict writable %o : (tensor<{ids}>, memref<{ids}>) -> ()
  bufferization.materialize_in_destination %g#1 in restrict writable %s : (tensor<{starts}>, memref<{starts}>) -> ()
  return
}}
"""


def mlir(p):
    """The function of a point: x (or h), ids, A and B of each slice, true ranks, order and starts where there are, and the
    result, which is updated in place."""
    if p.op == "lora_group":
        return group_mlir(p)
    return lora_forms.mlir(problem(p), p.function, tokens=p["tokens"], kernel=p.kernel_attribute())


def moved(p):
    """Bytes that are read and written at least: x, y twice, and the weights of the active adapters; h of the halves."""
    q, tokens, rows = problem(p), p["tokens_with_adapter"], sum(p["n"])
    k = len(p["n"]) * p["k"]  # of A's rows
    weights = {"matmul": k + rows, "shrink": k, "expand": rows}[q.op]
    elements = {"matmul": p["k"] + 2 * rows, "shrink": p["k"], "expand": 2 * rows}[q.op]
    hidden = 0 if q.op == "matmul" else 4 * len(p["n"]) * tokens * p["rank"]
    return SIZES[p.dtype] * tokens * elements + SIZES[q.weights] * p["active"] * p["rank"] * weights + hidden


def flops(p):
    k, rows = len(p["n"]) * p["k"], sum(p["n"])
    return 2 * p["tokens_with_adapter"] * p["rank"] * {"lora_matmul": k + rows, "lora_shrink": k, "lora_expand": rows}[p.op]


def is_extra(p):
    """Whether it is no point of its own, but of what lora_extras.py measures."""
    return p.op == "lora_group"


def is_brief(p):
    """Whether fewer replays must do."""
    return p.form.startswith(("random_", "rounded_"))


def timed(_):
    return True


def has_candidates(p):
    return p.op == "lora_matmul" and p.dtype == "bf16" and not p.form


def has_peers(_):
    return False
