# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types as numpy arrays: f32, f16 and, as its bits in uint16, bf16."""

import numpy as np

STORAGE = {"f32": np.dtype(np.float32), "f16": np.dtype(np.float16),
           "bf16": np.dtype(np.uint16), "i32": np.dtype(np.int32)}
# Explicit bits of the significand that f32 has beyond the type.
DROPPED_BITS = {"f16": 13, "bf16": 16}
SMALLEST = {"f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133}


def encode(values, dtype):
    """f32 -> storage, to nearest even."""
    values = np.asarray(values, np.float32)
    if dtype != "bf16":
        with np.errstate(over="ignore"):
            return values.astype(STORAGE[dtype])
    bits = values.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) >> 16
    nan = np.uint32(0x7FC0)
    return np.where(np.isnan(values), nan, rounded).astype(np.uint16)


def decode(stored, dtype):
    """Storage -> f32, exact."""
    if dtype == "bf16":
        return (stored.astype(np.uint32) << 16).view(np.float32)
    return stored.astype(np.float32)


def round_to(values, dtype):
    """r(): f32 -> E -> f32."""
    return decode(encode(values, dtype), dtype)


def ordinals(stored, dtype):
    """Integers whose differences are distances in units in the last place."""
    unsigned = stored.view(np.uint32 if dtype == "f32" else np.uint16).astype(np.int64)
    top = np.int64(1) << (31 if dtype == "f32" else 15)
    return np.where(unsigned >= top, top - unsigned, unsigned)
