# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Frit's ops as ops of PyTorch: torch.ops.frit.*, which torch.compile keeps in its graphs.

    import frit.torch
    y = frit.torch.gelu_and_mul_sparse(x, std_multiplier=1.6448536)

The arguments are those of frit.ops, with lists of weights for slices and, in functional LoRA ops, the old values as the
last argument. Names that end in an underscore, or in _out, change a tensor in place. There are no gradients.
"""

from .activations import act_and_mul, act_and_mul_out, gelu_and_mul_sparse, gelu_and_mul_sparse_out
from .ffn import sparse_ffn, sparse_ffn_add_
from .lora import lora_expand, lora_expand_, lora_group, lora_matmul, lora_matmul_, lora_shrink

__all__ = [
    "act_and_mul", "act_and_mul_out", "gelu_and_mul_sparse", "gelu_and_mul_sparse_out", "lora_expand", "lora_expand_",
    "lora_group", "lora_matmul", "lora_matmul_", "lora_shrink", "sparse_ffn", "sparse_ffn_add_"
]
