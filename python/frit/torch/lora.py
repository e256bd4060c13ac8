# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LoRA products as ops of PyTorch.

Those whose names end in an underscore change their first argument, and say so; the others return a new tensor and change
nothing.
"""

import torch

from ..ops import lora
from ._registration import register

_OPERANDS = "Tensor? scales=None, Tensor? ranks=None, Tensor? order=None, Tensor? starts=None, Tensor? active=None"
_VERIFY = "bool verify=False"
_SUM = 'int offset=0, str rounding="final", bool accumulate=True'


def _shrink(x, ids, a, **attributes):
    return lora.lora_shrink(x, ids, a, **attributes)


def _shrink_fake(x, ids, a, **_):
    return x.new_empty((len(a), ids.shape[0], a[0].shape[1]), dtype=torch.float32)


def _expand_(y, h, ids, b, **attributes):
    lora.lora_expand(h, ids, b, out=y, **attributes)


def _expand(h, ids, b, y, **attributes):
    return lora.lora_expand(h, ids, b, out=_copy(y), **attributes)


def _matmul_(y, x, ids, a, b, **attributes):
    lora.lora_matmul(x, ids, a, b, out=y, **attributes)


def _matmul(x, ids, a, b, y, **attributes):
    return lora.lora_matmul(x, ids, a, b, out=_copy(y), **attributes)


def _group(ids, num_adapters):
    return lora.lora_group(ids, num_adapters)


def _group_fake(ids, num_adapters):
    return ids.new_empty(ids.shape), ids.new_empty((num_adapters + 1,))


def _copy(y):
    return y.clone(memory_format=torch.contiguous_format)


def _expand_fake(h, ids, b, y, **_):
    return torch.empty_like(y, memory_format=torch.contiguous_format)


def _matmul_fake(x, ids, a, b, y, **_):
    return torch.empty_like(y, memory_format=torch.contiguous_format)


def _nothing(*_, **__):
    """What an op returns that only changes its destination."""


lora_shrink = register(f"lora_shrink(Tensor x, Tensor ids, Tensor[] a, *, float scale=1.0, {_OPERANDS}, {_VERIFY}) -> Tensor",
                       _shrink, _shrink_fake)
lora_expand = register(
    f"lora_expand(Tensor h, Tensor ids, Tensor[] b, Tensor y, *, float scale=1.0, {_OPERANDS}, {_SUM}, {_VERIFY}) -> Tensor",
    _expand, _expand_fake)
lora_expand_ = register(
    f"lora_expand_(Tensor(a!) y, Tensor h, Tensor ids, Tensor[] b, *, float scale=1.0, {_OPERANDS}, {_SUM}, {_VERIFY}) -> ()",
    _expand_, _nothing)
_MATMUL = f'float scale=1.0, {_OPERANDS}, {_SUM}, str intermediate="f32", {_VERIFY}'
lora_matmul = register(
    f"lora_matmul(Tensor x, Tensor ids, Tensor[] a, Tensor[] b, Tensor y, *, {_MATMUL}) -> Tensor", _matmul,
    _matmul_fake)
lora_matmul_ = register(
    f"lora_matmul_(Tensor(a!) y, Tensor x, Tensor ids, Tensor[] a, Tensor[] b, *, {_MATMUL}) -> ()", _matmul_, _nothing)
lora_group = register("lora_group(Tensor ids, int num_adapters) -> (Tensor, Tensor)", _group, _group_fake)
