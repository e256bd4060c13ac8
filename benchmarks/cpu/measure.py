# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a call takes, and what a result file says about the machine."""

import datetime
import pathlib
import platform
import re
import statistics
import time

import result_file
import torch

SAMPLES = 40
SAMPLE_SECONDS = 200e-6
COPY_BYTES = [2**k for k in range(12, 29)]


def calls_of_sample(call):
    """How many calls make a sample. The caches are warm then."""
    for _ in range(3):
        call()
    start = time.perf_counter()
    call()
    return max(1, int(SAMPLE_SECONDS / max(time.perf_counter() - start, 1e-7)))


def sample(call, calls):
    """Microseconds of a call, as the mean of several."""
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls * 1e6


def summary(samples):
    ordered = sorted(samples)
    at = lambda share: ordered[round(share * (len(ordered) - 1))]
    return {"warm_us": statistics.median(ordered), "warm_p5_us": at(0.05), "warm_p95_us": at(0.95)}


def times(call, seconds=0.6):
    """Microseconds of a call with warm caches: median, p5 and p95 of samples of several calls each."""
    calls = calls_of_sample(call)
    samples, begin = [], time.perf_counter()
    while len(samples) < SAMPLES and (len(samples) < 20 or time.perf_counter() - begin < seconds):
        samples.append(sample(call, calls))
    return summary(samples)


def interleaved(calls, rounds=SAMPLES):
    """The same of several calls, by name, that take turns: what slows the machine down for a while slows all of them.

    `over_first` is the median over the rounds of a call's time in units of the first one's in that round."""
    counts = {name: calls_of_sample(call) for name, call in calls.items()}
    samples = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            # Once for its own operands and code to be in the caches.
            call()
            samples[name].append(sample(call, counts[name]))
    first = next(iter(samples.values()))
    return {name: {**summary(of), "over_first": statistics.median(a / b for a, b in zip(of, first))}
            for name, of in samples.items()}


def copy_us(moved):
    """Of a copy that moves so many bytes, read and written ones together."""
    source = torch.ones(max(1, moved // 2), dtype=torch.uint8)
    target = torch.zeros_like(source)
    return times(lambda: target.copy_(source), 0.2)["warm_us"]


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    mhz = [float(x) for x in re.findall(r"cpu MHz\s*: ([0-9.]+)", text)]
    name = re.search(r"model name\s*: (.*)", text)
    return name.group(1) if name else platform.processor(), round(max(mhz, default=0))


def header(threads):
    name, mhz = processor()
    return {"machine": "cpu", "processor": name, "threads": threads, "driver": None, "cuda": None,
            "torch": torch.__version__, "capability": torch.backends.cpu.get_cpu_capability(),
            "commit": result_file.commit(), "date": datetime.date.today().isoformat(), "clock_mhz": mhz,
            "copy": [{"bytes": b, "warm_us": round(copy_us(b), 3)} for b in COPY_BYTES]}
