# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations in the form op(out, x, ...) of LLM servers: x is [..., 2d] with gate and up, out is [..., d]."""

from ..ops import _text, activations

# The servers' names of the forms of gelu, those of PyTorch, and Frit's.
_APPROXIMATE = {"tanh": "tanh", "none": "erf"}


def silu_and_mul(out, x):
    activations.act_and_mul(x, activation="silu", out=out)


def gelu_and_mul(out, x):
    """The exact form, with erf."""
    activations.act_and_mul(x, activation="gelu_erf", out=out)


def gelu_tanh_and_mul(out, x):
    activations.act_and_mul(x, activation="gelu_tanh", out=out)


def gelu_and_mul_sparse(out, x, activation_sparsity, approximate="tanh"):
    """Gemma3n's: `activation_sparsity` is the fraction of the gates that a normal distribution would have cleared.
    approximate: "tanh", as the model has it, or "none", the exact form, with erf."""
    approximate = _APPROXIMATE[_text.choice("approximate", approximate, _APPROXIMATE)]
    activations.gelu_and_mul_sparse(x, std_multiplier=activations.std_multiplier(activation_sparsity), approximate=approximate,
                                    out=out)
