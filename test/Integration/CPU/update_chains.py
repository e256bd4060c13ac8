#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %t
# REQUIRES: cpu-runner, numpy
"""Long chains of updates give the numbers that NumPy does, for static and dynamic sizes.

Bufferization splits such chains. In each graph a tensor is updated many times, in branches on the number of rows as well,
and its values are read in between; numbers are small integers, so that each result is exact. The graphs differ in where the
chain begins: in the argument, whose first value must stay as it is, or in a new tensor; in whether an old value
is read after its update; and in whether the last value is the result.
Usage: update_chains.py SCRATCH-PREFIX
"""
import itertools
import subprocess
import sys

import numpy as np

UPDATES, COLUMNS, FEW = 9, 8, 4


def linalg(name: str, inputs: list[str], out: str, tensor: str) -> str:
    types = ", ".join([tensor] * len(inputs))
    return f"linalg.{name} ins({', '.join(inputs)} : {types}) outs({out} : {tensor}) -> {tensor}"


def write_graph(rows: str, starts_new: bool, reads_old: bool, is_result: bool) -> str:
    """v = x or x + x; v = v + x, in branches v - x; sum += v; the result is v or sum."""
    tensor = f"tensor<{rows}x{COLUMNS}xf32>"
    dims = '{frit.dims = ["rows", "columns"]}'
    lines = [
        f"func.func @main(%x: {tensor} {dims}) -> ({tensor}, {tensor}) {{",
        "%c0 = arith.constant 0 : index",
        f"%few = arith.constant {FEW} : index",
        f"%rows = tensor.dim %x, %c0 : {tensor}",
        "%is_few = arith.cmpi sle, %rows, %few : index",
    ]

    def new_tensor(name: str) -> None:
        lines.append(f"{name} = tensor.empty({'%rows' if rows == '?' else ''}) : {tensor}")

    def update(value: str, old: str) -> None:
        """Reads what it overwrites: the sum in place is exact whatever the order."""
        lines.append(f"{value} = " + linalg("add", [old, "%x"], old, tensor))

    new_tensor("%e")
    lines.append("%start = " + linalg("add", ["%x", "%x"], "%e", tensor))
    value = "%start" if starts_new else "%x"
    new_tensor("%s_empty")
    lines.append("%s = " + linalg("sub", ["%x", "%x"], "%s_empty", tensor))
    total = "%s"
    for index in range(UPDATES):
        new = f"%v{index}"
        if index % 3 == 1:
            lines.append(f"{new} = scf.if %is_few -> {tensor} {{")
            lines.append("%r = " + linalg("sub", [value, "%x"], value, tensor))
            lines.append(f"scf.yield %r : {tensor}\n}} else {{")
            lines.append("%r = " + linalg("add", [value, "%x"], value, tensor))
            lines.append(f"scf.yield %r : {tensor}\n}}")
        else:
            update(new, value)
        read = value if reads_old and index == 5 else new
        lines.append(f"%s{index} = " + linalg("add", [total, read], total, tensor))
        value, total = new, f"%s{index}"
    if not is_result:
        new_tensor("%f")
        lines.append("%double = " + linalg("add", [value, value], "%f", tensor))
        value = "%double"
    lines.append(f"return {value}, {total} : {tensor}, {tensor}\n}}")
    return "\n".join(lines) + "\n"


def compute(x: np.ndarray, starts_new: bool, reads_old: bool, is_result: bool) -> tuple[np.ndarray, np.ndarray]:
    value, total = x + x if starts_new else x, np.zeros_like(x)
    for index in range(UPDATES):
        new = value - x if index % 3 == 1 and len(x) <= FEW else value + x
        total = total + (value if reads_old and index == 5 else new)
        value = new
    return value if is_result else value + value, total


def main() -> None:
    prefix = sys.argv[1]
    for starts_new, reads_old, is_result in itertools.product([False, True], repeat=3):
        for rows, count in (("?", 3), ("?", 7), ("3", 3), ("7", 7)):
            case = f"{prefix}.{starts_new:d}{reads_old:d}{is_result:d}.{rows.replace('?', 'n')}.{count}"
            with open(f"{case}.mlir", "w", encoding="utf-8") as file:
                file.write(write_graph(rows, starts_new, reads_old, is_result))
            x = np.random.default_rng(0).integers(-8, 8, (count, COLUMNS)).astype(np.float32)
            for name, array in zip(("x", "v", "s"), (x, *compute(x, starts_new, reads_old, is_result))):
                np.save(f"{case}.{name}.npy", array)
            subprocess.run(
                ["frit-run", f"{case}.mlir", "--target=cpu", f"--input=@{case}.x.npy", f"--expect=@{case}.v.npy"]
                + [f"--expect=@{case}.s.npy", "--atol=0", "--rtol=0"],
                check=True,
            )


if __name__ == "__main__":
    main()
