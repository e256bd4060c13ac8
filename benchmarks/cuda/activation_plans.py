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


def registers(tokens, d, dtype, vectors, cluster=1):
    """One block (or cluster) a row, `vectors` vectors of 16 bytes a thread."""
    family = f"{'registers' if cluster == 1 else 'cluster'}{vectors}"
    per = 16 // SIZES[dtype]
    threads = ceil_to(-(-d // (per * vectors * cluster)), 32)
    if threads > 1024:
        return None
    return Plan(family, (tokens * cluster,), threads, 16 * vectors * threads if vectors > 2 else 0, cluster)


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
    plans = [registers(tokens, d, dtype, v) for v in (1, 2, 3, 4, 6, 8)]
    if tokens <= 512:
        plans += [registers(tokens, d, dtype, v, c) for c in (2, 3, 4, 6, 8, 9, 16) for v in (1, 2)]
    if tokens >= 128:
        plans += [ring(tokens, d, dtype, t, k) for t in (64, 96, 128, 192, 256, 288, 384, 512, 576, 864)
                  for k in (1, 2, 3, 4, 5, 6, 8) if even(d, dtype, t, 2) and (t + 64) * k >= 500]
    plans = [p for p in plans if p]
    exact = [p for p in plans if p.family.startswith("ring") or even(d, dtype, p.threads * p.cluster, int(p.family[-1]))]
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
