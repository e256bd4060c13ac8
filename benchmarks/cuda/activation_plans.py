# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launch plans of kernels/README.md: every admissible plan of every family for a shape."""

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
    return Plan(family, (tokens * cluster,), threads, 16 * vectors * threads if family.startswith("parked") else 0, cluster)


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
    plans = [registers(tokens, d, dtype, f) for f in ("registers1", "registers2", "registers4", "parked4", "parked6", "parked8")]
    if tokens <= 512:
        plans += [registers(tokens, d, dtype, f, c) for c in (2, 3, 4, 6, 8, 9, 16) for f in ("cluster1", "cluster2")]
    if tokens >= 128:
        plans += [ring(tokens, d, dtype, t, k) for t in (64, 96, 128, 192, 256, 288, 384, 512, 576, 864)
                  for k in (1, 2, 3, 4, 5, 6, 8) if even(d, dtype, t, 2) and (t + 64) * k >= 500]
    plans = [p for p in plans if p]
    exact = [p for p in plans if p.family == "ring" or even(d, dtype, p.threads * p.cluster, int(p.family[-1]))]
    plans = exact if len(exact) > 3 else plans + [ring(tokens, d, dtype, 256, 2), ring(tokens, d, dtype, 512, 1)]
    plans.append(streamed(tokens, d, dtype, 512))
    return [p for i, p in enumerate(plans) if p and p not in plans[:i]]


def flat(tokens, d, dtype, vectors, threads):
    per = 16 // SIZES[dtype]
    return Plan(f"flat{vectors}", (-(-d // (per * vectors * threads)), min(tokens, 65535)), threads)


def flat_plans(tokens, d, dtype):
    return [flat(tokens, d, dtype, v, t) for v in (1, 2, 4) for t in (128, 256, 512)]


def plans(op, tokens, d, dtype):
    return (sparse_plans if op == "gelu_and_mul_sparse" else flat_plans)(tokens, d, dtype)


def preferences(tokens, vectors):
    """(family, blocks of a cluster) in falling order, for rows of `vectors` vectors: what won on an H200."""
    if tokens <= 64:
        if vectors <= 256:
            return [("registers2", 1), ("registers1", 1)]
        if vectors <= 1024:
            return [("cluster1", c) for c in (16, 9, 8, 6, 4, 3, 2)]
        wide = [("cluster2", 8)] if tokens > 16 and vectors <= 2048 else []
        return wide + [("cluster2", 16)] + [("cluster1", c) for c in ((9, 6, 3) if tokens <= 16 else (3, 6, 9))]
    if tokens <= 256:
        if vectors <= 512:
            return [(f, 1) for f in (("registers2", "registers1") if vectors <= 256 else ("parked4", "registers2", "registers1"))]
        return [(f, 1) for f in ("registers1", "registers2", "parked4", "parked6", "parked8")]
    if vectors <= 256:
        return [(f, 1) for f in ("registers4", "registers2", "registers1")]
    if tokens <= 1024:
        if vectors <= 512:
            return [(f, 1) for f in ("registers2", "registers4", "registers1")]
        if vectors <= 1024:
            return [(f, 1) for f in ("registers4", "parked6", "registers2", "registers1")]
        return [(f, 1) for f in (("parked4", "parked6", "parked8") if vectors <= 2048 else ("parked8", "parked6", "parked4"))]
    return [(f, 1) for f in ("parked4", "parked6", "parked8", "registers2", "registers1")]


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
