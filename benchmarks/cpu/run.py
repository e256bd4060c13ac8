#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Frit's CPU kernels beside PyTorch in one process and writes benchmarks/results/cpu/.

Needs torch (the figures of the project are from 2.13) and a C compiler. Run it on a machine that does nothing else.
"""

import argparse
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITES = ("gelu_and_mul_sparse", "lora_matmul")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", help=f"of {', '.join(SUITES)}; all without")
    parser.add_argument("--build", default=ROOT / "build", help="build folder of Frit")
    parser.add_argument("--threads", type=int, default=2, help="of Frit and of PyTorch (default: 2)")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "benchmarks/results/cpu", help="folder")
    options = parser.parse_args()
    unknown = set(options.suites) - set(SUITES)
    if unknown:
        parser.error(f"no suite named {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")

    # Before anything loads an OpenMP runtime.
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    import importlib

    import frit_native
    import measure
    import torch

    torch.set_num_threads(options.threads)
    torch.set_grad_enabled(False)
    library = frit_native.Library(options.build, options.threads)
    for suite in options.suites or SUITES:
        measure.write(options.output / f"{suite}.json", importlib.import_module(suite).run(library, options.threads))


if __name__ == "__main__":
    main()
