# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The MLIR function of sparse_ffn."""

from . import _text
from ._text import Argument

# How the value of each attribute is written, in their order.
ATTRIBUTES = {
    "std_multiplier": lambda value: _text.f32("std_multiplier", value),
    "down_layout": lambda value: _text.choice("down_layout", value, ("dh", "hd")),
    "approximate": lambda value: _text.choice("approximate", value, ("tanh", "erf")),
    "rounding": lambda value: _text.choice("rounding", value, ("stepwise", "final")),
    "correction": lambda value: str(_text.choice("correction", value, (0, 1))),
    "gate_scale": lambda value: _text.f32("gate_scale", value),
    "up_scale": lambda value: _text.f32("up_scale", value),
    "down_scale": lambda value: _text.f32("down_scale", value),
    "intermediate": lambda value: _text.choice("intermediate", value, ("f32", "element")),
    "lora_rounding": lambda value: _text.choice("lora_rounding", value, ("final", "sum", "stepwise")),
    "accumulate": lambda value: "true" if value else "false",
}


def _make_operand(name, element, sizes):
    if name == "ids":
        return Argument(name, [None], element, ["tokens"])
    if name in ("scales", "ranks"):
        dims = ["adapters"] if len(sizes) == 1 else ["", "adapters"]
        return Argument(name, [*sizes[:-1], None], element, dims)
    return Argument(name, [None, *sizes[1:]], element, ["adapters", "", ""])


def make_text(element, width, weight_sizes, operands, attributes):
    """The function of sparse_ffn.

    `operands`: element type and sizes of those that are given beside x and the three matrices, by name."""
    x = Argument("x", [None, width], element, ["tokens", ""])
    out = Argument("out", [None, width], element, ["tokens", ""], is_updated=True)
    weights = [Argument(name, sizes, element) for name, sizes in zip(("gate", "up", "down"), weight_sizes)]
    given = {name: _make_operand(name, *value) for name, value in operands.items()}
    inputs = [x, given["ids"]] if "ids" in given else [x]
    body = f"%r0 = frit.sparse_ffn ins({_text.values(inputs)}) weights({_text.values(weights)})"
    for projection in ("gate", "up", "down"):
        if f"a_{projection}" in given:
            body += f" {projection}_lora({_text.values([given[f'a_{projection}'], given[f'b_{projection}']])})"
    for name in ("scales", "ranks"):
        if name in given:
            body += f" {name}({_text.values([given[name]])})"
    body += f" outs({_text.values([out])})"
    for attribute, value in zip(ATTRIBUTES, attributes, strict=True):
        body += f" {attribute} = {ATTRIBUTES[attribute](value)}"
    return _text.function("sparse_ffn", [x, *weights, *given.values(), out], f"{body} -> {out.type}", ["%r0"])
