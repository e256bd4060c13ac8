# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The namespace torch.ops.frit and how its ops are registered."""

import torch

_library = torch.library.Library("frit", "DEF")


def register(schema, implementation, fake):
    """Defines an op that runs `implementation` on the CPU and on CUDA devices and has the results of `fake` while it is
    traced. Returns its only overload.

    There is no formula for gradients: with an input that requires one, under grad mode, the call raises."""
    name = schema.partition("(")[0]
    _library.define(schema, tags=(torch.Tag.pt2_compliant_tag,))
    for key in ("CPU", "CUDA"):
        _library.impl(name, implementation, key)
    torch.library.register_fake(f"frit::{name}", fake, lib=_library)
    return getattr(torch.ops.frit, name).default
