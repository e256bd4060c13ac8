# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gated activations. gate and up are the halves of `x`, or two tensors; leading dimensions are tokens."""

import numbers
import statistics

from .. import _allocation
from .._views import device_of
from ..errors import InvalidArgumentError, UnsupportedTypeError
from . import _cache, _text
from ._rows import FLOATS, check_element, check_rank, flatten, named_view


def _make_text(name, element, rank, width, is_packed, operation, attributes):
    leading = [None] * (rank - 1)
    dims = ["tokens" if rank == 2 else f"tokens{d}" for d in range(rank - 1)] + [""]
    gate = _text.Argument("x", leading + [2 * width if is_packed else width], element, dims)
    inputs = [gate] if is_packed else [gate, _text.Argument("up", leading + [width], element, dims)]
    out = _text.Argument("out", leading + [width], element, dims, is_updated=True)
    body = f"%r0 = frit.{operation} ins({_text.values(inputs)}) outs({_text.values([out])}){attributes} -> {out.type}"
    return _text.function(name, inputs + [out], body, ["%r0"])


def _as_rows(views):
    """Matrices for views that agree in their leading sizes, or the views themselves where one is not a matrix."""
    if len(views[0][3]) == 2:
        return views
    leading = tuple(views[0][3][:-1])
    for name, view in zip(("up", "out") if len(views) == 3 else ("out",), views[1:]):
        if tuple(view[3][:-1]) != leading:
            raise InvalidArgumentError(f"{name} has leading sizes {tuple(view[3][:-1])}, expected {leading}, those of x")
    rows = [flatten(view) for view in views]
    return views if None in rows else rows


def _apply(name, x, up, out, policy, attributes, make_operation):
    view = named_view("x", x)
    sizes = view[3]
    if not sizes:
        check_rank("x", view, 1)
    width = sizes[-1]
    if up is None:
        if width % 2:
            raise InvalidArgumentError(f"x has rows of {width} elements, expected an even number: gate and up")
        width //= 2
    if out is None:
        out = _allocation.empty(x, (*sizes[:-1], width), view[1], device_of(view))
    if up is None:
        views = _as_rows((view, named_view("out", out)))
    else:
        views = _as_rows((view, named_view("up", up), named_view("out", out)))
    rank = len(views[0][3])
    key = name, view[1], view[2] & 0xffffffff, rank, width, up is None, policy, attributes
    entry = _cache.get(key)
    if entry is None:
        operation, text = make_operation(*attributes)
        text = _make_text(name, check_element("x", view, FLOATS), rank, width, up is None, operation, text)
        entry = _cache.add(key, name, text, device_of(view), policy)
    entry.run(views)
    return out


def _gelu_and_mul_sparse(std_multiplier, approximate, rounding, correction, assume_finite_up):
    text = f" std_multiplier = {_text.f32('std_multiplier', std_multiplier)}"
    text += f" approximate = {_text.choice('approximate', approximate, ('tanh', 'erf'))}"
    text += f" rounding = {_text.choice('rounding', rounding, ('stepwise', 'final'))}"
    text += f" correction = {_text.choice('correction', correction, (0, 1))}"
    return "gelu_and_mul_sparse", text + (" assume_finite_up" if assume_finite_up else "")


def std_multiplier(sparsity):
    """The multiplier that clears the fraction `sparsity` of normally distributed gates: the quantile of the standard
    normal distribution."""
    if not isinstance(sparsity, numbers.Real):
        raise UnsupportedTypeError(f"sparsity is a {type(sparsity).__name__}, expected a number between 0 and 1")
    if not 0 < sparsity < 1:
        plain = "; 0 is the plain op: act_and_mul" if sparsity == 0 else ""
        raise InvalidArgumentError(f"sparsity is {sparsity}, expected a number between 0 and 1{plain}")
    return statistics.NormalDist().inv_cdf(sparsity)


def gelu_and_mul_sparse(x, up=None, *, std_multiplier, approximate="tanh", rounding="stepwise", correction=0,
                        assume_finite_up=False, out=None, policy="auto"):
    """gelu(relu(gate - c)) * up with c = mean(gate) + std_multiplier * std(gate) of each row; see `std_multiplier`.

    x: [..., 2d] with gate and up, or [..., d] beside `up`, of float32, float16 or bfloat16.
    approximate: "tanh" or "erf". rounding: "stepwise" (as PyTorch eager) or "final". correction: 0 or 1.
    out: [..., d], with rows of any stride; None: a new tensor. Returned.
    """
    return _apply("gelu_and_mul_sparse", x, up, out, policy,
                  (std_multiplier, approximate, rounding, correction, assume_finite_up), _gelu_and_mul_sparse)


def _act_and_mul(activation):
    return f"act_and_mul {_text.choice('activation', activation, ('silu', 'gelu_tanh', 'gelu_erf'))}", ""


def act_and_mul(x, up=None, *, activation, out=None, policy="auto"):
    """act(gate) * up; the arguments are as in `gelu_and_mul_sparse`.

    activation: "silu", "gelu_tanh" or "gelu_erf".
    """
    return _apply("act_and_mul", x, up, out, policy, (activation,), _act_and_mul)
