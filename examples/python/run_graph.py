# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a graph, shows which kernels it got and why, and calls it with random values."""

import pathlib

import frit
import ml_dtypes
import numpy

GRAPH = pathlib.Path(__file__).resolve().parents[1] / "ops" / "lora_matmul.mlir"
DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": numpy.float32, "i32": numpy.int32}


def make(value, generator, **sizes):
    """Random values for an argument. `sizes` are those of dimensions with a name."""
    shape = [sizes.get(size, size) for size in value.shape]
    if value.dtype == "i32":
        return generator.integers(-1, 4, shape, numpy.int32)
    return generator.standard_normal(shape).astype(DTYPES[value.dtype])


program = frit.compile(GRAPH, target="cpu")
for choice in program.explain():
    print(choice)

main = program["main"]
arguments = [make(value, numpy.random.default_rng(0), tokens=8) for value in main.arguments]
result = main(*arguments)
print(f"{main}: {result.shape} {result.dtype}")
ids, old = arguments[1], arguments[-1]
assert (result[ids < 0] == old[ids < 0]).all() and (result[ids >= 0] != old[ids >= 0]).any()
