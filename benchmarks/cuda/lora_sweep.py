#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many random LoRA problems through the compiler, against float64 by the bounds of NUMERICS.

A form is what a graph fixes: op, types, rounding, slices, factors, true ranks, grouping. Each is compiled once, for any number
of tokens, and every second one for any K, N, rank and adapters; many cases run through it. Operands lie between red zones of
NaN. Processes share the forms; each compiles its own and runs them on the device.

    lora_sweep.py --runtime libFritRuntime.so --cases 20000 --seed 1 FOLDER     frit-run must be on the path
"""

import argparse
import collections
import dataclasses
import math
import multiprocessing
import os
import pathlib
import queue
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

CASES_OF_A_FORM = 50
RANKS = [*range(1, 257), 320, 512, 777, 1024]
WIDTHS = [1, 2, 19, 31, 35, 128, 777, 2049, 3420, 3424, 3696, 4096, 14336, 19200, 36864, 128256]
TOKENS = [0, *range(1, 18), 63, 64, 65, 128, 1000, 8192]
MOST_ELEMENTS = 1 << 23  # of x and y, and of a slice's weights: float64 references take eight times as much


def draw_form(rng):
    """What a graph fixes. Sizes are those of its first case."""
    from lora_cases import Problem

    dtype = rng.choice(["bf16", "bf16", "f16", "f32"])
    rounding = rng.choice(["final", "final", "sum", "stepwise"])
    form = Problem(
        dtype=dtype, weights=rng.choice([dtype, dtype, dtype, "f32"]), n=(1,) * rng.choice([1, 1, 2, 3, 8]), rounding=rounding,
        element=rounding != "stepwise" and rng.random() < 0.4, scale=rng.choice([1.0, 0.5, 0.7301, -1.3]),
        scales=rng.random() < 0.4, ranks=rng.choice(["", "", "shared", "sliced"]), accumulate=rng.random() < 0.7,
        offset=rng.choice([0, 0, 3, 64]), grouping=rng.choice(["", "group", "engine"]),
        op=rng.choice(["matmul", "matmul", "matmul", "shrink", "expand"]))
    return draw_sizes(form, rng)


def draw_sizes(form, rng):
    while True:
        n = tuple(rng.choice(WIDTHS) for _ in form.n)
        if rng.random() < 0.4:
            n = (n[0],) * len(n)
        p = dataclasses.replace(form, k=rng.choice(WIDTHS), n=n, rank=rng.choice([rng.choice(RANKS), 16, rng.choice([8, 32, 64, 128])]),
                                adapters=rng.choice([1, 2, 3, 4] * 5 + [8, 16, 64]))  # the references take a turn each
        if p.adapters * p.rank * max(p.k, *n) <= MOST_ELEMENTS:
            return p


def draw_case(form, rng, dynamic):
    p = draw_sizes(form, rng) if dynamic else form
    width = p.k + p.offset + sum(p.n)
    tokens = [t for t in TOKENS if t * width <= MOST_ELEMENTS]
    return dataclasses.replace(p, tokens=rng.choice(tokens), x_pad=rng.choice([0, 0, 8, 5]), y_pad=rng.choice([0, 0, 8, 3]),
                               shift=rng.choice([0, 0, 0, 1]), seed=rng.randrange(1 << 30))


def draw_ids(p, rng):
    """None for any ids; all tokens without an adapter, with one, or all but one."""
    import torch

    kind = rng.random()
    if kind < 0.7 or p.tokens == 0:
        return None
    ids = torch.full((p.tokens,), rng.randrange(p.adapters), dtype=torch.int32)
    if kind < 0.8:
        ids.fill_(-1)
    elif kind < 0.9:
        ids[rng.randrange(p.tokens)] = rng.choice([-1, p.adapters, p.adapters + 7])
    return ids


def run_form(index, options, runtime):
    """(cases, worst error over the bound by types, failures) of a form."""
    import torch
    from frit_cuda import Function
    from lora_cases import Case
    from lora_forms import call_arguments, compile_function, mlir

    rng = random.Random(options.seed * 1000003 + index)
    form, dynamic, name = draw_form(rng), index % 2 == 1, f"sweep{index}"
    count = min(CASES_OF_A_FORM, options.cases - index * CASES_OF_A_FORM)
    if not compile_function(options.folder, name, mlir(form, name, dynamic=dynamic)):
        return 0, {}, [f"form {index}: no fused kernel: {form}"]
    function, worst, failures = Function(runtime, options.folder, name), 0.0, []
    for _ in range(count):
        p = draw_case(form, rng, dynamic)
        case = Case(p, draw_ids(p, rng))

        def call():
            torch.cuda.synchronize()
            function(call_arguments(case))

        error, faults = case.check(call)
        worst = max(worst, error)
        if error > 1 or faults:
            failures.append(f"form {index}, dynamic {dynamic}: {error:.3g} of the bound, {faults}, {p}")
    for suffix in (".mlir", ".o", ".so"):
        (options.folder / name).with_suffix(suffix).unlink()
    return count, {form.name(): worst}, failures


def work(options, forms, found):
    """A process: takes forms until there are none."""
    import torch
    from frit_cuda import Runtime

    stream = torch.cuda.Stream()
    runtime = Runtime(options.runtime, stream.cuda_stream)
    while True:
        with forms.get_lock():
            index = forms.value
            forms.value += 1
        if index * CASES_OF_A_FORM >= options.cases or time.time() > options.end:
            break
        try:
            found.put(run_form(index, options, runtime))
        except Exception as error:  # a fault of the device ends the process, and is a finding
            found.put((0, {}, [f"form {index}: {type(error).__name__}: {error}"]))
            break
    found.put(None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", required=True, help="libFritRuntime.so")
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count()), help="processes")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which no further form is begun")
    parser.add_argument("folder", type=pathlib.Path, help="for the compiled functions")
    options = parser.parse_args()
    options.folder, options.end = options.folder.resolve(), time.time() + options.seconds
    context, began = multiprocessing.get_context("spawn"), time.time()
    forms, found = context.Value("i", 0), context.Queue()
    workers = [context.Process(target=work, args=(options, forms, found)) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    cases, worst, failures, left = 0, collections.Counter(), [], len(workers)
    while left:
        try:
            result = found.get(timeout=5)
        except queue.Empty:
            if any(worker.is_alive() for worker in workers):
                continue
            failures.append(f"{left} processes ended without a word")
            break
        if result is None:
            left -= 1
            continue
        cases += result[0]
        failures += result[2]
        for name, error in result[1].items():
            worst[name] = max(worst[name], error)
        for text in result[2][:3] if len(failures) < 60 else ():
            print("FAILED", text, flush=True)
    for worker in workers:
        worker.join()
    print(f"{cases} cases of {options.cases}, seed {options.seed}, {len(failures)} failures, worst error over the bound "
          f"{ {k: round(v, 3) for k, v in sorted(worst.items())} }, {time.time() - began:.0f} s")
    sys.exit(bool(failures) or cases < options.cases)


if __name__ == "__main__":
    main()
