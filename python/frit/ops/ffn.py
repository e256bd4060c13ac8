# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feed-forward networks whose activation is mostly zero."""

from .. import _allocation
from .._views import device_of
from ..errors import InvalidArgumentError
from . import _cache
from ._ffn_text import ATTRIBUTES, make_text
from ._rows import FLOATS, check_element, named_view
from ._sizes import check_sparse_ffn
from .lora import _leading_sizes, _rows

_PROJECTIONS = "gate", "up", "down"


def _matrix(name, tensor):
    view = named_view(name, tensor)
    if len(view[3]) != 2:
        raise InvalidArgumentError(f"{name} has sizes {tuple(view[3])}, expected 2")
    return view


def _lora_views(loras, scales, ranks):
    """The names of the operands that are given beside ids, and their views."""
    names, views = [], []
    for projection, lora in zip(_PROJECTIONS, loras):
        if lora is None:
            continue
        try:
            a, b = lora
        except (TypeError, ValueError):
            raise InvalidArgumentError(f"{projection}_lora is no pair, expected a tensor for A and one for B") from None
        for half, weight in (("a", a), ("b", b)):
            name = f"{half}_{projection}"
            view = named_view(name, weight)
            if len(view[3]) != 3:
                raise InvalidArgumentError(f"{name} has sizes {tuple(view[3])}, expected 3: adapters, outputs, inputs")
            names.append(name)
            views.append(view)
    for name, value in (("scales", scales), ("ranks", ranks)):
        if value is not None:
            names.append(name)
            views.append(named_view(name, value))
    return tuple(names), views


def sparse_ffn(x, gate, up, down, *, std_multiplier, ids=None, gate_lora=None, up_lora=None, down_lora=None, scales=None,
               ranks=None, gate_scale=1.0, up_scale=1.0, down_scale=1.0, intermediate="f32", lora_rounding="final",
               down_layout="dh", approximate="tanh", rounding="stepwise", correction=0, accumulate=False, out=None,
               policy="auto"):
    """down(gelu_and_mul_sparse(gate(x), up(x))) for few tokens: rows of up and down whose activation is zero are not read.

    So infinities and NaN in them do not matter there, where a product with zero would be NaN.

    x: [T, H], or with more leading dimensions. gate, up: [d, H]. down: [d, H] with `down_layout` "dh", [H, d] with "hd",
    of which all is read.
    gate_lora, up_lora, down_lora: pairs (A, B) as `lora_matmul` has them, with `ids`, `scales` ([L] or [3, L]) and `ranks`
        for all of them; `lora_rounding` is its `rounding`.
    accumulate: adds to `out`, rounded before. out: [T, H]; None: new. Returned.
    The other arguments are as in `gelu_and_mul_sparse`.
    """
    source = _rows("x", x)
    weights = [_matrix(name, weight) for name, weight in zip(_PROJECTIONS, (gate, up, down))]
    names, views = _lora_views((gate_lora, up_lora, down_lora), scales, ranks)
    if ids is not None:
        names, views = ("ids", *names), [named_view("ids", ids), *views]
    if out is None:
        if accumulate:
            raise InvalidArgumentError("accumulate needs out, which is added to")
        out = _allocation.empty(x, (*_leading_sizes(x, source), source[3][-1]), source[1], device_of(source))
    destination = _rows("out", out)
    attributes = (std_multiplier, down_layout, approximate, rounding, correction, gate_scale, up_scale, down_scale, intermediate,
                  lora_rounding, accumulate)
    # Numbers of tokens and of adapters are dynamic.
    sizes = tuple(tuple(view[3]) if len(view[3]) == 2 else tuple(view[3][1:]) for view in (*weights, *views))
    codes = tuple(view[1] for view in (*weights, *views, destination))
    key = "sparse_ffn", source[1], destination[2] & 0xffffffff, source[3][-1], sizes, names, codes, policy, attributes
    entry = _cache.get(key)
    if entry is None:
        element = check_element("x", source, FLOATS)
        for name, view in (*zip(_PROJECTIONS, weights), ("out", destination)):
            check_element(name, view, (element,))
        operands = {name: (check_element(name, view, _allowed(name, element)), tuple(view[3])) for name, view in zip(names, views)}
        weight_sizes = [tuple(view[3]) for view in weights]
        check_sparse_ffn(source[3][-1], weight_sizes, {name: sizes for name, (_, sizes) in operands.items()},
                         dict(zip(ATTRIBUTES, attributes, strict=True)))
        text = make_text(element, source[3][-1], weight_sizes, operands, attributes)
        entry = _cache.add(key, "sparse_ffn", text, device_of(destination), policy)
    entry.run([source, *weights, *views, destination])
    return out


def _allowed(name, element):
    """The element types of an operand beside the matrices."""
    if name in ("ids", "ranks"):
        return ("i32",)
    return ("f32",) if name == "scales" else {element: None, "f32": None}
