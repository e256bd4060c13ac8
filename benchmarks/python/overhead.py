# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call from Python costs above the compiled function: one token (float32 in NumPy, bfloat16 in
PyTorch), so that the function itself costs little.

A time is the smallest mean of 100 calls among many repetitions, in microseconds. Prints a table for docs/Python.md. Lines
with PyTorch are left out where it is not installed, those of CUDA where there is no device. On a device a call costs what
the host needs to launch it, and inside a CUDA graph what the device needs for each of 100 calls captured one after the
other. Set OMP_NUM_THREADS=1, and FRIT_LIBRARY_DIR in a checkout.
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


def measure(function, settle="pass"):
    function()
    return min(timeit.repeat(function, settle, number=CALLS, repeat=REPETITIONS)) / CALLS * 1e6


def measure_on_device(function):
    """The host's time alone: the device catches up before each repetition."""
    return measure(function, torch.cuda.synchronize)


def measure_in_graph(function):
    stream, graph = torch.cuda.current_stream(), torch.cuda.CUDAGraph()
    function()
    with torch.cuda.graph(graph, stream=stream):
        for _ in range(CALLS):
            function()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def replay():
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / CALLS * 1e3

    return min(replay() for _ in range(REPETITIONS))


def raw_call(name, device=_abi.NO_DEVICE):
    """The call of the C function alone, with the descriptors of the last call of an op, whose tensors must be alive."""
    entry = [entry for entry in _cache._entries.values() if entry.name == name][-1]
    stream = None if device == _abi.NO_DEVICE else _contexts.current_stream(device)
    frame, context = entry._frames[-1], _contexts.pool(device, stream).take()
    return lambda: entry_call(context, entry._address, frame.values, frame.count)


def silu(x, out=None):
    return frit.ops.act_and_mul(x, activation="silu", out=out)


def measure_ops(kind, zeros):
    x, out = zeros((1, 16)), zeros((1, 8))
    whole, raw = measure(lambda: silu(x, out)), measure(raw_call("act_and_mul"))
    yield f"act_and_mul, {kind}, out=", whole, raw
    yield f"act_and_mul, {kind}, new result", measure(lambda: silu(x)), raw
    ids, a, b, y = zeros((1,), "int32"), zeros((2, 8, 16)), zeros((2, 8, 8)), zeros((1, 8))
    yield (f"lora_matmul, {kind}", measure(lambda: frit.ops.lora_matmul(x, ids, a, b, out=y)),
           measure(raw_call("lora_matmul")))


def measure_device_ops():
    def zeros(shape, dtype=torch.bfloat16):
        return torch.zeros(shape, dtype=dtype, device="cuda")

    x, out, ids = zeros((1, 16)), zeros((1, 8)), zeros((1,), torch.int32)
    a, b, y = zeros((2, 8, 16)), zeros((2, 8, 8)), zeros((1, 8))
    calls = {"act_and_mul": lambda: silu(x, out), "lora_matmul": lambda: frit.ops.lora_matmul(x, ids, a, b, out=y)}
    with torch.cuda.stream(torch.cuda.Stream()):
        for name, call in calls.items():
            for kind, take in ("CUDA", measure_on_device), ("in a CUDA graph", measure_in_graph):
                whole = take(call)
                yield f"{name}, PyTorch, {kind}", whole, take(raw_call(name, 0))


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
            if torch.cuda.is_available():
                yield from measure_device_ops()


print("| call | all | function | above it |\n|---|---|---|---|")
for name, whole, part in rows():
    print(f"| {name} | {whole:.2f} | {part:.2f} | {whole - part:.2f} |")
