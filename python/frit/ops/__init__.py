# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Frit's ops as functions over tensors of any framework.

Each is compiled at its first call with a new element type, device, set of attributes or sizes of a model, and kept; numbers
of tokens and of adapters are dynamic. Arguments are never copied. CUDA tensors are used on PyTorch's current stream.
`policy` is that of `frit.compile`.
"""

from ._cache import explain
from .activations import act_and_mul, gelu_and_mul_sparse, std_multiplier
from .ffn import sparse_ffn
from .lora import lora_expand, lora_group, lora_matmul, lora_shrink

__all__ = [
    "act_and_mul", "explain", "gelu_and_mul_sparse", "lora_expand", "lora_group", "lora_matmul", "lora_shrink",
    "sparse_ffn", "std_multiplier"
]
