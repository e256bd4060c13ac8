#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cuda-device, torch
# RUN: %python %s --runtime=%frit_lib/libFritRuntime%shlibext --cases=400
"""fritLibraryMatmul on a device against float64: types, transposes, batches, shared factors, gaps between rows, any alignment,
bias, accumulation, and the same in a CUDA graph. What lies between the rows of the result must not change.

The bound is one rounding of the result and the error of an f32 sum of k terms."""

import argparse
import ctypes
import math
import pathlib
import random
import sys

import torch

BENCHMARKS = pathlib.Path(__file__).resolve().parents[3] / "benchmarks"
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "cuda")]

from frit_cuda import Runtime  # noqa: E402

TYPES = {torch.float32: 2 * 256 + 32, torch.float16: 2 * 256 + 16, torch.bfloat16: 4 * 256 + 16}
ROUNDOFF = {torch.float32: 2.0**-24, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
TRANSPOSE_A, TRANSPOSE_B, ACCUMULATE = 1, 2, 4
WORKSPACE = 32 << 20


class Descriptor(ctypes.Structure):
    """FritMatmulDescriptor of frit-c/RuntimeDevice.h."""

    _fields_ = [("size", ctypes.c_uint64), ("id", ctypes.c_char_p), ("element", ctypes.c_int32), ("out", ctypes.c_int32),
                ("flags", ctypes.c_int32), ("reserved", ctypes.c_int32), ("workspace", ctypes.c_uint64)]


class Matrices(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("row", ctypes.c_int64), ("batch", ctypes.c_int64)]


class Operands(ctypes.Structure):
    """FritMatmulOperands."""

    _fields_ = [("batch", ctypes.c_int64), ("m", ctypes.c_int64), ("n", ctypes.c_int64), ("k", ctypes.c_int64), ("a", Matrices),
                ("b", Matrices), ("out", Matrices), ("bias", ctypes.c_void_p)]


def matrices(generator, batch, rows, columns, dtype):
    """A stack of random matrices with gaps and an offset, as (all memory, the view of the matrices)."""
    gap, offset = generator.choice((0, 0, 1, 8)), generator.choice((0, 0, 1, 8))
    memory = torch.randn(offset + batch * rows * (columns + gap) + gap, device="cuda").to(dtype)
    strides = (rows * (columns + gap), columns + gap, 1)
    return memory, memory.as_strided((batch, rows, columns), strides, offset)


class Case:
    def __init__(self, generator):
        size = lambda most: generator.choice((1, generator.randint(1, 40), generator.randint(1, most)))
        self.dtype = generator.choice(list(TYPES))
        self.out_dtype = generator.choice((self.dtype, torch.float32))
        self.batch = generator.choice((1, 1, generator.randint(2, 4)))
        self.m, self.n, self.k = size(300), size(2000), size(3000)
        self.flags = generator.randint(0, 7)
        shared = generator.choice(("", "", "a", "b")) if self.batch > 1 else ""
        a = (self.k, self.m) if self.flags & TRANSPOSE_A else (self.m, self.k)
        b = (self.n, self.k) if self.flags & TRANSPOSE_B else (self.k, self.n)
        _, self.a = matrices(generator, 1 if shared == "a" else self.batch, *a, self.dtype)
        _, self.b = matrices(generator, 1 if shared == "b" else self.batch, *b, self.dtype)
        self.memory, self.out = matrices(generator, self.batch, self.m, self.n, self.out_dtype)
        has_bias = self.out_dtype == torch.float32 and generator.random() < 0.5
        self.bias = torch.randn(self.n, device="cuda") if has_bias else None
        self.descriptor = Descriptor(ctypes.sizeof(Descriptor), b"library.cublaslt", TYPES[self.dtype], TYPES[self.out_dtype],
                                     self.flags, 0, WORKSPACE)
        stack = lambda t: Matrices(t.data_ptr(), t.stride(1), t.stride(0) if t.shape[0] == self.batch else 0)
        self.operands = Operands(self.batch, self.m, self.n, self.k, stack(self.a), stack(self.b), stack(self.out),
                                 None if self.bias is None else self.bias.data_ptr())

    def __str__(self):
        return (f"{self.dtype} to {self.out_dtype}, batch {self.batch}, m {self.m}, n {self.n}, k {self.k}, flags {self.flags}, "
                f"bias {self.bias is not None}, strides {self.a.stride()}, {self.b.stride()}, {self.out.stride()}")

    def expected(self):
        """(the result in float64, how far from it a result may be)."""
        a = self.a.double().transpose(1, 2) if self.flags & TRANSPOSE_A else self.a.double()
        b = self.b.double().transpose(1, 2) if self.flags & TRANSPOSE_B else self.b.double()
        result, size = a @ b, a.abs() @ b.abs()
        for addend in ([self.out.double()] if self.flags & ACCUMULATE else []) + ([self.bias.double()] if self.bias is not None else []):
            result, size = result + addend, size + addend.abs()
        bound = ROUNDOFF[self.out_dtype] * result.abs() + 2.0**-24 * (8 + 2 * math.sqrt(self.k)) * size + 2.0**-24
        return result, bound

    def run(self, runtime, stream, graph):
        expected, bound = self.expected()
        before, inside = self.memory.clone(), torch.zeros_like(self.memory, dtype=torch.bool)
        inside.as_strided(self.out.shape, self.out.stride(), self.out.storage_offset()).fill_(True)
        torch.cuda.synchronize()
        call = lambda: runtime.library.fritLibraryMatmul(runtime.context, ctypes.byref(self.descriptor), ctypes.byref(self.operands))
        if call() != 0:
            runtime.fail()
        if graph:
            torch.cuda.synchronize()
            self.memory.copy_(before)
            captured = torch.cuda.CUDAGraph()
            torch.cuda.synchronize()
            with torch.cuda.stream(stream):
                captured.capture_begin(capture_error_mode="relaxed")
                status = call()
                captured.capture_end()
            if status != 0:
                runtime.fail()
            captured.replay()
        torch.cuda.synchronize()
        worst = ((self.out.double() - expected).abs() / bound).nan_to_num(nan=math.inf).max().item()
        if worst > 1:
            return f"{self}: an error of {worst:.2f} times the bound"
        if not torch.equal(self.memory[~inside], before[~inside]):
            return f"{self}: wrote between the rows"
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="libFritRuntime.so")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(args.seed)
    generator, stream = random.Random(args.seed), torch.cuda.Stream()
    runtime = Runtime(args.runtime, stream.cuda_stream)
    wrong = []
    for number in range(args.cases):
        case = Case(generator)
        try:
            said = case.run(runtime, stream, graph=number % 4 == 0)
        except RuntimeError as error:
            said = f"{case}: {error}"
        if said:
            wrong.append(said)
    runtime.close()
    print(f"{args.cases - len(wrong)} of {args.cases} matmuls are right")
    for said in wrong[:10]:
        print(f"  {said}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
