# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points of gemma3n_mlp: ten layers of the MLP in one function, without and with LoRA, at the peers' sizes. Other forms are
those of pass_points.py, for the larger width with LoRA."""

import pathlib
import sys

import pass_points
from points import Point

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "gemma3n"))

import layers  # noqa: E402

LAYERS = 10
TOKENS = (1, 2, 4, 8, 16, 32, 64, 256, 1024, 2048)
WIDTHS = (8192, 16384)
RANK, ADAPTERS = 16, 4


def gemma3n_mlp():
    lora = (("rank", RANK), ("adapters", ADAPTERS))
    found = [Point("gemma3n_mlp", "bf16", (("tokens", t), ("d", d), *extra))
             for d in WIDTHS for t in TOKENS for extra in ((), lora)]
    forms = {pass_points.form(name): tokens for name, tokens in pass_points.LAYERS.items()}
    for name, tokens in pass_points.DYNAMIC_LAYERS.items():
        forms |= {pass_points.DYNAMIC: tokens, pass_points.form(name, pass_points.DYNAMIC): tokens}
    return found + [Point("gemma3n_mlp", "bf16", (("tokens", t), ("d", max(WIDTHS)), *lora), form)
                    for form, tokens in forms.items() for t in tokens]


def options(p):
    """Of frit-run."""
    return pass_points.options(p.form)


def rank(p):
    return p.shape.get("rank", 0)


def mlir(p):
    """The function of a point: x, ids with LoRA, the weights of each layer in turn, and a result of each layer. Layers side by
    side, as what they are compared to has no residual, and x through ten of them without one would be zero."""
    tokens = None if pass_points.is_dynamic(p.form) else p["tokens"]
    return layers.layers(LAYERS, p["d"], tokens=tokens, rank=rank(p), adapters=ADAPTERS, name=p.function, apart=True)


def lora_inputs(p):
    """(K, N) of the three projections with adapters."""
    return ((layers.HIDDEN, p["d"]), (layers.HIDDEN, p["d"]), (p["d"], layers.HIDDEN))


def moved(p):
    """Bytes of a layer at least: its weights, x twice."""
    weights = 3 * layers.HIDDEN * p["d"] + min(ADAPTERS, p["tokens"]) * rank(p) * sum(k + n for k, n in lora_inputs(p))
    return 2 * (weights + 2 * p["tokens"] * layers.HIDDEN)


def flops(p):
    """Of a layer's matmuls."""
    return 2 * p["tokens"] * (3 * layers.HIDDEN * p["d"] + rank(p) * sum(k + n for k, n in lora_inputs(p)))


def is_extra(_):
    """Whether it is no point of its own."""
    return False


def timed(_):
    return True


def has_candidates(_):
    return False


def has_peers(_):
    """The peers' figures are data: benchmarks/peers/h200_gemma3n_mlp_bf16.csv."""
    return False
