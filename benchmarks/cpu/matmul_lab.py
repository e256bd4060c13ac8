#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times f32 matmuls by the generated code and by oneDNN, which take turns: how many times as fast oneDNN is, as the
median over the rounds. Weights as a linear layer has them ([N, K], transpose_b), and as [K, N].

Needs torch and a C compiler. The environment variable FRIT_ONEDNN may name another library than the loader finds.
"""

import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHAPES = ((16384, 2048), (2048, 16384), (512, 512))
TOKENS = (1, 16, 32, 64, 128, 256)
ROUNDS = 9


def module(n, k, transposed):
    x, y = f"tensor<?x{k}xf32>", f"tensor<?x{n}xf32>"
    w = f"tensor<{n}x{k}xf32>" if transposed else f"tensor<{k}x{n}xf32>"
    return f"""
func.func @main(%x: {x}, %w: {w}, %y: {y}) -> {y} {{
  %r = frit.matmul ins(%x, %w : {x}, {w}) outs(%y : {y}) {"transpose_b" if transposed else ""} -> {y}
  return %r : {y}
}}
"""


def show(library, march, n, k, transposed):
    import measure
    import torch

    text = module(n, k, transposed)
    functions = {"native": library.compile(text, f"cpu{march}", "native"),
                 "onednn": library.compile(text, f"cpu+onednn{march}", "require=library")}
    weights = torch.randn(n, k) / k**0.5
    stored = weights if transposed else weights.T.contiguous()
    for tokens in TOKENS:
        x, y = torch.randn(tokens, k), torch.zeros(tokens, n)
        expected, calls = x.double() @ weights.T.double(), {}
        # What an f32 sum in any order may differ by.
        bound = 2**-23 * (8 + 2 * k**0.5) * (x.double().abs() @ weights.T.double().abs())
        for name, function in functions.items():
            out = torch.empty_like(y)
            calls[name] = function.bind(x, stored, y, out)
            calls[name]()
            error = (out.double() - expected).abs()
            if not (error <= bound).all():
                raise RuntimeError(f"{name} is wrong by {error.max().item()}")
        times = measure.interleaved(calls, ROUNDS)
        print(f"| {n} x {k} | {'[N, K]' if transposed else '[K, N]'} | {tokens} | {times['native']['warm_us']:.0f} | "
              f"{1 / times['onednn']['over_first']:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build", help="build folder of Frit")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--isa", choices=("host", "avx2"), default="host", help="avx2: neither uses anything newer")
    options = parser.parse_args()

    # Before anything loads an OpenMP runtime.
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    march = ""
    if options.isa == "avx2":
        os.environ |= {"ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2"}
        march = ":x86-64-v3"
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import frit_native

    library = frit_native.Library(options.build, options.threads)
    print("| n x k | weights | tokens | generated code, us | oneDNN: times as fast |\n|---|---|---|---|---|")
    for n, k in SHAPES:
        for transposed in (True, False):
            show(library, march, n, k, transposed)


if __name__ == "__main__":
    main()
