#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cuda-device, torch
# RUN: %python %s --runtime=%frit_lib/libFritRuntime%shlibext --policy=auto %t
# RUN: %python %s --runtime=%frit_lib/libFritRuntime%shlibext --policy=native %t
"""Calls of compiled activations that few tests come to: more than 2^31 elements, addresses and rows of any alignment
between red zones, no token and then some, CUDA graphs over other data, and eight streams of eight threads at once.

Everything is compared bit for bit with a plain call of the same function, and plain calls with PyTorch eager.
"""

import argparse
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

import torch

BENCHMARKS = pathlib.Path(__file__).resolve().parents[3] / "benchmarks"
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "cuda")]

import abi  # noqa: E402
import activation_reference as reference  # noqa: E402
from frit_cuda import Function, Runtime  # noqa: E402

MULTIPLIER = 1.6448535919189453
# Name, element type, columns, op.
FUNCTIONS = [
    ("sparse", "bf16", 32768, "frit.gelu_and_mul_sparse ins(%x : {x}) outs(%e : {y}) std_multiplier = 1.6448535919189453"),
    ("sparse_odd", "f16", 1031, "frit.gelu_and_mul_sparse ins(%x : {x}) outs(%e : {y}) std_multiplier = 1.6448535919189453"),
    ("sparse_f32", "f32", 2048, "frit.gelu_and_mul_sparse ins(%x : {x}) outs(%e : {y}) std_multiplier = 1.6448535919189453"),
    ("silu", "bf16", 32768, "frit.act_and_mul silu ins(%x : {x}) outs(%e : {y})"),
]


def text(name, dtype, d, op):
    x, y = f"tensor<?x{2 * d}x{dtype}>", f"tensor<?x{d}x{dtype}>"
    return f"""func.func @{name}(%x: {x}) -> {y} {{
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : {x}
  %e = tensor.empty(%tokens) : {y}
  %r = {op.format(x=x, y=y)} -> {y}
  return %r : {y}
}}
"""


def compile_functions(folder, policy):
    folder.mkdir(parents=True, exist_ok=True)
    for name, dtype, d, op in FUNCTIONS:
        stem = folder / name
        stem.with_suffix(".mlir").write_text(text(name, dtype, d, op), encoding="utf-8")
        subprocess.run([shutil.which("frit-run"), f"{stem}.mlir", f"--entry={name}", "--target=cuda", f"--policy={policy}", "--dump=obj",
                        f"--dump-output={stem}.o"], check=True)
        subprocess.run(["cc", "-shared", "-o", f"{stem}.so", f"{stem}.o", "-lm"], check=True)


def bits(tensor):
    return tensor.view(torch.int32 if tensor.element_size() == 4 else torch.int16)


def random_rows(tokens, d, dtype, seed):
    generator = torch.Generator(device="cuda").manual_seed(seed)
    return torch.randn(tokens, 2 * d, device="cuda", generator=generator).to(reference.DTYPES[dtype])


class Tester:
    def __init__(self, folder, runtime_path):
        self.folder, self.runtime_path = folder, runtime_path
        self.stream = torch.cuda.Stream()
        self.runtime = Runtime(runtime_path, self.stream.cuda_stream)
        self.failures = []

    def function(self, name):
        return Function(self.runtime, self.folder, name)

    def expect(self, condition, what):
        if not condition:
            self.failures.append(what)
            print(f"FAILED: {what}", flush=True)

    def plain(self, name, x):
        y = torch.full((x.shape[0], x.shape[1] // 2), float("nan"), device="cuda", dtype=x.dtype)
        torch.cuda.synchronize()
        self.function(name)(abi.Arguments([x, y]))
        torch.cuda.synchronize()
        return y

    def check_reference(self, name, x):
        """Zeros of rows without near ties, and values to two roundings of GELU and its product."""
        d = x.shape[1] // 2
        y = self.plain(name, x)
        if name == "silu":
            expected, rows = reference.act_and_mul(x[:, :d], x[:, d:], "silu"), slice(None)
        else:
            expected = reference.gelu_and_mul_sparse(x[:, :d], x[:, d:], MULTIPLIER, "tanh")
            dtype = {v: k for k, v in reference.DTYPES.items()}[x.dtype]
            rows = ~reference.near_tie_rows(x[:, :d], MULTIPLIER) if dtype != "f32" else slice(None)
        if x.dtype == torch.float32:
            self.expect(torch.allclose(y, expected, rtol=1e-4, atol=1e-5), f"{name}: values")
            return
        self.expect(bool(((y == 0) == (expected == 0))[rows].all()), f"{name}: zero mask")
        self.expect(int(reference.ulps(y, expected)[rows].max()) <= 2, f"{name}: values more than 2 ulp away")

    def check_many_elements(self, name, d, dtype):
        tokens, chunk = (1 << 31) // d + 129, 4099
        x = torch.empty(tokens, 2 * d, device="cuda", dtype=reference.DTYPES[dtype])
        for start in range(0, tokens, chunk):
            part = x[start:start + chunk]
            part.copy_(random_rows(part.shape[0], d, dtype, start))
        y = self.plain(name, x)
        differing = sum(int((bits(y[s:s + chunk]) != bits(self.plain(name, x[s:s + chunk]))).sum())
                        for s in range(0, tokens, chunk))
        self.expect(differing == 0, f"{name}: {differing} elements of {tokens} x {d} differ from smaller batches")

    def check_alignment(self, name, d, dtype):
        tokens = 5
        packed = random_rows(tokens, d, dtype, 1)
        expected = bits(self.plain(name, packed))
        zone = 64
        for shift in range(9):
            for pad in (0, 1, 3, 8):
                x = torch.full((zone + shift + tokens * (2 * d + pad) + zone,), float("nan"), device="cuda", dtype=packed.dtype)
                rows = x[zone + shift:].as_strided((tokens, 2 * d), (2 * d + pad, 1))
                rows.copy_(packed)
                y = torch.full((zone + shift + tokens * (d + pad) + zone,), 7.0, device="cuda", dtype=packed.dtype)
                out = y[zone + shift:].as_strided((tokens, d), (d + pad, 1))
                torch.cuda.synchronize()
                self.function(name)(abi.Arguments([rows, out]))
                torch.cuda.synchronize()
                what = f"{name}: shift {shift}, {pad} elements between rows"
                self.expect(bool((bits(out) == expected).all()), what)
                out.fill_(7.0)
                self.expect(bool((y == 7.0).all()), f"{what}: wrote outside")

    def check_no_tokens(self, name, d, dtype):
        x = random_rows(3, d, dtype, 2)
        expected = bits(self.plain(name, x))
        for _ in range(2):
            self.plain(name, x[:0])
            self.expect(bool((bits(self.plain(name, x)) == expected).all()), f"{name}: after a call without tokens")

    def check_graph(self, name, d, dtype):
        x = random_rows(33, d, dtype, 3)
        y = torch.empty(33, d, device="cuda", dtype=x.dtype)
        function, arguments = self.function(name), abi.Arguments([x, y])
        with torch.cuda.stream(self.stream):
            function(arguments)
            self.stream.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=self.stream):
                function(arguments)
        for seed in range(20):
            new = random_rows(33, d, dtype, seed)
            expected = bits(self.plain(name, new))
            x.copy_(new)
            y.fill_(float("nan"))
            torch.cuda.synchronize()
            graph.replay()
            torch.cuda.synchronize()
            self.expect(bool((bits(y) == expected).all()), f"{name}: replay over other data")

    def check_threads(self, name, d, dtype):
        inputs = [random_rows(1 + 37 * n, d, dtype, n) for n in range(8)]
        expected = [bits(self.plain(name, x)) for x in inputs]

        def work(n):
            torch.cuda.set_device(0)
            stream = torch.cuda.Stream()
            function = Function(Runtime(self.runtime_path, stream.cuda_stream), self.folder, name)
            y = torch.empty_like(expected[n]).view(inputs[n].dtype)
            arguments, differing = abi.Arguments([inputs[n], y]), 0
            for _ in range(50):
                with torch.cuda.stream(stream):
                    y.fill_(float("nan"))
                    function(arguments)
                    differing += int((bits(y) != expected[n]).sum())
            function.runtime.close()
            return differing

        torch.cuda.synchronize()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            differing = list(pool.map(work, range(8)))
        self.expect(not any(differing), f"{name}: elements that differ on eight streams: {differing}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runtime", required=True, help="libFritRuntime.so")
    parser.add_argument("--policy", default="auto")
    parser.add_argument("folder", type=pathlib.Path, help="folder for the compiled functions")
    args = parser.parse_args()
    compile_functions(args.folder, args.policy)
    tester = Tester(args.folder.resolve(), args.runtime)
    for name, dtype, d, _ in FUNCTIONS:
        for tokens in (1, 7, 300):
            tester.check_reference(name, random_rows(tokens, d, dtype, tokens))
        for check in (tester.check_alignment, tester.check_no_tokens, tester.check_graph, tester.check_threads):
            check(name, d, dtype)
    for name, dtype, d, _ in FUNCTIONS:
        if dtype == "bf16":
            tester.check_many_elements(name, d, dtype)
    tester.runtime.close()
    print(f"{len(tester.failures)} failures")
    return 1 if tester.failures else 0


if __name__ == "__main__":
    sys.exit(main())
