# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of calls inside CUDA graphs, cold and warm, and the copy they compare to."""

import bisect
import statistics

import torch

REPLAYS = 20
COLD_BYTES = 128 << 20
MOST_SETS = 400


class Timer:
    """Holds the buffer whose reading empties the caches."""

    def __init__(self, replays=REPLAYS):
        self.count = replays
        self.flush = torch.ones(256 << 18, dtype=torch.float32, device="cuda")
        self.sink = torch.zeros((), device="cuda")

    def graph(self, calls):
        """A graph of the calls, one after another."""
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            calls[0]()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for call in calls:
                call()
        return graph

    def replays(self, graph, calls, cold):
        """Microseconds a call, one for each replay."""
        times = []
        graph.replay()
        for _ in range(self.count):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            if cold:
                torch.sum(self.flush, dim=0, out=self.sink)
            torch.cuda._sleep(1000000)  # the graph's launch hides behind it
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1000 / calls)
        return sorted(times)

    def measure(self, calls, cold):
        """{us, p5, p95} of a call; `calls` rotate through their inputs."""
        graph = self.graph(calls)
        times = self.replays(graph, len(calls), cold)
        return {"us": statistics.median(times), "p5": times[1], "p95": times[-2]}


def sets_for(size, most=MOST_SETS):
    """How many input sets of `size` bytes make cold calls."""
    return max(2, min(most, -(-COLD_BYTES // max(size, 1))))


def copy_curve(timer, copy_kernel):
    """[{bytes, cold_us, warm_us}]: the faster of a memcpy node and a kernel of 16-byte copies."""
    rows = []
    for power in range(12, 30):
        moved = 1 << power
        half = moved // 2
        count = sets_for(moved)
        pairs = [(torch.randint(0, 127, (half,), dtype=torch.int8, device="cuda"),
                  torch.empty(half, dtype=torch.int8, device="cuda")) for _ in range(count)]
        row = {"bytes": moved}
        for temperature in ("cold", "warm"):
            chosen = pairs if temperature == "cold" else pairs[:1] * 20
            row[f"{temperature}_us"] = min(
                timer.measure([lambda s=s, d=d, c=c: c(d, s) for s, d in chosen],
                              temperature == "cold")["us"]
                for c in (lambda d, s: d.copy_(s), copy_kernel))
        rows.append(row)
    return rows


def interpolate(curve, size, key):
    """Time of a copy moving `size` bytes, linear between the measured sizes."""
    sizes = [row["bytes"] for row in curve]
    at = min(max(bisect.bisect_left(sizes, size), 1), len(sizes) - 1)
    low, high = curve[at - 1], curve[at]
    share = (size - low["bytes"]) / (high["bytes"] - low["bytes"])
    return max(low[key] + share * (high[key] - low[key]), curve[0][key] * 0.9)
