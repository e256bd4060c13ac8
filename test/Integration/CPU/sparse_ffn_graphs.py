#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %frit_src/test/data/real %t
# REQUIRES: cpu-runner
"""Runs layers that were exported from PyTorch with their zeros left out.

The graphs are raised, their chain becomes frit.sparse_ffn for few tokens, frit-run transposes the weights of down when it
loads them, and the first tokens of the stored input must give the first tokens of what PyTorch computed: within the
tolerances of frit-run, and several ulps more where roundings of a 16-bit graph differ by a step.
Usage: sparse_ffn_graphs.py FOLDER SCRATCH-PREFIX [OPTION...]
"""
import json
import pathlib
import struct
import subprocess
import sys

GRAPHS = {
    "g3n_mlp_sparse_f32_dynamic_args_aten": ["--atol=1e-5", "--rtol=1e-4"],
    "g3n_mlp_sparse_bf16_dynamic_args_aten": ["--atol=0.02", "--rtol=0.05"],
    "g3n_mlp_lora_bf16_dynamic_args": ["--atol=0.02", "--rtol=0.05"],
}


def write_first_rows(file: pathlib.Path, rows: int, keys: list[str], target: pathlib.Path) -> None:
    """Writes the first rows of some tensors of a safetensors file to another."""
    with file.open("rb") as stream:
        (size,) = struct.unpack("<Q", stream.read(8))
        header = json.loads(stream.read(size))
        data = stream.read()
    entries, parts, position = {}, [], 0
    for key in keys:
        entry = header[key]
        begin, end = entry["data_offsets"]
        length = (end - begin) // entry["shape"][0] * rows
        parts.append(data[begin : begin + length])
        entries[key] = {**entry, "shape": [rows, *entry["shape"][1:]], "data_offsets": [position, position + length]}
        position += length
    text = json.dumps(entries).encode()
    target.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def main() -> int:
    """Runs every graph for one and for two tokens."""
    folder, prefix, *options = sys.argv[1:]
    failed = 0
    for name, tolerances in GRAPHS.items():
        data = pathlib.Path(folder) / f"{name}.safetensors"
        first = pathlib.Path(f"{prefix}.{name}.safetensors")
        count = 4 if "sparse" in name else 10
        for rows in (1, 2):
            write_first_rows(data, rows, ["in.0", "out.0"], first)
            inputs = [f"--input=arg0=@{first}#in.0"]
            inputs += [f"--input=arg{i}=@{data}#in.{i}" for i in range(1, count)]
            command = ["frit-run", f"{folder}/{name}.mlir", "--target=cpu", "--raise=framework", "--explain"]
            command += ["--assume-finite-weights", *inputs, f"--expect=@{first}#out.0", *tolerances, *options]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            good = result.returncode == 0 and all(
                text in result.stdout for text in ("frit.sparse_ffn", "is stored transposed", "match"))
            print(name, rows, "passes" if good else f"FAILS\n{result.stdout}{result.stderr}")
            failed += not good
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
