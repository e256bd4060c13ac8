#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures on a GPU what the compiler chooses, beside PyTorch and a copy, and writes benchmarks/results/h200/.

Compiling needs no GPU, measuring no compiler: without options one run does both, --compile-only fills the folder of
--objects, and a run with --objects that holds a manifest measures what is there. README.md describes the method."""

import argparse
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

import activation_points  # noqa: E402
import lora_points  # noqa: E402
import mlp_points  # noqa: E402
import objects  # noqa: E402
import result_file  # noqa: E402
import sparse_points  # noqa: E402

SUITES = {"gelu_and_mul_sparse": (activation_points, activation_points.gelu_and_mul_sparse),
          "act_and_mul": (activation_points, activation_points.act_and_mul),
          "lora_matmul": (lora_points, lora_points.lora_matmul),
          "lora_shrink": (lora_points, lora_points.lora_shrink),
          "lora_expand": (lora_points, lora_points.lora_expand),
          "gemma3n_mlp": (mlp_points, mlp_points.gemma3n_mlp),
          "sparse_ffn": (sparse_points, sparse_points.sparse_ffn)}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help=f"of {', '.join(SUITES)}; all without")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin", help="folder of frit-run")
    parser.add_argument("--runtime", type=pathlib.Path, help="libFritRuntime.so (default: beside the tools)")
    parser.add_argument("--target", default="cuda:sm_90a", help="--target of frit-run (default: cuda:sm_90a)")
    parser.add_argument("--objects", type=pathlib.Path, help="folder of compiled functions, one in it a suite")
    parser.add_argument("--compile-only", action="store_true", help="fill --objects and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes that compile")
    parser.add_argument("--copy-image", type=pathlib.Path, default=HERE / "copy.cubin", help="copy.cu, built by nvcc -cubin")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "benchmarks/results/h200", help="folder")
    parser.add_argument("--machine", default="h200", help="name of the machine in the result (default: h200)")
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="of a suite, after which candidates and other extras are left out")
    parser.add_argument("--no-candidates", action="store_true", help="without the kernels that are not chosen")
    parser.add_argument("--first", type=int, help="only so many points of a suite, spread over all: a trial")
    parser.add_argument("--no-peers", action="store_true", help="without PyTorch")
    options = parser.parse_args()
    unknown = set(options.suites) - set(SUITES)
    if unknown:
        parser.error(f"no suite named {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
    if options.compile_only and not options.objects:
        parser.error("--compile-only needs --objects")
    options.runtime = options.runtime or options.tools.parent / "lib/libFritRuntime.so"
    options.suites = options.suites or list(SUITES)
    return options


def selected(points, first):
    """`first` points of the list at even steps; all without."""
    return points if not first else points[::max(1, len(points) // first)][:first]


def compile_suite(options, suite, folder):
    module, points = SUITES[suite]
    compiler = objects.Compiler(options.tools, options.target, folder)
    compiled = compiler.all(selected(points(), options.first), module.mlir,
                            (lambda _: False) if options.no_candidates else module.has_candidates, options.jobs,
                            getattr(module, "options", lambda _: []))
    compiled = list(filter(getattr(module, "keeps", lambda _: True), compiled))
    objects.save(folder, options.target, result_file.commit(), compiled)
    failed = [c for c in compiled if c.error]
    print(f"{suite}: {len(compiled) - len(failed)} of {len(compiled)} functions compiled")
    for c in failed[:20]:
        print(f"  {c.point.function}: {c.error}")
    return not failed


def main():
    options = parse()
    scratch = None
    if not options.objects:
        scratch = tempfile.TemporaryDirectory(prefix="frit-benchmark-")
        options.objects = pathlib.Path(scratch.name)
    good = True
    for suite in options.suites:
        folder = options.objects / suite
        if options.compile_only or not (folder / objects.MANIFEST).exists():
            good &= compile_suite(options, suite, folder)
    if not options.compile_only:
        import measure

        good &= measure.run(options, SUITES)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
