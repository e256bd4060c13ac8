# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of the gated activations. A tensor [tokens, 2d] holds gate and up; the form `separate` has two."""

import csv
import itertools
import pathlib

from points import SIZES, Point

MULTIPLIER = 1.6448535919189453
TOKENS = (1, 2, 8, 32, 128, 512, 2048)
WIDTHS = (2048, 4096, 8192, 13824, 16384, 32768)
MATRIX = tuple(itertools.product(TOKENS, WIDTHS))
FEW = tuple(itertools.product((1, 32, 512, 2048), (2048, 16384)))
# 10^8 elements an element type.
RANDOM = ((12208, 2048), (6104, 4096), (1526, 16384), (763, 32768))
SPARSE_FORMS = {
    "": "", "separate": "", "erf": " approximate = erf", "final": " rounding = final", "correction1": " correction = 1",
    "finite_up": " assume_finite_up"}
ACTIVATIONS = ("silu", "gelu_tanh", "gelu_erf")  # the first is the one of `points`
PEERS = pathlib.Path(__file__).resolve().parent.parent / "peers"


def point(op, dtype, tokens, d, form=""):
    return Point(op, dtype, (("tokens", tokens), ("d", d)), form)


def gelu_and_mul_sparse():
    """The matrix and the other shapes of the peers' figures in bf16; the matrix in f16 and f32; forms; random ones."""
    op = "gelu_and_mul_sparse"
    with open(PEERS / "h200_gelu_and_mul_sparse_bf16.csv", encoding="utf-8") as rows:
        measured = [(int(r["tokens"]), int(r["d"])) for r in csv.DictReader(rows)]
    points = [point(op, "bf16", *s) for s in measured]
    points += [point(op, dtype, *s) for dtype in ("f16", "f32") for s in MATRIX]
    points += [point(op, "bf16", *s, form) for form in SPARSE_FORMS if form for s in FEW]
    return points + [point(op, dtype, *s, "random") for dtype in SIZES for s in RANDOM]


def act_and_mul():
    op = "act_and_mul"
    points = [point(op, "bf16", *s, "" if act == ACTIVATIONS[0] else act) for act in ACTIVATIONS for s in MATRIX]
    return points + [point(op, dtype, *s) for dtype in ("f16", "f32") for s in FEW]


def mlir(p):
    """The function of a point; its result is written to memory of the caller."""
    whole = f"tensor<{p['tokens']}x{2 * p['d']}x{p.dtype}>"
    half = f"tensor<{p['tokens']}x{p['d']}x{p.dtype}>"
    separate = p.form == "separate"
    inputs = f"%x, %up : {half}, {half}" if separate else f"%x : {whole}"
    arguments = f"%x: {half}, %up: {half}" if separate else f"%x: {whole}"
    if p.op == "act_and_mul":
        op, form = f"frit.act_and_mul {p.form or ACTIVATIONS[0]}", ""
    else:
        op, form = "frit.gelu_and_mul_sparse", f" std_multiplier = {MULTIPLIER}" + SPARSE_FORMS.get(p.form, "")
    return f"""func.func @{p.function}({arguments}) -> {half} {{
  %y = tensor.empty() : {half}
  %r = {op} ins({inputs}) outs(%y : {half}){form}{p.kernel_attribute()} -> {half}
  return %r : {half}
}}
"""


def moved(p):
    """Bytes that are read and written at least."""
    return 3 * p["tokens"] * p["d"] * SIZES[p.dtype]


def flops(_):
    """Not what bounds these."""
    return 0


def is_extra(_):
    """Whether it is no point of its own."""
    return False


def is_brief(_):
    """Whether fewer replays must do."""
    return False


def timed(p):
    return p.form != "random"


def has_candidates(p):
    """Whether every admissible kernel is timed beside the chosen one."""
    return p.dtype == "bf16" and not p.form


def has_peers(p):
    """Whether PyTorch is measured beside it."""
    return p.dtype == "bf16" and (not p.form or (p["tokens"], p["d"]) in FEW and p.form in ACTIVATIONS)
