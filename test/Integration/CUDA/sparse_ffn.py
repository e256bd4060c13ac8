#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cuda-device, cuda-kernels, cpu-runner, numpy
# RUN: %python %s %t
"""Runs sparse_ffn on the GPU and compares with the reference, frit-run --expect=native, on the CPU.

Known numbers of tokens must be executed by fused kernels: every tile, types, roundings, densities from all to none, clusters
for long rows, sizes that no vector divides, a NaN token, infinities that no active column meets, LoRAs of some or all matrices
with mixed adapters, ids of none, own scales and ranks, every rounding and f32 weights. Functions of any number of
tokens choose at run time, with a kernel of last resort for many. A gate element that two orders of a sum round differently
moves a result by more than its own rounding, which the tolerances allow for.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import struct
import subprocess
import sys

import numpy as np

TOLERANCES = {"bf16": ["--atol=0.03", "--rtol=0.05"], "f16": ["--atol=0.005", "--rtol=0.01"], "f32": ["--atol=1e-4", "--rtol=1e-3"]}
# The reference takes seconds to compile an op.
FORMS_AT_ONCE = 6
SIZES = [(96, 64), (1000, 72), (333, 37), (1, 1), (17, 8)]


@dataclasses.dataclass(frozen=True)
class Lora:
    """LoRAs of the matrices whose names begin with the letters; `attributes` as the op writes them."""

    matrices: str = "gud"
    rank: int = 16
    adapters: int = 4
    attributes: str = ""
    dtype: str = ""  # Of A and B; the form's where empty.
    scales: int = 0  # The rank of the operand, 0 without one.
    ranks: int = 0

    def operands(self, form, rng):
        """(name, array, dtype, shape of the type) each: ids, A and B of each matrix, scales and ranks."""
        dtype = self.dtype or form.dtype
        ids = rng.integers(-1, self.adapters, form.tokens)
        ids[form.tokens // 3] = -7
        result = [("ids", ids, "i32", ids.shape)]
        for matrix in self.matrices:
            k, n = (form.d, form.h) if matrix == "d" else (form.h, form.d)
            a = rng.standard_normal((self.adapters, self.rank, k)) / k**0.5
            b = rng.standard_normal((self.adapters, n, self.rank)) / self.rank**0.5 / 4
            result += [(f"a_{matrix}", a, dtype, a.shape), (f"b_{matrix}", b, dtype, b.shape)]
        for name, rank, kind in (("scales", self.scales, "f32"), ("ranks", self.ranks, "i32")):
            shape = (3, self.adapters)[2 - rank :]
            if rank:
                values = rng.choice([0.5, 1, 1.5], shape) if kind == "f32" else rng.integers(0, self.rank + 1, shape)
                result.append((name, values, kind, shape))
        return result


@dataclasses.dataclass(frozen=True)
class Form:
    """An op; `attributes` as the op writes them."""

    dtype: str
    tokens: int
    d: int
    h: int
    multiplier: float = 1.64485359
    attributes: str = ""
    layout: str = "dh"
    special: str = ""
    lora: Lora | None = None

    def inputs(self, rng):
        """(name, array, element type, shape) of all inputs, of sizes that keep all values near 1."""
        names = ("x", "g", "u", "d", "o")
        matrices = [(name, array, self.dtype, array.shape) for name, array in zip(names, self.arrays(rng))]
        return matrices + (self.lora.operands(self, rng) if self.lora else [])

    def arrays(self, rng):
        """The five matrices in f32."""
        x = rng.standard_normal((self.tokens, self.h))
        gate, up = (rng.standard_normal((self.d, self.h)) / self.h**0.5 for _ in range(2))
        down = rng.standard_normal((self.d, self.h)) / self.d**0.5
        out = rng.standard_normal((self.tokens, self.h))
        if self.special == "nan":
            x[self.tokens // 2, self.h // 2] = np.nan
        if self.special == "inf":  # Of columns whose gate is 0, below every cutoff here.
            gate[::7] = 0
            up[::7], down[::14] = np.inf, -np.inf
        return [x, gate, up, down.T if self.layout == "hd" else down, out]


def encode(array, dtype):
    if dtype == "i32":
        return "I32", np.ascontiguousarray(array, dtype=np.int32).tobytes()
    array = np.ascontiguousarray(array, dtype=np.float32)
    if dtype == "f32":
        return "F32", array.tobytes()
    if dtype == "f16":
        return "F16", array.astype(np.float16).tobytes()
    return "BF16", (array.view(np.uint32) >> 16).astype(np.uint16).tobytes()


def write_tensors(path, tensors):
    """`tensors`: (name, array, dtype) each, to a safetensors file."""
    entries, parts, position = {}, [], 0
    for name, array, dtype in tensors:
        code, data = encode(array, dtype)
        entries[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": [position, position + len(data)]}
        parts.append(data)
        position += len(data)
    text = json.dumps(entries).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def module(forms, is_dynamic):
    """A function with the inputs of each form as arguments, and a result for each."""
    arguments, lines, results = [], [], []
    for i, form in enumerate(forms):
        types = {}
        for name, _, dtype, shape in form.inputs(np.random.default_rng(i)):
            sizes = [str(n) for n in shape]
            if is_dynamic and name in ("x", "o", "ids"):
                sizes[0] = "?"
            types[name] = f"tensor<{'x'.join([*sizes, dtype])}>"
            arguments.append(f"%{name}{i}: {types[name]}")

        def group(*names):
            known = [name for name in names if name in types]
            return f"({', '.join(f'%{name}{i}' for name in known)} : {', '.join(types[name] for name in known)})"

        text = f"  %r{i} = frit.sparse_ffn ins{group('x', 'ids')} weights{group('g', 'u', 'd')}"
        for name, matrix in (("gate_lora", "g"), ("up_lora", "u"), ("down_lora", "d")):
            text += f" {name}{group(f'a_{matrix}', f'b_{matrix}')}" if f"a_{matrix}" in types else ""
        for name in ("scales", "ranks"):
            text += f" {name}{group(name)}" if name in types else ""
        text += f" outs{group('o')} std_multiplier = {form.multiplier:.9e} down_layout = {form.layout}"
        first, last = split_attributes(f"{form.attributes} {form.lora.attributes if form.lora else ''}".split())
        lines.append(f"{text} {first} {last} -> {types['x']}")
        results.append((f"%r{i}", types["x"]))
    names, types = (", ".join(texts) for texts in zip(*results))
    return "\n".join([f"func.func @main({', '.join(arguments)}) -> ({types}) {{", *lines, f"  return {names} : {types}", "}", ""])


def split_attributes(words):
    """All but `accumulate`, and that: the op has it last."""
    at = words.index("accumulate") if "accumulate" in words else len(words)
    return " ".join(words[:at] + words[at + 3 :]), " ".join(words[at : at + 3])


def known_forms(dtype):
    """What fused kernels take."""
    for i, (d, h) in enumerate(SIZES):
        for tokens in ((1, 2, 8), (3, 4, 16), (5, 9))[i % 3]:
            yield Form(dtype, tokens, d, h, attributes=("", "accumulate = true")[tokens % 2])
    # A cutoff that rounds differently moves all columns: with 16 bits not too many are active.
    most = -3.0 if dtype == "f32" else -1.0
    for multiplier, attributes in ((most, ""), (most, "rounding = final"), (0.0, "approximate = erf"), (0.7, "correction = 1"),
                                   (0.7, "approximate = erf rounding = final correction = 1"), (4.0, "")):
        yield Form(dtype, 4, 768, 96, multiplier, attributes)
    for d, h, tokens in ((2500, 2300, 7), (200, 4100, 3), (40, 9001, 1), (40, 9001, 2)):  # Clusters of 2 to 16 blocks.
        yield Form(dtype, tokens, d, h, attributes="accumulate = true")
    yield Form(dtype, 3, 512, 128, special="nan")
    yield Form(dtype, 8, 511, 40, special="inf")
    yield from lora_forms(dtype)
    if dtype == "bf16":
        yield Form(dtype, 2, 16384, 2048)


def lora_forms(dtype):
    for tokens, lora in ((1, Lora()), (2, Lora(scales=2)), (4, Lora(ranks=2)), (8, Lora(scales=1, ranks=1)), (13, Lora(adapters=3)),
                         (3, Lora("g")), (3, Lora("u")), (3, Lora("d")),
                         (5, Lora("gd", 40, 2, "gate_scale = 0.5 down_scale = 1.5 intermediate = element")),
                         (6, Lora("ud", 7, 3, "up_scale = 0.5 lora_rounding = sum", scales=2, ranks=2)),
                         (2, Lora("gud", 1, 1, "up_scale = 2.0 lora_rounding = stepwise"))):
        yield Form(dtype, tokens, 768, 96, 0.7, lora=lora)
    yield Form(dtype, 4, 333, 37, 0.7, "accumulate = true", lora=Lora(rank=5, scales=2))
    yield Form(dtype, 3, 512, 128, special="nan", lora=Lora())
    yield Form(dtype, 5, 500, 2300, 0.7, lora=Lora(ranks=1))  # Clusters.
    if dtype != "f32":
        yield Form(dtype, 7, 768, 96, 0.7, "accumulate = true", lora=Lora(dtype="f32", rank=9, ranks=1))
        yield Form(dtype, 9, 768, 96, 0.7, lora=Lora(dtype="f32", attributes="lora_rounding = stepwise"))
    if dtype == "bf16":
        yield Form(dtype, 3, 16384, 2048, lora=Lora(scales=1))


def any_forms(dtype, tokens):
    """What is chosen at run time, and what no fused kernel takes."""
    for d, h in SIZES[:3]:
        yield Form(dtype, tokens, d, h, attributes="accumulate = true")
    yield Form(dtype, tokens, 128, 64, lora=Lora(rank=8) if tokens else None)
    yield Form(dtype, tokens, 128, 64, layout="hd")


def check(output, target, name, policy, forms, is_dynamic):
    """Runs a function of forms; what failed, or nothing."""
    file, data = output / f"{name}.mlir", output / f"{name}.safetensors"
    file.write_text(module(forms, is_dynamic))
    tensors = []
    for i, form in enumerate(forms):
        for _, array, dtype, _ in form.inputs(np.random.default_rng(i)):
            tensors.append((f"arg{len(tensors)}", array, dtype))
    write_tensors(data, tensors)
    command = ["frit-run", str(file), f"--target={target}", f"--policy={policy}", "--expect=native", *TOLERANCES[forms[0].dtype]]
    command += [f"--input={key}=@{data}#{key}" for key, _, _ in tensors]
    result = subprocess.run(command, capture_output=True, text=True)
    return f"{name}: exit code {result.returncode}\n{result.stdout}{result.stderr}" if result.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default="cuda", help="where the functions run; fused kernels are required of cuda alone")
    parser.add_argument("output", type=pathlib.Path, help="where functions and inputs are written")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    fused = "require=cuda" if args.target.startswith("cuda") else "auto"
    jobs = []
    for dtype in TOLERANCES:
        forms = list(known_forms(dtype))
        jobs += [(f"known_{dtype}_{i}", fused, forms[i : i + FORMS_AT_ONCE], False) for i in range(0, len(forms), FORMS_AT_ONCE)]
    jobs += [(f"any_{dtype}_{tokens}", "auto", list(any_forms(dtype, tokens)), True)
             for dtype, several in (("bf16", (0, 1, 3, 8, 9, 17)), ("f16", (2,)), ("f32", (6,))) for tokens in several]
    with concurrent.futures.ThreadPoolExecutor(min(12, os.cpu_count() or 1)) as pool:
        failures = [text for text in pool.map(lambda job: check(args.output, args.target, *job), jobs) if text]
    print("\n".join(failures))
    print(f"{sum(len(job[2]) for job in jobs)} forms in {len(jobs)} functions, of which {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
