# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gated activations as ops of PyTorch: functional, and with a destination that they declare as changed."""

from ..ops import activations
from ._registration import register

_SPARSE = 'float std_multiplier, str approximate="tanh", str rounding="stepwise", int correction=0, ' \
    "bool assume_finite_up=False"


def _empty_result(x, up):
    width = x.shape[-1] if up is not None else x.shape[-1] // 2
    return x.new_empty((*x.shape[:-1], width))


def _sparse(x, up=None, *, std_multiplier, approximate="tanh", rounding="stepwise", correction=0,
            assume_finite_up=False):
    return activations.gelu_and_mul_sparse(x, up, std_multiplier=std_multiplier, approximate=approximate,
                                           rounding=rounding, correction=correction, assume_finite_up=assume_finite_up)


def _sparse_fake(x, up=None, *, std_multiplier, approximate="tanh", rounding="stepwise", correction=0,
                 assume_finite_up=False):
    return _empty_result(x, up)


def _sparse_out(x, up=None, *, out, **attributes):
    activations.gelu_and_mul_sparse(x, up, out=out, **attributes)


def _act(x, up=None, *, activation):
    return activations.act_and_mul(x, up, activation=activation)


def _act_fake(x, up=None, *, activation):
    return _empty_result(x, up)


def _act_out(x, up=None, *, activation, out):
    activations.act_and_mul(x, up, activation=activation, out=out)


def _nothing(*_, **__):
    """What an op returns that only changes its destination."""


gelu_and_mul_sparse = register(f"gelu_and_mul_sparse(Tensor x, Tensor? up=None, *, {_SPARSE}) -> Tensor", _sparse,
                               _sparse_fake)
gelu_and_mul_sparse_out = register(
    f"gelu_and_mul_sparse_out(Tensor x, Tensor? up=None, *, {_SPARSE}, Tensor(a!) out) -> ()", _sparse_out, _nothing)
act_and_mul = register("act_and_mul(Tensor x, Tensor? up=None, *, str activation) -> Tensor", _act, _act_fake)
act_and_mul_out = register("act_and_mul_out(Tensor x, Tensor? up=None, *, str activation, Tensor(a!) out) -> ()",
                           _act_out, _nothing)
