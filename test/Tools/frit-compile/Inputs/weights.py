# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes what weights.mlir needs, and reads and spoils the file of weights.

usage: weights.py make FOLDER SOURCE | weights.py list FILE | weights.py spoil FILE FOLDER
"""

import json
import pathlib
import struct
import sys

import numpy as np


def make(folder, source):
    """x.npy, and mlp.mlir: the source with data for its resources."""
    random = np.random.default_rng(0)
    shapes = {"gate": (96, 64), "up": (96, 64), "down": (64, 96)}
    arrays = {name: random.standard_normal(shape, dtype=np.float32) / 8 for name, shape in shapes.items()}
    arrays["ids"] = np.arange(1100, dtype=np.int32)
    blobs = ",\n".join(f'{name}: "0x40000000{array.tobytes().hex()}"' for name, array in arrays.items())
    text = source.read_text() + "{-# dialect_resources: { builtin: {\n" + blobs + "\n} } #-}\n"
    (folder / "mlp.mlir").write_text(text)
    np.save(folder / "x.npy", random.standard_normal((5, 64), dtype=np.float32))


def read(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8:8 + length]), data[8 + length:], 8 + length


def write(path, tensors):
    """A file of (name, dtype, shape, bytes)."""
    header, data = {}, b""
    for name, dtype, shape, content in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def list_file(path):
    header, _, begin = read(path)
    print("data begins at a multiple of 64" if begin % 64 == 0 else f"data begins at {begin}")
    for name, entry in header.items():
        print(f"{name}: {entry['dtype']} {entry['shape']}")


def spoil(path, folder):
    header, data, _ = read(path)
    tensors = {name: (name, entry["dtype"], entry["shape"], data[slice(*entry["data_offsets"])])
               for name, entry in header.items()}
    for name, _, _, content in tensors.values():
        (folder / f"{name}.bin").write_bytes(content)
    (folder / "broken").write_bytes(path.read_bytes() + b"x")
    name, dtype, shape, content = tensors["gate"]
    spoilt = {
        "missing": None,
        "shape": (name, dtype, shape[::-1], content),
        "type": (name, "I32", shape, content),
        "bit": (name, dtype, shape, content[:-1] + bytes([content[-1] ^ 1])),
    }
    for file, tensor in spoilt.items():
        write(folder / file, [tensor if old[0] == name else old for old in tensors.values() if tensor or old[0] != name])
    # Of another order, with a tensor that no code needs, and nothing aligned.
    write(folder / "merged", [("other", "U8", [3], b"abc"), *reversed(tensors.values())])


if __name__ == "__main__":
    paths = [pathlib.Path(argument) for argument in sys.argv[2:]]
    {"make": make, "list": list_file, "spoil": spoil}[sys.argv[1]](*paths)
