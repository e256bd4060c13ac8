# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LoRAs of the sparse FFN on the device: random operands, what they add by NUMERICS' arithmetic, and how far that may be off."""

import ctypes
import dataclasses

import torch

from activation_reference import DTYPES, unit

# Bits of kernels/Lora/Arguments.cuh, and of kernels/SparseFfn/Lora.cuh.
ROUND_SUM, STEPWISE, ROUND_HIDDEN, WIDE = 2, 4, 8, 1 << 16
GATE, UP, DOWN = range(3)


def pointers(*tensors):
    return [ctypes.c_void_p(0 if t is None else t if isinstance(t, int) else t.data_ptr()) for t in tensors]


def longs(*values):
    return [ctypes.c_int64(v) for v in values]


@dataclasses.dataclass
class Lora:
    """Operands; `factors` has (A, B) or None of gate, up and down. scales and ranks are [3, adapters] or None."""

    ids: torch.Tensor
    factors: list
    scales: torch.Tensor | None
    ranks: torch.Tensor | None
    own_scales: tuple = (1.0, 1.0, 1.0)
    flags: int = 0

    @property
    def rank(self):
        return next(f[0].shape[1] for f in self.factors if f)

    @property
    def adapters(self):
        return next(f[0].shape[0] for f in self.factors if f)

    @property
    def weights(self):
        return next(f[0].dtype for f in self.factors if f)

    def of_token(self, token):
        return dataclasses.replace(self, ids=self.ids[token:token + 1])

    def arguments(self):
        """What every kernel has."""
        def row(t):
            return 0 if t is None else t.stride(0)
        return (pointers(self.ids, self.scales, self.ranks)
                + longs(row(self.scales), row(self.ranks), self.adapters, self.rank) + [ctypes.c_int32(self.flags)])

    def factor(self, projection, which):
        factors = self.factors[projection]
        if not factors:
            return pointers(None) + longs(0, 0)
        t = factors[which]
        return pointers(t) + longs(t.stride(0), t.stride(1))

    def scale(self, projection):
        return [ctypes.c_float(self.own_scales[projection])]

    def added(self, projection, dtype, x):
        """For each token the unrounded sum, its magnitude and the bound's two parts, S and H, in float64; rows without an adapter are 0."""
        n = self.factors[projection][1].shape[1]
        result = [torch.zeros(len(x), n, dtype=torch.float64, device=x.device) for _ in range(3)]
        coefficients = torch.zeros(len(x), dtype=torch.float64, device=x.device)
        for token, adapter in enumerate(self.ids.tolist()):
            if not 0 <= adapter < self.adapters:
                continue
            rank = self.rank if self.ranks is None else max(0, min(self.rank, int(self.ranks[projection, adapter])))
            a, b = (f[adapter].double() for f in self.factors[projection])
            a, b, row = a[:rank], b[:, :rank], x[token].double()
            c = torch.tensor(self.own_scales[projection], dtype=torch.float32)
            if self.scales is not None:
                c = c * self.scales[projection, adapter].cpu()
            c = coefficients[token] = c.double().item()
            a = torch.where(row != 0, a, 0)  # Products with zeros are not formed.
            h = a @ row
            result[0][token] = (self.rounded(h, b, c, dtype))
            result[1][token] = abs(c) * (b.abs() @ (a.abs() @ row.abs()))
            result[2][token] = abs(c) * (b.abs() @ h.abs())
        return (*result, coefficients)

    def rounded(self, h, b, c, dtype):
        """What is added, rounded where the form rounds; sums themselves are exact."""
        def to(kind, t):
            return t.to(kind).double()
        if self.flags & STEPWISE:
            return to(self.weights, c * to(self.weights, b @ to(self.weights, h)))
        h = c * h
        if self.flags & ROUND_HIDDEN:
            h = to(self.weights, h)
        e = b @ h
        return to(DTYPES[dtype], e) if self.flags & ROUND_SUM else e

    def bound(self, dtype, magnitude, hidden, terms):
        """By how much an addition may differ beside the final rounding, where sums are not exact."""
        u = unit({torch.bfloat16: "bf16", torch.float16: "f16", torch.float32: "f32"}[self.weights])
        share = 3 * u if self.flags & STEPWISE else (u if self.flags & ROUND_HIDDEN else 0) + (unit(dtype) if self.flags & ROUND_SUM else 0)
        small = 2.0**-24 if self.weights == torch.float16 or dtype == "f16" else 0
        return 2 * 2.0**-24 * (8 + 2 * terms**0.5) * magnitude + share * 2 * hidden + small * (1 + self.rank)


def random_lora(rng, dtype, tokens, d, h, exact):
    """Random operands; those of gate and up such that all sums are exact where x has few bits. `exact(shape, scale)` makes such numbers."""
    adapters = rng.choice([1, 2, 4, 5])
    rank = rng.choice([1, 3, 8, 16, 16, 16, 40, 67])
    wide = dtype != "f32" and rng.random() < 0.3
    kind = torch.float32 if wide else DTYPES[dtype]
    flags = rng.choice([0, 0, ROUND_HIDDEN, ROUND_SUM, ROUND_SUM | ROUND_HIDDEN, STEPWISE]) | (WIDE if wide else 0)
    ranks = None
    if rng.random() < 0.5:
        ranks = torch.tensor([[rng.choice([rank, rank, 0, rng.randint(0, rank)]) for _ in range(adapters)] for _ in range(3)],
                             dtype=torch.int32, device="cuda")
    scales = None
    if rng.random() < 0.7:
        scales = torch.tensor([[rng.choice([0.5, 1.0, 2.0, 0.25]) for _ in range(adapters)] for _ in range(3)], device="cuda")
    present = [rng.random() < 0.8 for _ in range(3)]
    present[rng.randrange(3)] = True

    def padded(*shape):
        pad = rng.choice([0, 0, 0, 1, 8])
        return torch.full((*shape[:-1], shape[-1] + pad), float("nan"), dtype=kind, device="cuda")[..., :shape[-1]]

    factors = []
    for projection in range(3):
        if not present[projection]:
            factors.append(None)
            continue
        k, n = (d, h) if projection == DOWN else (h, d)
        a, b = padded(adapters, rank, k), padded(adapters, n, rank)
        if projection == DOWN:
            a.copy_(torch.randn(a.shape, device="cuda") / max(1, k)**0.5)
            b.copy_(torch.randn(b.shape, device="cuda") / 4)
        else:
            a.copy_(exact(a.shape, 2.0**-5, 2))
            b.copy_(exact(b.shape, 2.0**-6, 2))
        if ranks is not None:  # Beyond true ranks nothing is read.
            for adapter in range(adapters):
                a[adapter, ranks[projection, adapter]:] = float("nan")
                b[adapter, :, ranks[projection, adapter]:] = float("nan")
        factors.append((a, b))
    ids = [rng.randrange(adapters) if rng.random() < 0.8 else rng.choice([-1, -5, adapters, 1 << 30]) for _ in range(tokens)]
    return Lora(torch.tensor(ids, dtype=torch.int32, device="cuda"), factors, scales, ranks,
                tuple(rng.choice([1.0, 0.5, 2.0]) for _ in range(3)), flags)
