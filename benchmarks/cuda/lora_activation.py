# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launch plans of the kernels that expand the LoRAs of gate and up and activate in one pass, and their launches."""

import ctypes
import dataclasses
import functools

import torch

from driver import Launch
from sparse_lora import longs, pointers

HIDDEN_LATE = 1  # kernels/LoraActivation/Operands.cuh
TOKENS, RANKS, WARPS, STRIP, AHEAD = 16, 16, 8, 32, 4


@functools.cache
def multiprocessors():
    return torch.cuda.get_device_properties(0).multi_processor_count


@dataclasses.dataclass(frozen=True)
class Fused:
    """A launch plan: blocks of a cluster, 2 to 16."""

    cluster: int

    function = f"frit_lora_gelu_and_mul_sparse{TOKENS}_{RANKS}_bf16"

    @property
    def label(self):
        return f"fused x{self.cluster}"

    def shared_bytes(self, d):
        strips = max(-(-d // (WARPS * STRIP * self.cluster)), AHEAD)
        return WARPS * (strips + AHEAD) * 2 * STRIP * TOKENS

    def fits(self, d):
        return self.shared_bytes(d) + 5376 <= 227 << 10

    def clusters(self, tokens, adapters):
        """One for each tile that there may be, while all run at once; tokens without an adapter are a group too."""
        tiles = (tokens + min(adapters + 1, tokens) * (TOKENS - 1)) // TOKENS
        return min(tiles, multiprocessors() // 14 * 24 // self.cluster)


class FusedCall:
    """One launch. `gate` and `up` are [tokens, d] of one row stride, `b` the pair [adapters, d, rank], `hidden` [2, tokens, rank]."""

    def __init__(self, image, kernel, gate, up, out, b, hidden, order, starts, multiplier, ranks=None, flags=0, correction=0):
        tokens, d = gate.shape
        adapters, _, rank = b[0].shape
        assert gate.stride(0) == up.stride(0)
        self.kept = gate, up, out, b, hidden, order, starts, ranks
        self.launch = Launch(image, kernel.function, (kernel.cluster * kernel.clusters(tokens, adapters),), 32 * WARPS, kernel.shared_bytes(d),
                             kernel.cluster)
        self.arguments = (pointers(gate, up, out, *b, hidden, hidden[1], order, starts, ranks)
                          + longs(tokens, d, rank, adapters, gate.stride(0), out.stride(0), 0 if ranks is None else ranks.stride(0))
                          + [ctypes.c_int32(flags), ctypes.c_float(multiplier), ctypes.c_int32(correction)])

    def __call__(self, stream):
        self.launch(stream, self.arguments)
