# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launch plans of kernels/README.md: every admissible plan of every family for a shape."""

from dataclasses import dataclass

SIZES = {"bf16": 2, "f16": 2, "f32": 4}
MULTIPROCESSORS = 132
SHARED_PER_MULTIPROCESSOR = 228 << 10
SHARED_PER_BLOCK = 227 << 10
RING_HEADER = 1152
MAX_THREADS = {"registers1": 1024, "registers2": 512, "registers4": 512, "cluster1": 1024, "cluster2": 512}


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
            text += f"/{self.shared >> 10}K"
        return text


def ceil_to(value, step):
    return -(-value // step) * step


def registers(tokens, d, dtype, vectors, cluster=1):
    """One block (or cluster) a row, `vectors` vectors of 16 bytes a thread."""
    family = f"{'registers' if cluster == 1 else 'cluster'}{vectors}"
    per = 16 // SIZES[dtype]
    threads = ceil_to(-(-d // (per * vectors * cluster)), 32)
    if threads > MAX_THREADS[family]:
        return None
    return Plan(family, (tokens * cluster,), threads, 0, cluster)


def ring(tokens, d, dtype, threads, blocks, vectors=2):
    """`blocks` a multiprocessor, `threads` computing threads each."""
    slot = vectors * 16 * threads
    chunks = -(-d * SIZES[dtype] // slot)
    budget = min(SHARED_PER_BLOCK, SHARED_PER_MULTIPROCESSOR // blocks - 1024)
    slots = min(32, (budget - RING_HEADER) // slot)
    if slots < chunks + 1:
        return None
    return Plan("ring", (min(tokens, MULTIPROCESSORS * blocks),), threads + 32, RING_HEADER + slots * slot)


def streamed(tokens, d, dtype, threads, cluster=1):
    family = "streamed" if cluster == 1 else "streamed_cluster"
    return Plan(family, (tokens * cluster,), threads, 0, cluster)


def sparse_plans(tokens, d, dtype):
    """All plans worth timing."""
    plans = [registers(tokens, d, dtype, v) for v in (1, 2, 4)]
    if tokens <= 512:
        plans += [registers(tokens, d, dtype, v, c) for c in (2, 4, 8, 16) for v in (1, 2)]
    if tokens >= 128:
        for threads, blocks in ((512, 1), (256, 2), (512, 2), (128, 4), (256, 4), (128, 8), (64, 8), (64, 16), (448, 2), (288, 2), (288, 3)):
            if d % (threads * 16 // SIZES[dtype]) == 0 or threads == 512:
                plans.append(ring(tokens, d, dtype, threads, blocks))
    plans += [streamed(tokens, d, dtype, 512)]
    good = []
    for plan in plans:
        if plan and plan not in good and not (plan.cluster > 1 and plan.threads < 32):
            good.append(plan)
    return good


def flat(tokens, d, dtype, vectors, threads):
    per = 16 // SIZES[dtype]
    return Plan(f"flat{vectors}", (-(-d // (per * vectors * threads)), min(tokens, 65535)), threads)


def flat_plans(tokens, d, dtype):
    return [flat(tokens, d, dtype, v, t) for v in (1, 2, 4) for t in (128, 256, 512)]


def plans(op, tokens, d, dtype):
    return (sparse_plans if op == "gelu_and_mul_sparse" else flat_plans)(tokens, d, dtype)
