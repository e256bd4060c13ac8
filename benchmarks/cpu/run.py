#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Frit's CPU kernels beside PyTorch in one process and writes benchmarks/results/cpu/.

Needs torch (the figures of the project are from 2.13) and a C compiler. Run it on a machine that does nothing else.
"""

import argparse
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITES = ("gelu_and_mul_sparse", "lora_matmul", "lora_ranks")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help=f"of {', '.join(SUITES)}; all without")
    parser.add_argument("--build", default=ROOT / "build", help="build folder of Frit")
    parser.add_argument("--threads", type=int, default=2, help="of Frit and of PyTorch (default: 2)")
    parser.add_argument("--isa", choices=("host", "avx2"), default="host",
                        help="avx2: Frit, PyTorch and oneDNN use nothing newer, as on a machine without AVX-512")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "benchmarks/results/cpu", help="folder")
    options = parser.parse_args()
    unknown = set(options.suites) - set(SUITES)
    if unknown:
        parser.error(f"no suite named {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")

    # Before anything loads an OpenMP runtime.
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    if options.isa == "avx2":
        os.environ |= {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2",
                       "MKL_ENABLE_INSTRUCTIONS": "AVX2"}
    import importlib

    sys.path.insert(0, str(ROOT / "benchmarks"))
    import frit_native
    import result_file
    import torch
    import torch._inductor.config

    torch.set_num_threads(options.threads)
    torch.set_grad_enabled(False)
    target = "cpu"
    if options.isa == "avx2":
        torch._inductor.config.cpp.simdlen = 256
        target = "cpu:x86-64-v3"
    library = frit_native.Library(options.build, options.threads, target)
    for suite in options.suites or SUITES:
        result_file.write(options.output / f"{suite}.json", importlib.import_module(suite).run(library, options.threads))


if __name__ == "__main__":
    main()
