# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sparse feed-forward network as an op of PyTorch: functional, and adding to a tensor that it declares as changed."""

import torch

from ..ops import ffn
from ._registration import register

_LORA = ", ".join(f"Tensor[]? {name}_lora=None" for name in ("gate", "up", "down"))
_SCALES = ", ".join(f"float {name}_scale=1.0" for name in ("gate", "up", "down"))
_ATTRIBUTES = f"float std_multiplier, Tensor? ids=None, {_LORA}, Tensor? scales=None, Tensor? ranks=None, {_SCALES}, " \
    'str intermediate="f32", str lora_rounding="final", str down_layout="dh", str approximate="tanh", ' \
    'str rounding="stepwise", int correction=0'
_OPERANDS = "Tensor x, Tensor gate, Tensor up, Tensor down"


def _sparse_ffn(x, gate, up, down, **attributes):
    return ffn.sparse_ffn(x, gate, up, down, **attributes)


def _sparse_ffn_fake(x, gate, up, down, **_):
    return torch.empty_like(x, memory_format=torch.contiguous_format)


def _sparse_ffn_add_(y, x, gate, up, down, **attributes):
    ffn.sparse_ffn(x, gate, up, down, out=y, accumulate=True, **attributes)


def _nothing(*_, **__):
    """What an op returns that only changes its destination."""


sparse_ffn = register(f"sparse_ffn({_OPERANDS}, *, {_ATTRIBUTES}) -> Tensor", _sparse_ffn, _sparse_ffn_fake)
sparse_ffn_add_ = register(f"sparse_ffn_add_(Tensor(a!) y, {_OPERANDS}, *, {_ATTRIBUTES}) -> ()", _sparse_ffn_add_, _nothing)
