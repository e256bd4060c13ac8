#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cuda-device, cuda-kernels, torch
# RUN: %python %s --runtime=%frit_lib/libFritRuntime%shlibext --seed=1 %t
"""Runs compiled LoRA ops, for which fused kernels are chosen, and compares with float64 by the bounds of each rounding.

Operands lie between red zones of NaN, and weights beyond an adapter's true rank are NaN. Forms are drawn at random: types,
roundings, slices, ranks, true ranks, factors, offsets, strides, groupings of the graph and of an engine. Each is compiled for
any number of tokens, and some for any sizes; batches have no token, one, and many, adapters without tokens, and ids without
an adapter.
"""

import argparse
import dataclasses
import pathlib
import random
import sys

import torch

BENCHMARKS = pathlib.Path(__file__).resolve().parents[3] / "benchmarks"
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "cuda")]

import abi  # noqa: E402
from frit_cuda import Function, Runtime  # noqa: E402
from lora_cases import Case, Guarded, Problem, same_bits  # noqa: E402
from lora_forms import call_arguments, compile_function, mlir  # noqa: E402

TOKENS = [0, 1, 2, 17, 33, 64, 65, 130, 700]


def random_form(rng):
    dtype = rng.choice(["bf16", "f16", "f32"])
    rounding = rng.choice(["final", "final", "sum", "stepwise"])
    slices = rng.choice([1, 1, 2, 3, 8])
    sizes = [1, 2, 19, 31, 35, 64, 128, 777, 1024, 2049]
    return Problem(
        dtype=dtype, weights=rng.choice([dtype, dtype, "f32"]), k=rng.choice(sizes),
        n=tuple(rng.choice(sizes[:8] if slices > 2 else sizes) for _ in range(slices)),
        rank=rng.choice([1, 8, 12, 16, 17, 32, 64, 100, 128, 256, 333]), adapters=rng.choice([1, 2, 4, 16]), rounding=rounding,
        element=rounding != "stepwise" and rng.random() < 0.4, scale=rng.choice([1.0, 0.5, 0.75, -1.25]),
        scales=rng.random() < 0.4, ranks=rng.choice(["", "shared", "sliced"]), accumulate=rng.random() < 0.7,
        offset=rng.choice([0, 0, 3, 64]), x_pad=rng.choice([0, 8, 5]), y_pad=rng.choice([0, 8, 3]), shift=rng.choice([0, 0, 1]),
        grouping=rng.choice(["", "group", "engine"]), op=rng.choice(["matmul", "matmul", "shrink", "expand"]))


def id_patterns(p, rng):
    """Batches of so many tokens: any ids, none with an adapter, one adapter for all."""
    yield None
    yield torch.full((p.tokens,), -1, dtype=torch.int32)
    yield torch.full((p.tokens,), rng.randrange(p.adapters), dtype=torch.int32)
    yield torch.tensor([rng.choice([-1, p.adapters, p.adapters + 7, 0]) for _ in range(p.tokens)], dtype=torch.int32)


class Tester:
    def __init__(self, folder, runtime_path):
        self.folder, self.stream = folder, torch.cuda.Stream()
        self.runtime = Runtime(runtime_path, self.stream.cuda_stream)
        self.failures, self.runs = [], 0

    def expect(self, condition, what):
        if not condition:
            self.failures.append(what)
            print(f"FAILED: {what}", flush=True)

    def call(self, name, case):
        torch.cuda.synchronize()
        Function(self.runtime, self.folder, name)(call_arguments(case))
        torch.cuda.synchronize()

    def check(self, name, case, what):
        worst, faults = case.check(lambda: self.call(name, case))
        self.runs += 1
        self.expect(worst <= 1 and not faults, f"{what}: {worst:.3g} of the bound, {faults}, {case.p}")

    def check_form(self, form, index, rng):
        name = f"form{index}"
        dynamic = index % 3 == 2
        kernels = compile_function(self.folder, name, mlir(form, name, dynamic=dynamic))
        self.expect(kernels, f"{form}: no fused kernel")
        for tokens in TOKENS:
            p = dataclasses.replace(form, tokens=tokens, seed=index)
            for pattern in id_patterns(p, rng):
                self.check(name, Case(p, pattern), f"dynamic {dynamic}")

    def bits_of(self, name, case, start):
        case.y.view.copy_(start)
        self.call(name, case)
        return case.y.view.clone()

    def check_same_bits(self):
        """Static and dynamic sizes, weights with gaps, a replayed graph over other ids, other tokens beside."""
        form = Problem(k=777, n=(96, 40), rank=24, adapters=4, ranks="sliced", scales=True)
        compile_function(self.folder, "any", mlir(form, "any"))
        for tokens in (1, 5, 32, 100):
            p = dataclasses.replace(form, tokens=tokens, seed=tokens)
            case, name = Case(p), f"static{tokens}"
            start = case.y.view.clone()
            expected = self.bits_of("any", case, start)
            compile_function(self.folder, name, mlir(form, name, tokens=tokens))
            self.expect(same_bits(self.bits_of(name, case, start), expected), f"{tokens} tokens: static sizes")
            for weights in (case.a, case.b):
                for s, t in enumerate(weights):
                    weights[s] = Guarded(t.rows, t.columns, t.all.dtype, stride=t.columns + 8).set(t.view)
            self.expect(same_bits(self.bits_of("any", case, start), expected), f"{tokens} tokens: weights with gaps")
        self.check_graph(Case(dataclasses.replace(form, tokens=100, seed=3)))

    def check_graph(self, case):
        function, arguments = Function(self.runtime, self.folder, "any"), call_arguments(case)
        start = case.y.view.clone()
        self.call("any", case)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(self.stream), torch.cuda.graph(graph, stream=self.stream):
            function(arguments)
        for seed in range(10):
            case.ids.set(torch.randint(-1, 6, (100,), generator=torch.Generator().manual_seed(seed), dtype=torch.int32))
            expected = self.bits_of("any", case, start)
            case.y.view.copy_(start)
            torch.cuda.synchronize()
            graph.replay()
            torch.cuda.synchronize()
            self.expect(same_bits(case.y.view, expected), f"replay over ids of seed {seed}")

    def check_group(self):
        for groups in (0, 1, 4, 64, 3000):
            name = f"group{groups}"
            ids, starts = "tensor<?xi32>", f"tensor<{groups + 1}xi32>"
            memrefs = [t.replace("tensor<", "memref<") for t in (ids, starts)]
            kernels = compile_function(self.folder, name, f"""func.func @{name}(%ids: {ids}, %o: {memrefs[0]}, %s: {memrefs[1]}) {{
  %order = bufferization.to_tensor %o restrict writable : {memrefs[0]} to {ids}
  %starts = bufferization.to_tensor %s restrict writable : {memrefs[1]} to {starts}
  %g:2 = frit.lora_group ins(%ids : {ids}) outs(%order, %starts : {ids}, {starts}) -> {ids}, {starts}
  bufferization.materialize_in_destination %g#0 in restrict writable %o : ({ids}, {memrefs[0]}) -> ()
  bufferization.materialize_in_destination %g#1 in restrict writable %s : ({starts}, {memrefs[1]}) -> ()
  return
}}
""")
            self.expect(kernels, f"lora_group of {groups} groups: no fused kernel")
            for tokens in (0, 1, 31, 512, 513, 1025, 2049, 65536):
                ids = torch.randint(-2, groups + 2, (tokens,), dtype=torch.int32, device="cuda")
                order = Guarded(1, tokens, torch.int32)
                starts = Guarded(1, groups + 1, torch.int32)
                order.remember(), starts.remember()
                torch.cuda.synchronize()
                Function(self.runtime, self.folder, name)(abi.Arguments([ids, order.view[0], starts.view[0]]))
                torch.cuda.synchronize()
                key = torch.where((ids < 0) | (ids >= groups), groups, ids).long()
                counts = torch.bincount(key, minlength=groups + 1)[:groups].cumsum(0)
                self.runs += 1
                good = torch.equal(order.view[0].long(), torch.argsort(key, stable=True))
                good &= int(starts.view[0, 0]) == 0 and torch.equal(starts.view[0, 1:].long(), counts)
                self.expect(good and order.outside_kept() and starts.outside_kept(), f"{tokens} tokens in {groups} groups")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runtime", required=True, help="libFritRuntime.so")
    parser.add_argument("--forms", type=int, default=36, help="how many forms are drawn (default: 36)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folder", type=pathlib.Path, help="folder for the compiled functions")
    args = parser.parse_args()
    tester, rng = Tester(args.folder.resolve(), args.runtime), random.Random(args.seed)
    tester.check_group()
    tester.check_same_bits()
    for index in range(args.forms):
        tester.check_form(random_form(rng), index, rng)
    tester.runtime.close()
    print(f"{tester.runs} runs, seed {args.seed}, {len(tester.failures)} failures")
    return 1 if tester.failures else 0


if __name__ == "__main__":
    sys.exit(main())
