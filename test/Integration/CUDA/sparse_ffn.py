#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: cuda-device, cuda-kernels, cpu-runner, numpy
# RUN: %python %s %t
"""Runs sparse_ffn on the GPU and compares with the reference, frit-run --expect=native, on the CPU.

Known numbers of tokens must be executed by fused kernels: every tile, types, roundings, densities from all to none, clusters
for long rows, sizes that no vector divides, a NaN token, infinities that no active column meets. Functions of any number of
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

    def arrays(self, rng):
        """The inputs in f32, of sizes that keep all values near 1."""
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
    """A function with five arguments and a result for each form."""
    arguments, lines, results = [], [], []
    for i, form in enumerate(forms):
        x = f"tensor<{'?' if is_dynamic else form.tokens}x{form.h}x{form.dtype}>"
        w = f"tensor<{form.d}x{form.h}x{form.dtype}>"
        down = w if form.layout == "dh" else f"tensor<{form.h}x{form.d}x{form.dtype}>"
        arguments.append(f"%x{i}: {x}, %g{i}: {w}, %u{i}: {w}, %d{i}: {down}, %o{i}: {x}")
        lines.append(f"  %r{i} = frit.sparse_ffn ins(%x{i} : {x}) weights(%g{i}, %u{i}, %d{i} : {w}, {w}, {down}) outs(%o{i} : {x})"
                     f" std_multiplier = {form.multiplier:.9e} down_layout = {form.layout} {form.attributes} -> {x}")
        results.append((f"%r{i}", x))
    names, types = (", ".join(texts) for texts in zip(*results))
    return "\n".join([f"func.func @main({', '.join(arguments)}) -> ({types}) {{", *lines, f"  return {names} : {types}", "}", ""])


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
    if dtype == "bf16":
        yield Form(dtype, 2, 16384, 2048)


def any_forms(dtype, tokens):
    """What is chosen at run time, and what no fused kernel takes."""
    for d, h in SIZES[:3]:
        yield Form(dtype, tokens, d, h, attributes="accumulate = true")
    yield Form(dtype, tokens, 128, 64, layout="hd")


def check(output, target, name, policy, forms, is_dynamic):
    """Runs a function of forms; what failed, or nothing."""
    file, data = output / f"{name}.mlir", output / f"{name}.safetensors"
    file.write_text(module(forms, is_dynamic))
    rng, tensors = np.random.default_rng(1), []
    for form in forms:
        tensors += [(f"arg{len(tensors) + i}", array, form.dtype) for i, array in enumerate(form.arrays(rng))]
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
