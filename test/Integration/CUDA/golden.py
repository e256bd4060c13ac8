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
import dataclasses
import json
import pathlib
import struct
import subprocess
import sys

# A process takes longer to reach the device than to run a case.
CASES_AT_ONCE = 16
TYPES = {"F32": "f32", "F16": "f16", "BF16": "bf16"}


def read_header(path):
    with path.open("rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(size))


@dataclasses.dataclass
class Case:
    """A tensor NAME of a file and what it is an input of."""

    file: pathlib.Path
    name: str
    shape: list
    dtype: str
    attributes: dict

    def source(self, part):
        return f"@{self.file}#{self.name}.{part}"


def stored_cases(folder):
    for path in sorted(folder.glob("*.safetensors")):
        header = read_header(path)
        for name, text in header["__metadata__"].items():
            entry = header.get(f"{name}.x")
            if entry is not None and f"{name}.cpu" in header:
                yield Case(path, name, entry["shape"], TYPES[entry["dtype"]], json.loads(text))


def module(cases):
    """A function with an input and a result a case, of dynamic sizes but for the last."""
    arguments, lines, results = [], [], []
    for number, case in enumerate(cases):
        dims = ["?"] * (len(case.shape) - 1)
        x = f"tensor<{'x'.join([*dims, str(case.shape[-1]), case.dtype])}>"
        y = f"tensor<{'x'.join([*dims, str(case.shape[-1] // 2), case.dtype])}>"
        names = []
        for index, _ in enumerate(dims):
            names.append(f"%d{number}_{index}")
            lines.append(f"  %c{number}_{index} = arith.constant {index} : index")
            lines.append(f"  {names[-1]} = tensor.dim %x{number}, %c{number}_{index} : {x}")
        approximate = "erf" if case.attributes["approximate"] == "none" else case.attributes["approximate"]
        lines += [
            f"  %e{number} = tensor.empty({', '.join(names)}) : {y}",
            f"  %r{number} = frit.gelu_and_mul_sparse ins(%x{number} : {x}) outs(%e{number} : {y})",
            f"    std_multiplier = {case.attributes['std_multiplier']:.9e} approximate = {approximate} -> {y}",
        ]
        arguments.append(f"%x{number}: {x}")
        results.append((f"%r{number}", y))
    names, types = (", ".join(values) for values in zip(*results))
    return "\n".join([f"func.func @main({', '.join(arguments)}) -> ({types}) {{", *lines, f"  return {names} : {types}", "}"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="cuda", help="where the functions run")
    parser.add_argument("--policy", required=True, help="which kernels may be picked")
    parser.add_argument("folder", type=pathlib.Path, help="the folder of stored tensors")
    parser.add_argument("output", type=pathlib.Path, help="where the functions are written")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    cases = list(stored_cases(args.folder))
    commands = {}
    for first in range(0, len(cases), CASES_AT_ONCE):
        some = cases[first : first + CASES_AT_ONCE]
        file = args.output / f"{some[0].name}.mlir"
        file.write_text(module(some))
        command = ["frit-run", str(file), f"--target={args.target}", f"--policy={args.policy}", "--exact-zero-mask"]
        command += [f"--input={case.source('x')}" for case in some] + [f"--expect={case.source('cpu')}" for case in some]
        commands[", ".join(case.name for case in some)] = command
    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = pool.map(lambda command: subprocess.run(command, capture_output=True, text=True), commands.values())
        failures = [
            f"{name}: exit code {result.returncode}\n{result.stdout}{result.stderr}"
            for name, result in zip(commands, results)
            if result.returncode != 0
        ]
    print("\n".join(failures))
    print(f"{args.policy}: {len(cases)} cases in {len(commands)} functions, of which {len(failures)} failed")
    sys.exit(bool(failures) or not commands)


if __name__ == "__main__":
    main()
