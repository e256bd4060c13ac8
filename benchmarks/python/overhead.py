# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call from Python costs above the compiled function: one token (float32 in NumPy, bfloat16 in
PyTorch), so that the function itself costs little.

A time is the smallest mean of 100 calls among many repetitions, in microseconds. Prints a table for docs/Python.md. Lines
with PyTorch are left out where it is not installed. Set OMP_NUM_THREADS=1, and FRIT_LIBRARY_DIR in a checkout.
"""

import timeit

import frit.ops
import numpy
from frit import _abi, _contexts
from frit._library import entry_call
from frit.ops import _cache

try:
    import torch
except ImportError:
    torch = None

CALLS, REPETITIONS = 100, 1000


def measure(function):
    function()
    return min(timeit.repeat(function, number=CALLS, repeat=REPETITIONS)) / CALLS * 1e6


def measure_raw(name):
    """The call of the C function alone, with the descriptors of the last call of an op, whose tensors must be alive."""
    entry = [entry for entry in _cache._entries.values() if entry.name == name][-1]
    frame, context = entry._frames[-1], _contexts.pool(_abi.NO_DEVICE, None).take()
    return measure(lambda: entry_call(context, entry._address, frame.values, frame.count))


def silu(x, out=None):
    return frit.ops.act_and_mul(x, activation="silu", out=out)


def measure_ops(kind, zeros):
    x, out = zeros((1, 16)), zeros((1, 8))
    whole, raw = measure(lambda: silu(x, out)), measure_raw("act_and_mul")
    yield f"act_and_mul, {kind}, out=", whole, raw
    yield f"act_and_mul, {kind}, new result", measure(lambda: silu(x)), raw
    ids, a, b, y = zeros((1,), "int32"), zeros((2, 8, 16)), zeros((2, 8, 8)), zeros((1, 8))
    yield f"lora_matmul, {kind}", measure(lambda: frit.ops.lora_matmul(x, ids, a, b, out=y)), measure_raw("lora_matmul")


def measure_torch_ops():
    """Beside ops of PyTorch with the same signature that do nothing."""
    import frit.torch
    library = torch.library.Library("frit_overhead", "DEF")
    library.define("out(Tensor x, Tensor? up=None, *, str activation, Tensor(a!) out) -> ()")
    library.impl("out", lambda x, up=None, *, activation, out: None, "CPU")
    library.define("new(Tensor x, Tensor? up=None, *, str activation) -> Tensor")
    library.impl("new", lambda x, up=None, *, activation: x.new_empty((1, 8)), "CPU")
    x, out = torch.zeros(1, 16, dtype=torch.bfloat16), torch.zeros(1, 8, dtype=torch.bfloat16)
    empty = torch.ops.frit_overhead
    yield ("torch.ops.frit.act_and_mul_out, beside an empty op",
           measure(lambda: frit.torch.act_and_mul_out(x, activation="silu", out=out)),
           measure(lambda: empty.out.default(x, activation="silu", out=out)))
    yield ("torch.ops.frit.act_and_mul, beside an empty op", measure(lambda: frit.torch.act_and_mul(x, activation="silu")),
           measure(lambda: empty.new.default(x, activation="silu")))


def rows():
    yield from measure_ops("NumPy", lambda shape, dtype="float32": numpy.zeros(shape, dtype))
    if torch:
        with torch.inference_mode():
            yield from measure_ops("PyTorch", lambda shape, dtype="bfloat16": torch.zeros(shape, dtype=getattr(torch, dtype)))
            yield from measure_torch_ops()


print("| call | all | function | above it |\n|---|---|---|---|")
for name, whole, part in rows():
    print(f"| {name} | {whole:.2f} | {part:.2f} | {whole - part:.2f} |")
