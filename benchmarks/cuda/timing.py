# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of calls inside a CUDA graph, cold and warm, and the copy curve that they are compared to."""

import ctypes
import statistics

import torch

from driver import Image, Launch

COLD_BYTES = 128 << 20
FLUSH_BYTES = 256 << 20
_flush = None


def median_us(capture, calls, cold, replays=21):
    """Median time of one of the `calls` that `capture(stream)` launches into a graph."""
    global _flush
    if _flush is None:
        _flush = torch.zeros(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode="relaxed"):
        capture(torch.cuda.current_stream().cuda_stream)
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
    return statistics.median(a.elapsed_time(b) for a, b in events) * 1000 / calls


def call_count(moved):
    """Calls of a graph: enough that its own start does not count, bounded for large shapes."""
    return max(4, min(200, (96 << 20) // moved))


def set_offsets(span, calls, cold):
    """Offsets in bytes of each call's set of `span` bytes: one set when warm, else sets of together 128 MB in turn."""
    if not cold:
        return [0] * calls
    sets = max(2, -(-COLD_BYTES // span))
    return [i % sets * span for i in range(calls)]


def copy_curve(pool, image_path):
    """[{bytes, cold_us, warm_us}]: the faster of a memcpy node and a kernel of 16-byte copies."""
    image = Image(image_path)
    curve = []
    for half in [2**k for k in (11, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28)]:
        moved = 2 * half
        span = -(-moved // 512) * 512
        calls = call_count(moved)
        point = {"bytes": moved}
        for cold, name in ((True, "cold_us"), (False, "warm_us")):
            offsets = set_offsets(span, calls, cold)

            def nodes(stream):
                for o in offsets:
                    pool[o + half:o + 2 * half].copy_(pool[o:o + half])

            launches = [Launch(image, "frit_lab_copy", (-(-half // (16 * threads)),), threads, dependent=False)
                        for threads in (128, 256, 512, 1024)]
            times = [median_us(nodes, calls, cold)]
            for launch in launches:
                def kernels(stream):
                    for o in offsets:
                        launch(stream, [ctypes.c_void_p(pool.data_ptr() + o), ctypes.c_void_p(pool.data_ptr() + o + half),
                                        ctypes.c_int64(half // 16)])
                times.append(median_us(kernels, calls, cold))
            point[name] = min(times)
        curve.append(point)
    return curve


def interpolate(curve, size, key):
    points = sorted((p["bytes"], p[key]) for p in curve)
    if size <= points[0][0]:
        return points[0][1]
    for (a, x), (b, y) in zip(points, points[1:]):
        if size <= b:
            return x + (y - x) * (size - a) / (b - a)
    return points[-1][1] * size / points[-1][0]
