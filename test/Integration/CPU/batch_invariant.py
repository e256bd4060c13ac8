#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %t
# REQUIRES: cpu-runner, numpy
"""A token's bits do not depend on the tokens beside it under the policy batch-invariant.

The same tokens, weights and adapters in batches of several sizes, each size known when the function is compiled or not:
what the first tokens of a batch get must be, bit for bit, what they get in the largest. Of frit.sparse_ffn in both layouts
of down, of frit.lora_matmul, and of the dense chain, which is not formed into frit.sparse_ffn under this policy.
Usage: batch_invariant.py SCRATCH-PREFIX
"""
import pathlib
import subprocess
import sys

import numpy as np

WIDTH, COLUMNS, ADAPTERS, RANK = 72, 272, 3, 5
# Known sizes, and one that is not. What is random follows the position in a tensor, so that batches begin alike.
BATCHES = [(37, False), (1, True), (2, True), (8, True), (1, False), (9, False)]


def tensor(*shape: "int | str", element: str) -> str:
    """A tensor's type."""
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def function(arguments: list[tuple[str, str]], body: str, result: str) -> str:
    """A function @main of named and typed arguments."""
    listed = ", ".join(f"%{name}: {kind}" for name, kind in arguments)
    return f"func.func @main({listed}) -> {result} {{\n{body}  return %r : {result}\n}}\n"


def lora(tokens: "int | str", element: str, inputs: int, outputs: int) -> tuple[list[tuple[str, str]], str]:
    """The operands of a LoRA, and its text in frit.lora_matmul."""
    a = tensor(ADAPTERS, RANK, inputs, element=element)
    b = tensor(ADAPTERS, outputs, RANK, element=element)
    return [("ids", tensor(tokens, element="i32")), ("a", a), ("b", b)], f"(%a, %b : {a}, {b})"


def sparse_ffn(tokens: "int | str", element: str, layout: str) -> str:
    """The op, with a LoRA on up."""
    rows = tensor(tokens, WIDTH, element=element)
    weights = tensor(COLUMNS, WIDTH, element=element)
    down = weights if layout == "dh" else tensor(WIDTH, COLUMNS, element=element)
    operands, text = lora(tokens, element, WIDTH, COLUMNS)
    body = f"""  %r = frit.sparse_ffn ins(%x, %ids : {rows}, {operands[0][1]}) weights(%g, %u, %d : {weights}, {weights}, {down})
    up_lora{text} outs(%y : {rows}) std_multiplier = 1.0 down_layout = {layout} -> {rows}
"""
    return function([("x", rows), *operands, ("g", weights), ("u", weights), ("d", down), ("y", rows)], body, rows)


def lora_matmul(tokens: "int | str", element: str) -> str:
    """A LoRA that is added to a tensor."""
    rows, out = tensor(tokens, WIDTH, element=element), tensor(tokens, COLUMNS, element=element)
    operands, text = lora(tokens, element, WIDTH, COLUMNS)
    body = f"  %r = frit.lora_matmul ins(%x, %ids : {rows}, {operands[0][1]}) weights{text} outs(%y : {out}) -> {out}\n"
    return function([("x", rows), *operands, ("y", out)], body, out)


def dense_chain(tokens: "int | str", element: str) -> str:
    """The chain that frit.sparse_ffn stands for, in f32."""
    rows, weights = tensor(tokens, WIDTH, element=element), tensor(COLUMNS, WIDTH, element=element)
    columns = tensor(tokens, COLUMNS, element=element)
    maps = ", ".join(f"affine_map<(t, n, k) -> {m}>" for m in ("(t, k)", "(n, k)", "(t, n)"))
    size = "" if isinstance(tokens, int) else "%t"
    body = f"""  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : {rows}
  %zero = arith.constant 0.0 : {element}
  %e = tensor.empty({size}) : {columns}
  %f = linalg.fill ins(%zero : {element}) outs(%e : {columns}) -> {columns}
  %p = linalg.matmul indexing_maps = [{maps}] ins(%x, %g : {rows}, {weights}) outs(%f : {columns}) -> {columns}
  %q = linalg.matmul indexing_maps = [{maps}] ins(%x, %u : {rows}, {weights}) outs(%f : {columns}) -> {columns}
  %h = frit.gelu_and_mul_sparse ins(%p, %q : {columns}, {columns}) outs(%e : {columns}) std_multiplier = 1.0 -> {columns}
  %o = tensor.empty({size}) : {rows}
  %z = linalg.fill ins(%zero : {element}) outs(%o : {rows}) -> {rows}
  %r = linalg.matmul ins(%h, %d : {columns}, {weights}) outs(%z : {rows}) -> {rows}
"""
    return function([("x", rows), ("g", weights), ("u", weights), ("d", weights)], body, rows)


CASES = {
    "sparse_ffn dh bf16": lambda tokens: sparse_ffn(tokens, "bf16", "dh"),
    "sparse_ffn hd f32": lambda tokens: sparse_ffn(tokens, "f32", "hd"),
    "lora_matmul f32": lambda tokens: lora_matmul(tokens, "f32"),
    "dense chain f32": lambda tokens: dense_chain(tokens, "f32"),
}


def run(text: str, tokens: int, file: pathlib.Path) -> tuple[np.ndarray, str]:
    """What a function gives for so many tokens, as bits, and what was said about its kernels."""
    command = ["frit-run", "-", "--target=cpu", "--policy=batch-invariant", "--assume-finite-weights", "--fill=random"]
    command += ["--explain", f"--output=@{file}"]
    if "?" in text:
        command += [f"--dim=arg{i}.0={tokens}" for i, part in enumerate(text.split(") ->")[0].split("%")[1:]) if "<?x" in part]
    if "%ids" in text:
        ids = tensor(tokens, element="i32")[len("tensor<"):-1]
        command.append(f"--input=arg1={ids}=random[-1,{ADAPTERS})")
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{text}{result.stdout}{result.stderr}")
    rows = np.load(file)
    return rows.view(f"u{rows.itemsize}"), result.stdout


def main() -> int:
    """Runs every case in every batch."""
    file = pathlib.Path(f"{sys.argv[1]}.npy")
    failed = 0
    for name, make in CASES.items():
        reference = None
        for tokens, is_known in BATCHES:
            rows, said = run(make(tokens if is_known else "?"), tokens, file)
            reference = rows if reference is None else reference
            good = np.array_equal(rows, reference[:tokens]) and ("sparse_ffn" in said) == ("sparse_ffn" in name)
            print(name, tokens, "known" if is_known else "unknown", "passes" if good else "FAILS")
            failed += not good
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
