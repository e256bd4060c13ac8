# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA graphs of calls, the times of their replays with cold or warm caches, and the copy that they are compared to."""

import ctypes
import statistics

import torch

from driver import Image, Launch

FLUSH_BYTES = 256 << 20
COLD_BYTES = 128 << 20
# So many sets reproduce the copy of peers/h200_copy.csv; a replay of many small calls meets a set again.
MOST_SETS = 64
MOST_CALLS = 200
# Of small copies: in 200 calls the first visits to 64 sets weigh so much that 128 KiB take 1.40 us, in 1000 they take 1.31, for 1.27 in
# peers/h200_copy.csv. A faster copy is the stricter measure of the kernels, whose graphs have MOST_CALLS.
MOST_COPY_CALLS = 1000
# Function, vectors a thread, threads a block.
COPY_KERNELS = [*(("frit_lab_copy", 1, n) for n in (128, 256, 512, 1024)), *(("frit_lab_copy4", 4, n) for n in (32, 64, 256))]
_flush = None


def capture_graph(capture, stream=None):
    """A graph of what `capture(stream)` queues, on `stream` or on one of its own."""
    stream = stream or torch.cuda.Stream()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph(keep_graph=True)
    with torch.cuda.stream(stream):
        graph.capture_begin(capture_error_mode="relaxed")
        try:
            capture(stream.cuda_stream)
        finally:
            graph.capture_end()
    graph.instantiate()
    return graph


def replay_times(graph, calls, cold, replays=21):
    """Microseconds of one of the graph's `calls`, a value a replay, the smallest first."""
    global _flush
    if _flush is None:
        _flush = torch.zeros(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
    graph.replay()
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(replays)]
    for before, after in events:
        if cold:
            _flush.sum()
        torch.cuda._sleep(500000)
        before.record()
        graph.replay()
        after.record()
    torch.cuda.synchronize()
    return sorted(a.elapsed_time(b) * 1000 / calls for a, b in events)


def spread(times, prefix):
    """The fields of a result file: median, p5 and p95 of sorted times."""
    last = len(times) - 1
    return {f"{prefix}_us": statistics.median(times), f"{prefix}_p5_us": times[round(0.05 * last)],
            f"{prefix}_p95_us": times[round(0.95 * last)]}


def median_us(capture, calls, cold):
    """Median time of one of the `calls` that `capture(stream)` queues into a graph."""
    return statistics.median(replay_times(capture_graph(capture), calls, cold))


def call_count(moved, most=MOST_CALLS):
    """Calls of a graph: enough that its own start does not count, bounded for large shapes."""
    return max(4, min(most, (384 << 20) // moved))


def set_count(moved):
    """Operand sets that cold calls rotate through: of together 128 MB, as far as MOST_SETS suffice."""
    return max(2, min(MOST_SETS, -(-COLD_BYTES // moved)))


def set_numbers(moved, calls, cold):
    """Which operand set each call works on: one when warm, else all in turn."""
    sets = set_count(moved) if cold else 1
    return [i % sets for i in range(calls)]


def copy_us(image, pool, half, cold):
    """Time of a copy of `half` bytes: the fastest of a memcpy node and a kernel of 16-byte copies."""
    calls = call_count(2 * half, MOST_COPY_CALLS)
    places = [2 * half * n for n in set_numbers(2 * half, calls, cold)]

    def nodes(_):
        for at in places:
            pool[at + half:at + 2 * half].copy_(pool[at:at + half])

    def kernels(function, vectors, threads):
        launch = Launch(image, function, (-(-half // (16 * vectors * threads)),), threads, dependent=False)

        def capture(stream):
            for at in places:
                launch(stream, [ctypes.c_void_p(pool.data_ptr() + at), ctypes.c_void_p(pool.data_ptr() + at + half),
                                ctypes.c_int64(half // 16)])

        return capture

    captures = [nodes, *(kernels(*k) for k in COPY_KERNELS)]
    return min(median_us(c, calls, cold) for c in captures)


def copy_curve(pool, image_path):
    """[{bytes, cold_us, warm_us}] for 4 KiB to as many bytes as two sets of the pool hold.

    Powers of two, and from 25 MB on three times powers of two: around the size of the L2 cache the curve is no line.
    """
    image = Image(image_path)
    halves = sorted([2**k for k in range(11, 31)] + [3 << k for k in range(22, 29)])
    return [{"bytes": 2 * half, "cold_us": copy_us(image, pool, half, True), "warm_us": copy_us(image, pool, half, False)}
            for half in halves if 4 * half <= pool.numel()]
