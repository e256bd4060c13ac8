# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The MLIR functions of the LoRA ops."""

from . import _text
from ._text import Argument

_ROUNDINGS = ("final", "sum", "stepwise")

# How the value of each attribute is written.
_ATTRIBUTES = {
    "scale": lambda value: _text.f32("scale", value),
    "offset": lambda value: str(_text.index("offset", value)),
    "intermediate": lambda value: _text.choice("intermediate", value, ("f32", "element")),
    "rounding": lambda value: _text.choice("rounding", value, _ROUNDINGS),
    "accumulate": lambda value: "true" if value else "false",
}
# Those of each op, in their order.
ATTRIBUTES_OF = {
    "lora_matmul": ("scale", "offset", "intermediate", "rounding", "accumulate"),
    "lora_shrink": ("scale",),
    "lora_expand": ("scale", "offset", "rounding", "accumulate"),
}

HALVES = {"lora_matmul": ("a", "b"), "lora_shrink": ("a",), "lora_expand": ("b",)}


def _make_weights(name, element, sizes):
    halves = HALVES[name]
    slices = len(sizes) // (2 * len(halves))
    names = [half + ("" if slices == 1 else str(index)) for index in range(slices) for half in halves]
    return [
        Argument(weight, [None, sizes[2 * index], sizes[2 * index + 1]], element, ["adapters", "", ""])
        for index, weight in enumerate(names)
    ]


def _make_optional(names, ranks, slices):
    for name, rank in zip(names, ranks):
        if name == "scales":
            yield Argument(name, [None], "f32", ["adapters"])
        elif name == "ranks":
            sizes, dims = ([None], ["adapters"]) if rank == 1 else ([slices, None], ["", "adapters"])
            yield Argument(name, sizes, "i32", dims)
        elif name == "active":
            yield Argument(name, [None], "i32")
        else:
            yield Argument(name, [None], "i32", ["tokens"] if name == "order" else None)


def _clause(keyword, arguments):
    return f" {keyword}({_text.values(arguments)})" if arguments else ""


def make_text(name, elements, source_width, weight_sizes, out_width, optional_names, optional_ranks, attributes):
    """The function of lora_matmul, lora_shrink or lora_expand.

    `elements`: the types of source, weights and destination. `weight_sizes`: outputs and inputs of each weight.
    `attributes`: values in the order of ATTRIBUTES_OF."""
    source_type, weight_type, out_type = elements
    slices = len(weight_sizes) // (2 * len(HALVES[name]))
    if name == "lora_expand":
        source = Argument("h", [slices, None, source_width], source_type, ["", "tokens", ""])
    else:
        source = Argument("x", [None, source_width], source_type, ["tokens", ""])
    if name == "lora_shrink":
        out = Argument("out", [slices, None, out_width], out_type, ["", "tokens", ""], is_updated=True)
    else:
        out = Argument("out", [None, out_width], out_type, ["tokens", ""], is_updated=True)
    ids = Argument("ids", [None], "i32", ["tokens"])
    weights = _make_weights(name, weight_type, weight_sizes)
    optional = list(_make_optional(optional_names, optional_ranks, slices))
    grouping = [argument for argument in optional if argument.name in ("order", "starts", "active")]
    body = f"%r0 = frit.{name} ins({_text.values([source, ids])}) weights({_text.values(weights)})"
    for keyword in ("scales", "ranks"):
        body += _clause(keyword, [argument for argument in optional if argument.name == keyword])
    body += _clause("grouping", grouping) + f" outs({_text.values([out])})"
    for attribute, value in zip(ATTRIBUTES_OF[name], attributes, strict=True):
        body += f" {attribute} = {_ATTRIBUTES[attribute](value)}"
    return _text.function(name, [source, ids, *weights, *optional, out], f"{body} -> {out.type}", ["%r0"])


def make_group_text(num_adapters):
    """The function of lora_group."""
    ids = Argument("ids", [None], "i32", ["tokens"])
    order = Argument("order", [None], "i32", ["tokens"], is_updated=True)
    starts = Argument("starts", [_text.index("num_adapters", num_adapters) + 1], "i32", is_updated=True)
    body = f"%r:2 = frit.lora_group ins({_text.values([ids])}) outs({_text.values([order, starts])}) -> " \
           f"{_text.types([order, starts])}"
    return _text.function("lora_group", [ids, order, starts], body, ["%r#0", "%r#1"])
