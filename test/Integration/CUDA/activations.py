#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cuda-device
# RUN: %python %s %t
"""Runs activations of many forms on the GPU, through fused and native kernels, and compares with the reference on the CPU.

Sizes are those at which launch plans change and vectors do not fit: d of 1, 96, 160, odd ones and long ones; no token;
rows of a larger tensor from an odd element on, so that no address is aligned; leading dimensions that are one dimension
of rows and such that are not. In 16-bit types GELU may be off by a rounding in one element of a thousand, and so the result
by two units in the last place; zeros are exact.
"""

import argparse
import concurrent.futures
import itertools
import pathlib
import re
import subprocess
import sys

UNEQUAL = re.compile(r", (\d+) of (\d+) unequal")
GELU = "frit.gelu_and_mul_sparse ins({ins}) outs(%e : {out}) std_multiplier = 1.0 {form} -> {out}"
GATED = "frit.act_and_mul {form} ins({ins}) outs(%e : {out}) -> {out}"
SPARSE_FORMS = [
    "approximate = tanh",
    "approximate = erf rounding = final",
    "approximate = erf correction = 1",
    "approximate = tanh assume_finite_up",
    "approximate = tanh rounding = final correction = 1",
]
GATED_FORMS = ["silu", "gelu_tanh", "gelu_erf"]
DTYPES = ["f32", "f16", "bf16"]
# Tokens and d; ranges of tokens have launch plans of their own.
SIZES = [(5, 96), (3, 160), (7, 1), (1, 33), (17, 256), (0, 128), (1, 8192), (65, 1728), (300, 2048), (1030, 512), (2, 20000)]


def packed(op, form, dtype, d, static):
    """`static`: whether d is known at compile time."""
    x, y = (f"tensor<?x{2 * d if static else '?'}x{dtype}>", f"tensor<?x{d if static else '?'}x{dtype}>")
    call = op.format(ins=f"%x : {x}", out=y, form=form)
    return f"""
func.func @main(%x: {x}, %e: {y}) -> {y} {{
  %r = {call}
  return %r : {y}
}}
""", [f"{{tokens}}x{2 * d}x{dtype}", f"{{tokens}}x{d}x{dtype}"]


def separate(op, form, dtype, d, _):
    """Gate and up are columns of wider tensors, from element 3 and 1 on."""
    wide, half = f"tensor<?x{d + 5}x{dtype}>", f"tensor<?x{d}x{dtype}>"
    call = op.format(ins=f"%g, %u : {half}, {half}", out=half, form=form)
    return f"""
func.func @main(%a: {wide}, %b: {wide}, %e: {half}) -> {half} {{
  %c0 = arith.constant 0 : index
  %t = tensor.dim %a, %c0 : {wide}
  %g = tensor.extract_slice %a[0, 3] [%t, {d}] [1, 1] : {wide} to {half}
  %u = tensor.extract_slice %b[0, 1] [%t, {d}] [1, 1] : {wide} to {half}
  %r = {call}
  return %r : {half}
}}
""", [f"{{tokens}}x{d + 5}x{dtype}"] * 2 + [f"{{tokens}}x{d}x{dtype}"]


def leading(op, form, dtype, d, gap):
    """[2, tokens, 2d]; with `gap` the rows of a tensor with one token more."""
    wide, x, y = (f"tensor<2x?x{2 * d}x{dtype}>", f"tensor<2x?x{2 * d}x{dtype}>", f"tensor<2x?x{d}x{dtype}>")
    call = op.format(ins=f"%x : {x}", out=y, form=form)
    rows = "%n" if gap else "%all"
    return f"""
func.func @main(%w: {wide}) -> {y} {{
  %c1 = arith.constant 1 : index
  %all = tensor.dim %w, %c1 : {wide}
  %n = arith.subi %all, %c1 : index
  %x = tensor.extract_slice %w[0, 0, 0] [2, {rows}, {2 * d}] [1, 1, 1] : {wide} to {x}
  %e = tensor.empty({rows}) : {y}
  %r = {call}
  return %r : {y}
}}
""", [f"2x{{tokens}}x{2 * d}x{dtype}"]


def cases():
    """(name, text, inputs, tokens): each size once with each type, forms and operands in turn."""
    forms = itertools.cycle([(GELU, form) for form in SPARSE_FORMS] + [(GATED, form) for form in GATED_FORMS])
    makers = itertools.cycle([(packed, True), (separate, True), (packed, False), (leading, True), (leading, False)])
    for (tokens, d), dtype in itertools.product(SIZES, DTYPES):
        (op, form), (maker, variant) = next(forms), next(makers)
        if maker is leading:
            tokens += 1
        text, inputs = maker(op, form, dtype, d, variant)
        name = f"{dtype}, {tokens} tokens, d {d}, {maker.__name__} {variant}, {form}"
        yield name, text, [spec.format(tokens=tokens) for spec in inputs], dtype


def failure(result):
    """Why a run is not accepted, or nothing."""
    if result.returncode != 0:
        return f"exit code {result.returncode}"
    unequal, elements = map(int, UNEQUAL.search(result.stdout).groups())
    if "xf32: match" not in result.stdout and unequal > max(2, elements / 1000):
        return f"{unequal} of {elements} elements differ"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", default="cuda", help="where the functions run")
    parser.add_argument("output", type=pathlib.Path, help="where the functions are written")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    commands = {}
    for index, (name, text, inputs, dtype) in enumerate(cases()):
        file = args.output / f"case{index}.mlir"
        file.write_text(text)
        for policy in ["auto", "native"]:
            command = ["frit-run", str(file), f"--target={args.target}", f"--policy={policy}", "--expect=native"]
            command += [f"--seed={index}", *(f"--input={spec}=random" for spec in inputs)]
            # A cutoff of f32 depends on the order of sums; see the zero mask of 16-bit types.
            command += [] if dtype == "f32" else ["--exact-zero-mask"]
            # Two units in the last place; bf16 has them by default.
            command += [f"--rtol={2**-9}"] if dtype == "f16" else []
            command += ["--cuda-graph"] if index % 3 == 0 and args.target == "cuda" else []
            commands[f"{name}, {policy}"] = command
    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = pool.map(lambda command: subprocess.run(command, capture_output=True, text=True), commands.values())
        failures = [f"{name}: {failure(result)}\n{result.stdout}{result.stderr}"
                    for name, result in zip(commands, results) if failure(result)]
    print("\n".join(failures))
    print(f"{len(commands)} runs, {len(failures)} failed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
