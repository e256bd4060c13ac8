# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launch plans of kernels/README.md: every admissible plan of every family for a shape."""

import math
import re
from dataclasses import dataclass

SIZES = {"bf16": 2, "f16": 2, "f32": 4}
MULTIPROCESSORS = 132
SHARED_PER_MULTIPROCESSOR = 228 << 10
SHARED_PER_BLOCK = 227 << 10
RING_HEADER = 1664
RING_COPYING_THREADS = 64
RING_REGISTERS = 80


@dataclass(frozen=True)
class Plan:
    family: str
    grid: tuple
    threads: int
    shared: int = 0
    cluster: int = 1

    @property
    def label(self):
        text = f"{self.family}:{self.threads}"
        if self.cluster > 1:
            text += f"x{self.cluster}"
        if self.shared:
            text += f"/{self.shared >> 10}K@{self.grid[0]}" if self.family == "ring" else ""
        return text


def ceil_to(value, step):
    return -(-value // step) * step


def registers(tokens, d, dtype, family, cluster=1):
    """One block (or cluster) a row; the family's name ends in a thread's number of 16-byte vectors."""
    vectors = int(family[-1])
    threads = ceil_to(-(-d * SIZES[dtype] // (16 * vectors * cluster)), 32)
    if threads > 1024:
        return None
    return Plan(family, (tokens * cluster,), threads, 16 * vectors * threads if family.startswith(("parked", "needed")) else 0, cluster)


def ring(tokens, d, dtype, threads, blocks):
    """`blocks` a multiprocessor, `threads` computing threads each."""
    slot = 2 * 16 * threads
    chunks = -(-d * SIZES[dtype] // slot)
    budget = min(SHARED_PER_BLOCK, SHARED_PER_MULTIPROCESSOR // blocks - 1024)
    slots = min(32, (budget - RING_HEADER) // slot)
    registers_ = (threads + RING_COPYING_THREADS) * RING_REGISTERS * blocks
    if slots < chunks + 1 or registers_ > 65536 or threads + RING_COPYING_THREADS > 1024:
        return None
    grid = (min(tokens, MULTIPROCESSORS * blocks),)
    return Plan("ring", grid, threads + RING_COPYING_THREADS, RING_HEADER + slots * slot)


def streamed(tokens, d, dtype, threads, cluster=1):
    family = "streamed" if cluster == 1 else "streamed_cluster"
    return Plan(family, (tokens * cluster,), threads, 0, cluster)


def even(d, dtype, threads, vectors):
    """Whether every thread of a row gets the same number of vectors, `vectors` at a time."""
    return d * SIZES[dtype] % (16 * threads * vectors) == 0


def sparse_plans(tokens, d, dtype):
    """All plans worth timing: those that deal a row evenly, or else any."""
    plans = [registers(tokens, d, dtype, f) for f in ("registers1", "registers2", "registers3", "registers4", "parked6", "parked8", "needed8")]
    if tokens <= 512:
        plans += [registers(tokens, d, dtype, f, c) for c in (2, 3, 4, 6, 8, 9, 16) for f in ("cluster1", "cluster2", "parked_cluster4")]
    if tokens >= 128:
        plans += [ring(tokens, d, dtype, t, k) for t in (64, 96, 128, 192, 256, 288, 384, 512, 576, 864)
                  for k in (1, 2, 3, 4, 5, 6, 8) if even(d, dtype, t, 2) and (t + 64) * k >= 500]
    plans = [p for p in plans if p]
    exact = [p for p in plans if p.family == "ring" or even(d, dtype, p.threads * p.cluster, int(p.family[-1]))]
    plans = exact if len(exact) > 3 else plans + [ring(tokens, d, dtype, 256, 2), ring(tokens, d, dtype, 512, 1)]
    plans.append(streamed(tokens, d, dtype, 512))
    return [p for i, p in enumerate(plans) if p and p not in plans[:i]]


def flat_plans(tokens, d, dtype):
    return [Plan("flat", (-(-d * SIZES[dtype] // (16 * 2 * 128)), min(tokens, 65535)), 128)]


def plans(op, tokens, d, dtype):
    return (sparse_plans if op == "gelu_and_mul_sparse" else flat_plans)(tokens, d, dtype)


FORM = re.compile(r"(\w+?)(\d)(?:x(\d+))?$")
# What won on an H200, in falling order: by tokens, for rows of at most so many vectors. `cluster2x8` has 8 blocks a row.
FEW = "cluster1x8 cluster1x9 cluster1x6 cluster1x4 cluster1x3 cluster1x2 registers1"
FEW_BY_2048 = "cluster2x8 cluster1x9 cluster1x8 cluster1x6 cluster1x4 cluster1x3 cluster1x2"
FEW_BY_4096 = "cluster2x9 cluster2x8 cluster2x6 cluster2x4 cluster2x3"
FEW_LONGER = "parked_cluster4x16 parked_cluster4x9 parked_cluster4x8 parked_cluster4x6 parked_cluster4x4 parked_cluster4x3"
SHORT, SHORT_MANY = "registers2 registers1", "registers4 registers2 registers1"
BY_1024 = "registers4 registers3 registers2 registers1"
BY_2048 = "registers3 registers4 parked6 registers2 parked8"
LONGER_BY_32 = "parked_cluster4x8 cluster2x3 cluster2x9 parked_cluster4x6 parked_cluster4x4 cluster2x2"
LONGER_BY_64 = ("parked_cluster4x2 cluster1x2 cluster1x3 cluster2x2 cluster2x3 parked_cluster4x3 parked_cluster4x4 "
                "parked_cluster4x8 parked8")
LONGER = "parked6 registers4 registers3 parked8 parked_cluster4x4"
PREFERENCES = {
    4: {256: SHORT, 512: FEW, 1024: FEW, 2048: FEW_BY_2048,
        4096: f"cluster2x16 {FEW_BY_4096}", math.inf: FEW_LONGER},
    16: {256: SHORT, 512: FEW, 1024: FEW, 2048: FEW_BY_2048,
         4096: f"parked_cluster4x8 {FEW_BY_4096}", math.inf: FEW_LONGER},
    32: {256: SHORT, 512: FEW, 1024: FEW,
         2048: "cluster2x8 cluster1x3 cluster1x9 cluster1x8 cluster1x6 cluster1x4 cluster1x2", math.inf: LONGER_BY_32},
    64: {512: SHORT, 1024: "cluster1x2 cluster1x3 registers2 registers1", math.inf: LONGER_BY_64},
    128: {512: SHORT, 1024: BY_1024, 2048: BY_2048, math.inf: LONGER},
    256: {256: SHORT, 512: SHORT_MANY, 1024: BY_1024, 2048: BY_2048, math.inf: LONGER},
    math.inf: {512: SHORT_MANY, 1024: BY_1024, 2048: BY_2048, math.inf: LONGER},
}


def preferences(tokens, vectors):
    """(family, blocks of a cluster) in falling order, for rows of `vectors` vectors."""
    lengths = next(v for most, v in PREFERENCES.items() if tokens <= most)
    forms = next(v for most, v in lengths.items() if vectors <= most)
    return [(m[1] + m[2], int(m[3] or 1)) for m in map(FORM.match, forms.split())]


def recommended(tokens, d, dtype):
    """The plan of a shape: the first preference that deals its row evenly, else one that takes any row."""
    for family, blocks in preferences(tokens, d * SIZES[dtype] // 16):
        plan = registers(tokens, d, dtype, family, blocks)
        if plan and even(d, dtype, plan.threads * plan.cluster, int(family[-1])):
            return plan
    if tokens > 256:
        for threads, blocks in ((256, 2), (512, 1)):
            if plan := ring(tokens, d, dtype, threads, blocks):
                return plan
    return streamed(tokens, d, dtype, 512, 8 if tokens <= 16 and d * SIZES[dtype] > 16384 else 1)
