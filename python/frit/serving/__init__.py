# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Frit behind the calling conventions of LLM servers; see docs/Serving.md."""

from .activations import gelu_and_mul, gelu_and_mul_sparse, gelu_tanh_and_mul, silu_and_mul
from .lora import lora_expand, lora_shrink

__all__ = [
    "gelu_and_mul", "gelu_and_mul_sparse", "gelu_tanh_and_mul", "lora_expand", "lora_shrink", "silu_and_mul"
]
