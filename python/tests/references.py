# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LoRA products in float64, with the error bounds of the arithmetic that Frit promises."""

import numpy

UNIT_ROUNDOFF = {"float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
SMALLEST = {"float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}


def lora_matmul(x, ids, weights, y, *, scale=1.0, scales=None, ranks=None, offset=0, accumulate=True):
    """The new y in float64 and the bound of the error of `rounding = final`. `weights` are pairs (A, B)."""
    wide = numpy.float64
    result, bound = y.astype(wide), numpy.zeros(y.shape, wide)
    adapters = weights[0][0].shape[0]
    for t, adapter in enumerate(ids):
        if not 0 <= adapter < adapters:
            continue
        factor = wide(numpy.float32(scale)) * (wide(scales[adapter]) if scales is not None else 1)
        column = offset
        for s, (a, b) in enumerate(weights):
            rank = a.shape[1] if ranks is None else (ranks if ranks.ndim == 1 else ranks[s])[adapter]
            first, second = a[adapter, :rank].astype(wide), b[adapter, :, :rank].astype(wide)
            row, columns = x[t].astype(wide), slice(column, column + b.shape[1])
            old = result[t, columns] if accumulate else 0
            total = old + second @ (factor * (first @ row))
            size = numpy.abs(factor) * (numpy.abs(second) @ (numpy.abs(first) @ numpy.abs(row))) + numpy.abs(old)
            gamma = 2.0**-24 * (8 + 2 * numpy.sqrt(x.shape[1] + a.shape[1]))
            bound[t, columns] = (UNIT_ROUNDOFF[y.dtype.name] * numpy.abs(total) + 2 * gamma * size +
                                 SMALLEST[y.dtype.name])
            result[t, columns] = total
            column += b.shape[1]
    return result, bound


def lora_shrink(x, ids, weights, *, scale=1.0):
    """h in float64, zeros for tokens without an adapter."""
    h = numpy.zeros((len(weights), len(ids), weights[0].shape[1]))
    for s, a in enumerate(weights):
        for t, adapter in enumerate(ids):
            if 0 <= adapter < a.shape[0]:
                h[s, t] = scale * (a[adapter].astype(numpy.float64) @ x[t].astype(numpy.float64))
    return h
