# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multi-adapter LoRA products.

Of L adapters, adapter `ids[t]` applies to token t; a token whose id is outside [0, L) has none, and its row of the
destination stays as it was. Weights are lists with a tensor for each slice (q, k, v; gate, up), or one tensor: A is
[L, R, K], B is [L, N, R]. They are read at each call and never kept.
"""

from .. import _allocation, dtypes
from .._views import device_of
from ..errors import InvalidArgumentError
from . import _cache, _text
from ._lora_text import make_group_text, make_text
from ._rows import FLOATS, check_element, check_rank, flatten, named_view
from ._sizes import check_lora

_F32 = dtypes.CODES["f32"]
_I32 = dtypes.CODES["i32"]
NO_OPERANDS = (), ()


def weight_views(name, weights):
    """The views of weights, one for each slice."""
    if not isinstance(weights, (list, tuple)):
        return [named_view(name, weights)]
    if not weights:
        raise InvalidArgumentError(f"{name} is empty, expected a tensor for each slice")
    return [named_view(f"{name}[{index}]", weight) for index, weight in enumerate(weights)]


def _rows(name, tensor):
    view = named_view(name, tensor)
    if len(view[3]) == 2:
        return view
    check_rank(name, view, 1)
    rows = flatten(view)
    if rows is None:
        raise InvalidArgumentError(f"{name} has sizes {tuple(view[3])} and strides {tuple(view[4])}, expected leading "
                                   "dimensions that one stride goes through")
    return rows


def _optional_views(scales, ranks, order, starts, active):
    """The names and the views of the operands that are given."""
    if scales is ranks is order is starts is active is None:
        return NO_OPERANDS
    if (order is None) != (starts is None) or active is not None and order is None:
        given = [name for name, value in (("order", order), ("starts", starts), ("active", active)) if value is not None]
        raise InvalidArgumentError(f"the grouping has only {', '.join(given)}, expected order and starts, and perhaps "
                                   "active")
    pairs = (("scales", scales), ("ranks", ranks), ("order", order), ("starts", starts), ("active", active))
    given = [(name, value) for name, value in pairs if value is not None]
    return tuple(name for name, _ in given), [named_view(name, value) for name, value in given]


def _weight_sizes(name, weights):
    """The sizes of all weights without the number of adapters."""
    sizes = []
    try:
        if len(weights) == 2:
            # Both halves of one slice: a loop takes twice the time.
            (_, outputs0, inputs0), (_, outputs1, inputs1) = weights[0][3], weights[1][3]
            return outputs0, inputs0, outputs1, inputs1
        for view in weights:
            _, outputs, inputs = view[3]
            sizes += outputs, inputs
    except ValueError:
        wrong = next(tuple(view[3]) for view in weights if len(view[3]) != 3)
        raise InvalidArgumentError(f"a weight of {name} has sizes {wrong}, expected 3: adapters, outputs, "
                                   "inputs") from None
    return tuple(sizes)


def _check_elements(name, source, weights, out):
    """Checks the element types that the op has to have, and returns those of source, weights and destination. The types of
    other operands follow from them, and are checked with their sizes."""
    source_type = check_element("h" if name == "lora_expand" else "x", source, FLOATS)
    out_type = check_element("out", out, FLOATS)
    # The activations have the type of the weights, or the weights are f32; between the two products there may be f32, too.
    activations = out_type if name == "lora_expand" else source_type
    weight_type = check_element("b" if name == "lora_expand" else "a", weights[0], {activations: None, "f32": None})
    hidden = {"f32": None, weight_type: None}
    if name == "lora_matmul":
        check_element("out", out, (source_type,))
    elif name == "lora_shrink":
        check_element("out", out, hidden)
    else:
        check_element("h", source, hidden)
    return source_type, weight_type, out_type


def run(name, source, ids, weights, optional, out, policy, attributes, verify=False):
    """Runs one of the ops on views. `weights` are those of all slices in order; `attributes` are values, in the order of
    _lora_text. Source and destination have a dimension."""
    optional_names, optional_views = optional
    sizes = _weight_sizes(name, weights)
    ranks = tuple(len(view[3]) for view in optional_views) if optional_views else ()
    device = out[2] & 0xffffffff
    key = (name, source[1], weights[0][1], out[1], device, source[3][-1], sizes, out[3][-1], optional_names, ranks,
           policy, attributes, verify)
    entry = _cache.get(key)
    if entry is None:
        elements = _check_elements(name, source, weights, out)
        check_lora(name, source[3][-1], sizes, out[3][-1], attributes)
        text = make_text(name, elements, source[3][-1], sizes, out[3][-1], optional_names, ranks, attributes)
        entry = _cache.add(key, name, text, device_of(out), policy, verify)
    entry.run([source, ids, *weights, *optional_views, out])


def lora_shrink(x, ids, a, *, scale=1.0, scales=None, ranks=None, order=None, starts=None, active=None, out=None,
                policy="auto", verify=False):
    """h[s, t] = scale * scales[id] * A_s[id] x[t], summed in f32.

    x: [T, K]; more leading dimensions are tokens, too. ids: [T] int32.
    scales: [L] float32. ranks: [L] or [S, L] int32, the true ranks, beyond which nothing is read or written.
    order, starts, active: which tokens belong to which adapter, as `lora_group` or an engine computed it. On the CPU an
        element that is no token is a CheckFailedError; on a device it is undefined behaviour, as is on both, without
        `verify`, a grouping that disagrees with `ids`.
    verify: check at each call the ids, the true ranks and that the grouping agrees with the ids; refused on devices.
    out: [S, T, R] of float32 or the type of A; None: new, of float32, zeros where nothing is written. Returned.
    """
    source = _rows("x", x)
    weights = weight_views("a", a)
    if out is None:
        sizes = len(weights), source[3][0], _weight_sizes("lora_shrink", weights)[0]
        out = _allocation.zeros(x, sizes, _F32, device_of(source))
    destination = named_view("out", out)
    check_rank("out", destination, 3)
    run("lora_shrink", source, named_view("ids", ids), weights, _optional_views(scales, ranks, order, starts, active),
        destination, policy, (scale,), verify)
    return out


def lora_expand(h, ids, b, *, out, scale=1.0, scales=None, ranks=None, order=None, starts=None, active=None, offset=0,
                rounding="final", accumulate=True, policy="auto", verify=False):
    """Adds B_s[id] h[s, t] to the columns of slice s of out[t], in place, and returns `out`.

    h: [S, T, R] of float32 or the type of B. out: [T, M]; the slices begin at column `offset`.
    rounding: "final", "sum" or "stepwise"; scale and scales multiply as in `lora_matmul`.
    accumulate: False stores instead of adding. The other arguments are as in `lora_shrink`.
    """
    attributes = scale, offset, rounding, accumulate
    source = named_view("h", h)
    check_rank("h", source, 3)
    run("lora_expand", source, named_view("ids", ids), weight_views("b", b),
        _optional_views(scales, ranks, order, starts, active), _rows("out", out), policy, attributes, verify)
    return out


def lora_matmul(x, ids, a, b, *, out=None, scale=1.0, scales=None, ranks=None, order=None, starts=None, active=None,
                offset=0, intermediate="f32", rounding="final", accumulate=True, policy="auto", verify=False):
    """Adds scale * scales[id] * B_s[id] A_s[id] x[t] to the columns of slice s of out[t], in place, and returns `out`.

    out: [T, M]; None: new, of the type of x, zeros where nothing is written.
    intermediate: "f32" or "element", the type between the products. The other arguments are as in `lora_shrink` and
    `lora_expand`.
    """
    attributes = scale, offset, intermediate, rounding, accumulate
    source = _rows("x", x)
    first, second = weight_views("a", a), weight_views("b", b)
    if len(first) != len(second):
        raise InvalidArgumentError(f"a has {len(first)} slices and b has {len(second)}, expected as many")
    if out is None:
        width = _text.index("offset", offset) + sum(_weight_sizes("lora_matmul", second)[::2])
        out = _allocation.zeros(x, (*_leading_sizes(x, source), width), source[1], device_of(source))
    weights = first + second if len(first) == 1 else [view for pair in zip(first, second) for view in pair]
    run("lora_matmul", source, named_view("ids", ids), weights, _optional_views(scales, ranks, order, starts, active),
        _rows("out", out), policy, attributes, verify)
    return out


def _leading_sizes(x, view):
    """The leading sizes of x."""
    shape = getattr(x, "shape", None)
    return view[3][:-1] if shape is None else shape[:-1]


def lora_group(ids, num_adapters, *, out=None, policy="auto"):
    """Groups tokens by adapter, for all layers of a step: order [T] and starts [num_adapters + 1], both int32.

    order[starts[g]:starts[g + 1]] are the tokens of adapter g in ascending order; those without an adapter come last.
    out: a pair of tensors; None: new ones. Returned.
    """
    view = named_view("ids", ids)
    if out is None:
        device = device_of(view)
        num_adapters = _text.index("num_adapters", num_adapters)
        out = (_allocation.empty(ids, tuple(view[3]), _I32, device), _allocation.empty(ids, (num_adapters + 1,), _I32,
                                                                                      device))
    try:
        order, starts = out
    except (TypeError, ValueError):
        raise InvalidArgumentError("out is no pair, expected a tensor for order and one for starts") from None
    _run_group(view, named_view("order", order), named_view("starts", starts), num_adapters, policy)
    return order, starts


def _run_group(ids, order, starts, num_adapters, policy):
    key = "lora_group", ids[2] & 0xffffffff, num_adapters, policy
    entry = _cache.get(key)
    if entry is None:
        check_element("ids", ids, ("i32",))
        entry = _cache.add(key, "lora_group", make_group_text(num_adapters), device_of(ids), policy)
    entry.run([ids, order, starts])
