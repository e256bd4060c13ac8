# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA graphs of calls, and the times of their replays with cold or warm caches."""

import statistics

import torch

FLUSH_BYTES = 256 << 20
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
