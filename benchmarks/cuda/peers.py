# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's times, eager and compiled, by the method that Frit's are measured by.

torch.compile takes seconds a shape. `Precompiler` spreads that over processes, which fill the caches of code on disk;
the measuring process then finds the code there. The processes and the measuring one must agree in ENVIRONMENT, which
is part of the caches' keys. The choice between compiled variants is not cached: it is timed where nothing else runs."""

import os
import subprocess
import sys
import time

ENVIRONMENT = {"TORCHINDUCTOR_AUTOTUNE_LOCAL_CACHE": "0", "TORCHINDUCTOR_COMPILE_THREADS": "1",
               "TORCHINDUCTOR_FX_GRAPH_CACHE": "1"}


class Precompiler:
    """Runs `command` with `--share I/N` added in N processes."""

    def __init__(self, command, processes, cache):
        self.environment = os.environ | ENVIRONMENT | {"TORCHINDUCTOR_CACHE_DIR": str(cache)}
        os.environ.update(self.environment)
        self.running = [subprocess.Popen([sys.executable, *command, "--share", f"{i}/{processes}"],
                                         env=self.environment, stdout=subprocess.DEVNULL) for i in range(processes)]

    def wait(self, seconds=90):
        """How many failed or were too slow: the rest of their share is compiled in the measuring process."""
        end, failed = time.monotonic() + seconds, 0
        for process in self.running:
            try:
                failed += process.wait(max(0.0, end - time.monotonic())) != 0
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                failed += 1
        return failed


def compiled(function):
    """A fresh function of torch.compile; what was compiled before is dropped, so that no limit is met."""
    import torch

    torch._dynamo.reset()
    return torch.compile(function, dynamic=False)


def measure(function, inputs, moved):
    """{name: {cold_us, warm_us}}; `inputs(n)` makes n inputs, and a call moves so many bytes."""
    return {"torch_compile": times(compiled(function), inputs, moved), "eager": times(function, inputs, moved)}


def times(function, inputs, moved):
    import timing

    calls = timing.call_count(moved)
    sets = inputs(timing.set_count(moved))
    for x in (sets[0], sets[-1]):
        function(x)
    point = {}
    for cold, name in ((True, "cold"), (False, "warm")):
        kept = {}

        def capture(_):
            for number in timing.set_numbers(moved, calls, cold):
                y = function(sets[number])
                if cold:
                    kept[number] = y  # calls on other sets write elsewhere

        point |= timing.spread(timing.replay_times(timing.capture_graph(capture), calls, cold), name)
    return {k: v for k, v in point.items() if k in ("cold_us", "warm_us")}
