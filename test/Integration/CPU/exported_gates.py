#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %frit_src/test/data/real %t
# REQUIRES: cpu-runner, numpy
"""Looks inside of raised MLPs that were exported from PyTorch: which elements of the gate are cut off.

What PyTorch computed inside of a graph is not stored, but follows from its inputs: a matmul is the exact sum, rounded,
unless the order in which f32 numbers are added moves the rounding. So the gate of a raised graph may differ from the
rounded exact one only where the exact sum is as near to a tie of two roundings as such a sum can be wrong; and of a row
without such an element exactly those elements are cut off that PyTorch's arithmetic cuts off. In the other rows, and in
f32, where any sum is moved, the zeros that differ are near the cutoff. How many there are is printed.

Usage: exported_gates.py FOLDER SCRATCH-PREFIX [OPTION...], where FOLDER is as for exported_graphs.py, the variable
FRIT_REAL_GRAPHS names another one, and OPTIONs are those of frit-run."""

import json
import pathlib
import re
import struct
import subprocess
import sys

import exported_graphs
import numpy as np

NUMBER = {"F32": np.dtype("<f4"), "BF16": np.dtype("<u2")}
SPARSE = re.compile(
    r"(%\w+) = frit\.gelu_and_mul_sparse ins\((%\w+), (%\w+) : (\S+), \S+\) outs\(\S+ : \S+\)"
    r" std_multiplier = (\S+)(?: approximate = tanh)? -> (\S+)"
)
ROUNDOFF = 2.0**-24


def read_tensors(path):
    """The tensors of a safetensors file as f64, and whether each is bf16."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        values = np.frombuffer(data[8 + size + begin : 8 + size + end], NUMBER[entry["dtype"]])
        if entry["dtype"] == "BF16":
            values = (values.astype(np.uint32) << 16).view(np.float32)
        tensors[name] = values.reshape(entry["shape"]).astype(np.float64), entry["dtype"] == "BF16"
    return tensors


def to_f32(values):
    return values.astype(np.float32).astype(np.float64)


def to_bf16(values):
    """f64 numbers rounded once to bf16, ties to even."""
    fraction, exponent = np.frexp(values)
    return np.ldexp(np.rint(np.ldexp(fraction, 8)), exponent - 8)


def expose(text):
    """The module with the gate and the result of the gated op as further results; the multiplier of the op."""
    found = SPARSE.search(text)
    result, gate, up, operand_type, multiplier, result_type = found.groups()
    text = re.sub(r"(func\.func @main\(.*\) -> )(\S+) \{", rf"\1(\2, {operand_type}, {operand_type}, {result_type}) {{", text)
    text = re.sub(r"return (%\w+) : (\S+)", rf"return \1, {gate}, {up}, {result} : \2, {operand_type}, {operand_type}, {result_type}", text)
    return text, float(multiplier)


def cut_off(gate, multiplier, round_to):
    """gate less its cutoff as PyTorch computes it, and how far from 0 another order of the sums may move it."""
    mean = gate.mean(axis=-1, keepdims=True)
    deviation = gate.std(axis=-1, keepdims=True)
    product = round_to(to_f32(round_to(to_f32(deviation)) * to_f32(np.float64(multiplier))))
    rest = round_to(to_f32(gate - round_to(to_f32(round_to(to_f32(mean)) + product))))
    scale = np.abs(mean) + np.abs(product) + np.sqrt((gate * gate).mean(axis=-1, keepdims=True))
    return rest, 1e-6 * scale


def check_activation(gate, up, result, multiplier, round_to):
    """The zeros that differ from PyTorch's for this very gate, without those that are near the cutoff in f32."""
    rest, near = cut_off(gate, multiplier, round_to)
    differs = (result == 0) != ((rest <= 0) | (up == 0))
    if round_to is to_f32:
        differs &= np.abs(rest) > near
    return int(differs.sum())


def check_gate(inputs, gate, result, multiplier, round_to):
    """A line on the gate of a graph without LoRA, and whether it is right."""
    x, weight = inputs["in.0"][0], inputs["in.1"][0]
    exact, size = x @ weight.T, np.abs(x) @ np.abs(weight.T)
    wrong_by = ROUNDOFF * (8 + 2 * np.sqrt(x.shape[-1])) * size
    expected = round_to(exact)
    moved = gate != expected
    # A sum that is wrong by as much rounds to the one or the other side of a tie.
    explained = (gate >= round_to(exact - wrong_by)) & (gate <= round_to(exact + wrong_by))
    rest, near = cut_off(expected, multiplier, round_to)
    zeros = (rest <= 0) != (result == 0)
    rows = moved.any(axis=-1)
    unexplained = zeros & ~rows[:, None]
    if round_to is to_f32:
        unexplained = zeros & (np.abs(rest) > near + wrong_by)
    line = f"{int(moved.sum())} of {gate.size} elements of the gate are rounded otherwise, {int((~explained).sum())} of them not by "
    line += f"a tie; {int(zeros.sum())} zeros differ, {int(unexplained.sum())} of them in rows without such an element"
    return line, bool(explained.all()) and not unexplained.any()


def run(graph, prefix, options):
    """One line of figures and whether they are good enough."""
    tensors = graph.with_suffix(".safetensors")
    module, outputs = pathlib.Path(f"{prefix}.{graph.name}"), pathlib.Path(f"{prefix}.{graph.stem}.safetensors")
    raised = subprocess.run(["frit-opt", str(graph), "--pass-pipeline=builtin.module(frit-raise,canonicalize,cse)"], capture_output=True, text=True)
    if raised.returncode or not SPARSE.search(raised.stdout):
        return f"is not raised\n{raised.stderr}", False
    text, multiplier = expose(raised.stdout)
    module.write_text(text)
    command = ["frit-run", str(module), f"--weights={tensors}", *options]
    command += [f"--output=@{outputs}#{name}" for name in ("out", "gate", "up", "result")]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        return f"exit code {result.returncode}\n{result.stdout}{result.stderr}", False
    inputs, values = read_tensors(tensors), read_tensors(outputs)
    (gate, is_narrow), (up, _), (activated, _) = values["gate"], values["up"], values["result"]
    round_to = to_bf16 if is_narrow else to_f32
    wrong = check_activation(gate, up, activated, multiplier, round_to)
    line, good = f"{wrong} zeros differ for the same gate", wrong == 0
    if "lora" not in graph.stem and "in.1" in inputs:
        more, is_right = check_gate(inputs, gate, activated, multiplier, round_to)
        line, good = f"{line}; {more}", good and is_right
    return f"{activated.size} elements, {int((activated == 0).sum())} zeros; {line}", good


def main():
    folder, prefix, *options = sys.argv[1:]
    graphs = sorted(exported_graphs.graph_folder(folder).glob("g3n_mlp_*.mlir"))
    return exported_graphs.report(graphs, (run(graph, prefix, options) for graph in graphs))


if __name__ == "__main__":
    sys.exit(main())
