#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the way from the text of an op to its loaded kernel in cold processes, in parts:

    cold.py --tools DIR --objects DIR                 compiling (needs no GPU)
    cold.py --runtime FILE --objects DIR --load-only  loading and the first call, on a GPU

Each part prints a line of JSON. The object of the first is what the second loads. Process start, and what the driver
needs to start and to make a context, are figures of their own."""

import argparse
import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "cuda")]

import activation_points  # noqa: E402
import compile_result  # noqa: E402
import frit_cuda  # noqa: E402
import objects  # noqa: E402
import result_file  # noqa: E402

POINT = activation_points.point("gelu_and_mul_sparse", "bf16", 32, 8192)
PROCESSES = 7


def milliseconds(call):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def compile_parts(options):
    """Medians over processes: the tool with and without work."""
    compiler = objects.Compiler(options.tools, options.target, options.objects)
    compiled = compiler.compile(POINT, activation_points.mlir(POINT), [])
    if compiled.error:
        sys.exit(compiled.error)
    tool, source = str(compiler.tool), str(compiler.folder / f"{POINT.function}.mlir")
    work = [tool, source, f"--target={options.target}", "--dump=obj", f"--dump-output={source}.o"]
    median = lambda command: statistics.median(milliseconds(lambda: compiler.command(command)) for _ in range(PROCESSES))
    return {"kernel": compiled.kernel, "compile_ms": median(work), "process_start_ms": median([tool, "--version"])}


class DeviceArray:
    """Rows of device memory, with what abi.descriptor asks of a tensor."""

    def __init__(self, runtime, shape, size):
        self.shape, address = shape, ctypes.c_void_p()
        if runtime.library.fritDeviceMalloc(runtime.context, ctypes.c_uint64(shape[0] * shape[1] * size),
                                            ctypes.byref(address)) != 0:
            runtime.fail()
        self.data_ptr = lambda: address.value

    def stride(self):
        return self.shape[1], 1


def load_parts(options):
    """Of this process: context, then the first call of the function and a later one, each with a wait for the device."""
    import abi

    made = []
    context = milliseconds(lambda: made.append(frit_cuda.Runtime(options.runtime, None)))
    runtime = made[0]
    arrays = [DeviceArray(runtime, (POINT["tokens"], n * POINT["d"]), 2) for n in (2, 1)]
    arguments = abi.Arguments(arrays)
    wait = lambda: runtime.library.fritContextSynchronize(runtime.context) == 0 or runtime.fail()
    wait()

    def first():
        made.append(frit_cuda.Function(runtime, options.objects, POINT.function))
        later()

    def later():
        made[1](arguments)
        wait()

    return {"context_ms": context, "first_call_ms": milliseconds(first), "later_call_ms": milliseconds(later)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, help="folder of frit-run")
    parser.add_argument("--target", default="cuda:sm_90a", help="--target of frit-run (default: cuda:sm_90a)")
    parser.add_argument("--runtime", type=pathlib.Path, help="libFritRuntime.so")
    parser.add_argument("--objects", type=pathlib.Path, required=True, help="folder of the compiled function")
    parser.add_argument("--load-only", action="store_true", help="load what is there")
    parser.add_argument("--output", type=pathlib.Path, help="put the figures into results/<machine>/compile.json")
    options = parser.parse_args()
    if not (options.runtime if options.load_only else options.tools):
        parser.error("compiling needs --tools, --load-only needs --runtime")
    parts = load_parts(options) if options.load_only else compile_parts(options)
    parts = result_file.rounded(parts)
    print(json.dumps(parts))
    if options.output:
        compile_result.write(options.output, {"cold": compile_result.read(options.output).get("cold", {}) | parts})


if __name__ == "__main__":
    main()
