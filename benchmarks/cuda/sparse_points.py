# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of sparse_ffn: the layers of gemma3n_mlp with finite weights, where the compiler may leave zeros out.

The form "" is what it chooses, from the graph as PyTorch stores its weights. `dense` is the same graph without the right to
choose. `sparse` are layers of frit.sparse_ffn, for the numbers of tokens that a fused kernel executes, chosen or not. Further forms
are those of pass_points.py, for the larger width."""

import math

import mlp_points
import pass_points
from mlp_points import ADAPTERS, LAYERS, RANK, WIDTHS, flops, has_candidates, has_peers, is_extra, rank, timed  # noqa: F401
from points import Point

TOKENS = (1, 2, 4, 8, 16, 32, 64)
FORMS = ("", "dense", "sparse")


def sparse_ffn():
    lora = (("rank", RANK), ("adapters", ADAPTERS))
    found = [Point("sparse_ffn", "bf16", (("tokens", t), ("d", d), *extra), form)
             for form in FORMS for d in WIDTHS for t in TOKENS for extra in ((), lora)]
    return found + [Point("sparse_ffn", "bf16", (("tokens", t), ("d", max(WIDTHS))), pass_points.form(name))
                    for name, tokens in pass_points.SPARSE_LAYERS.items() for t in tokens]


def mlir(p):
    """x, ids with LoRA, the weights of each layer in turn, and a result of each layer."""
    return mlp_points.layers.layers(LAYERS, p["d"], tokens=p["tokens"], rank=rank(p), adapters=ADAPTERS, name=p.function,
                                    apart=True, sparse=p.form == "sparse")


def options(p):
    """Of frit-run."""
    if p.form == "dense":
        return []
    # Weights that stay as they are need no --transpose-weights, which says that the caller transposes.
    name = pass_points.left_out(p.form)
    return ["--assume-finite-weights"] + (pass_points.options(p.form) if name else ["--transpose-weights"])


def keeps(compiled):
    """Whether a function is measured: of layers that are sparse in any case those that a fused kernel executes."""
    return compiled.point.form != "sparse" or compiled.kernel.startswith("cuda.")


def active(p):
    """The share of columns that some token makes active, of gates as of a normal distribution."""
    density = 0.5 * math.erfc(mlp_points.layers.STD_MULTIPLIER / math.sqrt(2))
    return 1 - (1 - density) ** p["tokens"]


def moved(p):
    """Bytes of a layer at least: the gate, active rows of up and down, the adapters of the tokens as far as they are active,
    and x twice."""
    hidden, width, share = mlp_points.layers.HIDDEN, p["d"], 1 if p.form == "dense" else active(p)
    adapters = min(ADAPTERS, p["tokens"]) * rank(p) * (4 * hidden + width + 2 * share * width)
    return int(2 * ((1 + 2 * share) * hidden * width + adapters + 2 * p["tokens"] * hidden))
