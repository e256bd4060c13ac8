#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cuda-devices, torch
# RUN: %python %s --runtime=%frit_lib/libFritRuntime%shlibext --policy=auto %t
# RUN: %python %s --runtime=%frit_lib/libFritRuntime%shlibext --policy=native %t
"""Several devices in one process: eight threads at once, each with a stream and a context of its own on one of them.

Every device loads kernels and uploads constants for itself, and calls and graphs on it give the bits that device 0 gives
alone.
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
from frit_cuda import Function, Runtime  # noqa: E402

THREADS, CALLS, D = 8, 50, 2048
BIAS = ", ".join(f"{i % 101 * 0.01 - 0.5:.2f}" for i in range(D))
# Two kernels with a temporary between them, and a constant that is uploaded.
TEXT = f"""func.func @layer(%x: tensor<?x{2 * D}xbf16>) -> tensor<?x{D}xbf16> {{
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x{2 * D}xbf16>
  %e = tensor.empty(%tokens) : tensor<?x{D}xbf16>
  %s = frit.gelu_and_mul_sparse ins(%x : tensor<?x{2 * D}xbf16>) outs(%e : tensor<?x{D}xbf16>)
      std_multiplier = 1.6448535919189453 -> tensor<?x{D}xbf16>
  %f = tensor.empty(%tokens) : tensor<?x{D}xbf16>
  %r = frit.act_and_mul silu ins(%s, %s : tensor<?x{D}xbf16>, tensor<?x{D}xbf16>) outs(%f : tensor<?x{D}xbf16>)
      -> tensor<?x{D}xbf16>
  %bias = arith.constant dense<[{BIAS}]> : tensor<{D}xbf16>
  %i = tensor.empty(%tokens) : tensor<?x{D}xbf16>
  %o = linalg.generic {{
      indexing_maps = [affine_map<(t, n) -> (t, n)>, affine_map<(t, n) -> (n)>, affine_map<(t, n) -> (t, n)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%r, %bias : tensor<?x{D}xbf16>, tensor<{D}xbf16>) outs(%i : tensor<?x{D}xbf16>) {{
  ^bb0(%value: bf16, %add: bf16, %old: bf16):
    %sum = arith.addf %value, %add : bf16
    linalg.yield %sum : bf16
  }} -> tensor<?x{D}xbf16>
  return %o : tensor<?x{D}xbf16>
}}
"""


def compile_layer(folder, policy):
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / "layer"
    stem.with_suffix(".mlir").write_text(TEXT, encoding="utf-8")
    subprocess.run([shutil.which("frit-run"), f"{stem}.mlir", "--entry=layer", "--target=cuda", f"--policy={policy}", "--dump=obj",
                    f"--dump-output={stem}.o"], check=True)
    subprocess.run(["cc", "-shared", "-o", f"{stem}.so", f"{stem}.o", "-lm"], check=True)


def bits(tensor):
    return tensor.view(torch.int16)


class Worker:
    """A stream, a context and operands on a device."""

    def __init__(self, folder, runtime, device, x):
        self.device = device
        with torch.cuda.device(device):
            self.stream = torch.cuda.Stream()
            self.x = x.to(f"cuda:{device}")
            self.y = torch.empty(x.shape[0], D, dtype=x.dtype, device=f"cuda:{device}")
            torch.cuda.synchronize()
        self.runtime = Runtime(runtime, self.stream.cuda_stream, device)
        self.function = Function(self.runtime, folder, "layer")
        self.arguments = abi.Arguments([self.x, self.y])

    def differing(self, launch, expected):
        """Elements of the result of one call that are not as expected."""
        self.y.fill_(float("nan"))
        launch()
        return int((bits(self.y) != expected).sum())

    def work(self, expected):
        """Differing elements over calls and over replays of a graph."""
        torch.cuda.set_device(self.device)
        expected = expected.to(self.x.device)
        call = lambda: self.function(self.arguments)
        with torch.cuda.stream(self.stream):
            differing = sum(self.differing(call, expected) for _ in range(CALLS))
            self.stream.synchronize()
            graph = torch.cuda.CUDAGraph()
            graph.capture_begin(capture_error_mode="thread_local")
            call()
            graph.capture_end()
            return differing + sum(self.differing(graph.replay, expected) for _ in range(CALLS))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runtime", required=True, help="libFritRuntime.so")
    parser.add_argument("--policy", default="auto")
    parser.add_argument("folder", type=pathlib.Path, help="folder for the compiled function")
    args = parser.parse_args()
    devices = torch.cuda.device_count()
    compile_layer(args.folder, args.policy)
    inputs = [torch.randn(1 + 37 * n, 2 * D).to(torch.bfloat16) for n in range(THREADS)]
    make = lambda n, device: Worker(args.folder.resolve(), args.runtime, device, inputs[n])
    expected = []
    for n in range(THREADS):
        alone = make(n, 0)
        alone.differing(lambda: alone.function(alone.arguments), torch.zeros_like(bits(alone.y)))
        torch.cuda.synchronize(0)
        expected.append(bits(alone.y).cpu())
        alone.runtime.close()
    workers = [make(n, n % devices) for n in range(THREADS)]
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        differing = list(pool.map(lambda n: workers[n].work(expected[n]), range(THREADS)))
    for worker in workers:
        worker.runtime.close()
    print(f"{devices} devices, {THREADS} threads: elements that differ {differing}")
    return 1 if any(differing) or any(e.view(torch.bfloat16).isnan().any() for e in expected) else 0


if __name__ == "__main__":
    sys.exit(main())
