# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launch plans of the matrix products for few tokens and of the sparse FFN's kernels, and their launches."""

import ctypes
import dataclasses

from driver import SHARED_PER_BLOCK, Launch
from sparse_lora import DOWN, GATE, UP, longs, pointers

ROWS, KEPT_BYTES, GEMV_THREADS, MOST_SPLIT_TILES = 16, 4096, 256, 8
RING_BYTES = {8: 6 << 14, 16: 5 << 14}
RANGES, ROWS_THREADS, ROWS_STATIC, MOST_PAIRS, SUM_COLUMNS, SUM_THREADS, HIDDEN_THREADS = 128, 512, 6144, 16, 32, 256, 256
# Of the kernels that deal a token's active columns: columns of a row, those that a block lists where it reads all, ranks, and blocks of a group.
DEALT_COLUMNS, DEALT_LISTED, DEALT_RANKS, DEALT_GROUP = 16384, 256, 32, 16
MULTIPROCESSORS = 132
FINAL, ERF = 1, 2
SIZES = {"bf16": 2, "f16": 2, "f32": 4}


def ceildiv(a, b):
    return -(-a // b)


@dataclasses.dataclass(frozen=True)
class Gemv:
    """The plan of a product with `n` rows of `k` elements; `cluster` blocks share k."""

    dtype: str
    tile: int
    n: int
    k: int
    cluster: int
    early: bool
    share: int  # Tiles of 16 rows of a block, or of a cluster where that is more than one block.

    @classmethod
    def of(cls, dtype, tokens, n, k, early=False, cluster=None, tile=None, share=None, resident=None):
        kept = KEPT_BYTES // SIZES[dtype]
        cluster = cluster or next((c for c in (1, 2, 4, 8) if c * kept >= k), 16)
        tiles = ceildiv(n, ROWS)
        places = MULTIPROCESSORS * (resident or (2 if early and cluster == 1 else 1)) // cluster
        share = share or ceildiv(tiles, min(tiles, places) if cluster == 1 else max(ceildiv(tiles, MOST_SPLIT_TILES), min(tiles, places)))
        return cls(dtype, tile or (8 if tokens <= 8 else 16), n, k, cluster, early, share)

    @property
    def variant(self):
        return f"{self.dtype}_tile{self.tile}" + ("_early" if self.early else "")

    @property
    def clusters(self):
        return ceildiv(ceildiv(self.n, ROWS), self.share)

    @property
    def shared(self):
        owned = ceildiv(MOST_SPLIT_TILES, self.cluster) * self.cluster
        inbox = owned * self.tile * ROWS * 4 if self.cluster > 1 else 0
        kept = self.tile * KEPT_BYTES if self.dtype == "f32" else 0
        return RING_BYTES[self.tile] + kept + inbox

    def launch(self, image, prefix, tokens, suffix=""):
        return Launch(image, f"{prefix}_{self.variant}{suffix}", (self.cluster * self.clusters, ceildiv(tokens, self.tile)), GEMV_THREADS, self.shared,
                      self.cluster)


class GemvCall:
    """out = x w^T, or out += x w^T, on given tensors, whose last stride is 1."""

    def __init__(self, image, plan, x, w, out, accumulate=False):
        self.launch = plan.launch(image, "frit_matmul_gemv", len(x))
        self.arguments = (pointers(x, w, out) + longs(len(x), plan.n, plan.k, x.stride(0), w.stride(0), out.stride(0))
                          + [ctypes.c_int32(accumulate)])

    def __call__(self, stream):
        self.launch(stream, self.arguments)


@dataclasses.dataclass(frozen=True)
class FfnPlan:
    gate: Gemv
    tile: int
    ranges: int
    pairs: int  # Rows of up and of down in shared memory at a time, at most.
    form: str = "rows"  # Or "dealt", where each token has `ranges` blocks that share its active columns, or "grouped", groups of blocks.

    @staticmethod
    def dealing(dtype, tokens, d, h, form=None, pairs=None, ranges=None, early=False, share=None):
        """The plan that deals columns, of the table's form if none is given, or None where there is none."""
        most = next(t for t in (1, 2, 4, 8, 16) if tokens <= t)
        ranges = ranges or max(RANGES // most, DEALT_GROUP)
        form = form or ("dealt" if most <= 4 and d <= ranges * DEALT_LISTED else "grouped")
        if d > (min(DEALT_COLUMNS, ranges * DEALT_LISTED) if form == "dealt" else DEALT_COLUMNS):
            return None
        pairs = pairs or (MOST_PAIRS if most <= 2 else 14 if most * DEALT_GROUP <= RANGES else 13)
        plan = FfnPlan.of(dtype, tokens, d, h, share=share, early=early)
        return dataclasses.replace(plan, tile=1, ranges=ranges, pairs=pairs, form=form)

    @staticmethod
    def of(dtype, tokens, d, h, tile=None, pairs=MOST_PAIRS, gate_tile=None, share=None, ranges=RANGES, lora=False, early=False):
        tile = tile or next((t for t in ((1, 4) if lora else (1, 2, 4)) if tokens <= t), 8)
        ranges = min(ranges, ceildiv(d, 8))
        ranges = ceildiv(d, ceildiv(ceildiv(d, ranges), 8) * 8)
        gate_tile = gate_tile or (8 if tokens <= 8 else 16)
        resident = 2 if gate_tile == 8 and SIZES[dtype] == 2 and h * SIZES[dtype] <= KEPT_BYTES else 1
        return FfnPlan(Gemv.of(dtype, tokens, d, h, early, tile=gate_tile, share=share, resident=resident), tile, ranges, pairs)

    def shared(self, tokens, h):
        row = ceildiv(h * SIZES[self.gate.dtype], 16) * 16
        fits = (SHARED_PER_BLOCK - ROWS_STATIC) // row
        return (min(tokens, self.tile) + 2 * min(self.pairs, (fits - min(tokens, self.tile)) // 2)) * row


class Ffn:
    """The three kernels on given tensors, or four with a LoRA; what lies between them is scratch of this object."""

    def __init__(self, torch, image, plan, x, gate, up, down, out, multiplier, correction=0, flags=0, residual=None, lora=None):
        tokens, h = x.shape
        d = len(gate)
        name = plan.gate.dtype
        device = x.device
        parts = plan.gate.cluster * plan.gate.clusters
        self.gate_stride = ceildiv(d, 8) * 8
        self.values = torch.full((tokens, self.gate_stride), float("nan"), dtype=x.dtype, device=device)
        self.parts = torch.full((tokens, parts, 4), float("nan"), device=device)
        self.sums = torch.full((plan.ranges, tokens, ceildiv(h, 8) * 8), float("nan"), device=device)
        self.lora = lora  # Launches have addresses alone.
        suffix = "_lora" if lora else ""
        # With a LoRA the kernel of the rank vectors is what starts early: the gate's has that form alone.
        product, early = plan.gate, ""
        if lora and product.early:
            product, early = dataclasses.replace(product, early=False), "_early"
        rows = f"rows_{name}_tile{plan.tile}" if plan.form == "rows" else f"{plan.form}_{name}"
        more = [[], [], []]
        self.launches = []
        if lora:
            padded = ceildiv(lora.rank, 4) * 4
            hidden = self.hidden = torch.full((2, tokens, padded), float("nan"), device=device)
            shares = self.shares = torch.full((plan.ranges, tokens, padded), float("nan"), device=device)
            self.launches.append(
                (Launch(image, f"frit_sparse_ffn_hidden_{name}{early}", (ceildiv(lora.rank, 8), tokens, 2), HIDDEN_THREADS),
                 pointers(x, hidden) + longs(h, x.stride(0)) + lora.arguments() + lora.factor(GATE, 0) + lora.factor(UP, 0)))
            more = [lora.arguments() + lora.factor(GATE, 1) + pointers(hidden) + lora.scale(GATE),
                    lora.arguments() + lora.factor(UP, 1) + pointers(hidden[1]) + lora.scale(UP) + lora.factor(DOWN, 0) + pointers(shares),
                    lora.arguments() + lora.factor(DOWN, 1) + pointers(shares) + lora.scale(DOWN)]
        self.launches += [
            (product.launch(image, "frit_sparse_ffn_gate", tokens, suffix),
             pointers(x, gate, self.values, self.parts) + longs(tokens, d, h, x.stride(0), gate.stride(0), self.gate_stride) + more[0]),
            (Launch(image, f"frit_sparse_ffn_{rows}{suffix}", (plan.ranges, ceildiv(tokens, plan.tile)), ROWS_THREADS,
                    plan.shared(tokens, h)),
             pointers(x, self.values, self.parts, up, down, self.sums)
             + longs(tokens, d, h, parts, x.stride(0), self.gate_stride, up.stride(0), down.stride(0))
             + [ctypes.c_float(multiplier), ctypes.c_int32(correction), ctypes.c_int32(flags)] + more[1]),
            (Launch(image, f"frit_sparse_ffn_sum_{name}{suffix}", (ceildiv(h, SUM_COLUMNS), tokens), SUM_THREADS),
             pointers(self.sums, residual, out)
             + longs(tokens, h, plan.ranges, 0 if residual is None else residual.stride(0), out.stride(0)) + more[2])]

    def __call__(self, stream, first=0, last=None):
        for launch, arguments in self.launches[first:last]:
            launch(stream, arguments)
