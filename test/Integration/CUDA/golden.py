#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cuda-device
# RUN: %python %s --policy=auto %frit_src/test/data/golden %t
# RUN: %python %s --policy=require=cuda %frit_src/test/data/golden %t
# RUN: %python %s --policy=native %frit_src/test/data/golden %t
"""Runs gelu_and_mul_sparse on the GPU over the stored inputs and compares with what PyTorch computed.

FOLDER holds files of tensors NAME.x and NAME.cpu, and their metadata has a JSON object for each NAME. The zeros must be
the same ones; the values may differ by one rounding of GELU.
"""

import argparse
import concurrent.futures
import json
import pathlib
import struct
import subprocess
import sys

TYPES = {"F32": "f32", "F16": "f16", "BF16": "bf16"}


def read_header(path):
    with path.open("rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(size))


def module(shape, dtype, case):
    """A function over the case's input, of dynamic sizes but for the last."""
    dims = ["?"] * (len(shape) - 1)
    x = "x".join([*dims, str(shape[-1]), dtype])
    y = "x".join([*dims, str(shape[-1] // 2), dtype])
    lines = [f"func.func @main(%x: tensor<{x}>) -> tensor<{y}> {{"]
    names = []
    for index, _ in enumerate(dims):
        lines.append(f"  %c{index} = arith.constant {index} : index")
        lines.append(f"  %d{index} = tensor.dim %x, %c{index} : tensor<{x}>")
        names.append(f"%d{index}")
    approximate = "erf" if case["approximate"] == "none" else case["approximate"]
    lines += [
        f"  %e = tensor.empty({', '.join(names)}) : tensor<{y}>",
        f"  %r = frit.gelu_and_mul_sparse ins(%x : tensor<{x}>) outs(%e : tensor<{y}>)",
        f"    std_multiplier = {case['std_multiplier']:.9e} approximate = {approximate} -> tensor<{y}>",
        f"  return %r : tensor<{y}>",
        "}",
    ]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="cuda", help="where the functions run")
    parser.add_argument("--policy", required=True, help="which kernels may be picked")
    parser.add_argument("folder", type=pathlib.Path, help="the folder of stored tensors")
    parser.add_argument("output", type=pathlib.Path, help="where the functions are written")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    commands = {}
    for path in sorted(args.folder.glob("*.safetensors")):
        header = read_header(path)
        for name, text in header["__metadata__"].items():
            entry = header.get(f"{name}.x")
            if entry is None or f"{name}.cpu" not in header:
                continue
            file = args.output / f"{name}.mlir"
            file.write_text(module(entry["shape"], TYPES[entry["dtype"]], json.loads(text)))
            commands[name] = ["frit-run", str(file), f"--target={args.target}", f"--policy={args.policy}"]
            commands[name] += ["--exact-zero-mask", f"--input=@{path}#{name}.x", f"--expect=@{path}#{name}.cpu"]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = pool.map(lambda command: subprocess.run(command, capture_output=True, text=True), commands.values())
        failures = [
            f"{name}: exit code {result.returncode}\n{result.stdout}{result.stderr}"
            for name, result in zip(commands, results)
            if result.returncode != 0
        ]
    print("\n".join(failures))
    print(f"{args.policy}: {len(commands)} cases, {len(failures)} failed")
    sys.exit(bool(failures) or not commands)


if __name__ == "__main__":
    main()
