#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the files of this folder with numpy, ml_dtypes and safetensors.

The unit tests of lib/IO read them: they show what these libraries really write. Element i of every tensor is
(i - 2) / 2 in floating point, i - 2 in signed integers, i in unsigned ones, and i odd in booleans.
"""

import pathlib

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

HERE = pathlib.Path(__file__).resolve().parent
SHAPE = (2, 3)
TYPES = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "ui8": np.uint8, "ui16": np.uint16, "ui32": np.uint32, "ui64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
}


def values(name, shape=SHAPE):
    i = np.arange(np.prod(shape, dtype=int))
    if name == "i1":
        v = i % 2
    elif name.startswith("ui"):
        v = i
    elif name.startswith("i"):
        v = i - 2
    else:
        v = (i - 2) / 2
    return v.astype(TYPES[name]).reshape(shape)


def main():
    for name in TYPES:
        np.save(HERE / f"{name}.npy", values(name))
    np.save(HERE / "scalar_f32.npy", values("f32", ()))
    np.save(HERE / "vector_f32.npy", values("f32", (5,)))
    np.save(HERE / "empty_f32.npy", values("f32", (3, 0, 2)))
    np.save(HERE / "fortran.npy", np.asfortranarray(values("f32")))
    np.save(HERE / "big_endian.npy", values("f32").astype(">f4"))
    np.save(HERE / "structured.npy", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))
    np.save(HERE / "objects.npy", np.array([None, 1], dtype=object))
    np.save(HERE / "complex.npy", np.zeros(2, dtype=np.complex64))
    np.save(HERE / "float8.npy", np.zeros(2, dtype=ml_dtypes.float8_e4m3fn))
    for version in ((2, 0), (3, 0)):
        with open(HERE / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, values("f32"), version=version)
    tensors = {name: values(name) for name in TYPES}
    tensors["scalar"] = values("f32", ())
    tensors["empty"] = values("bf16", (0, 7))
    save_file(tensors, HERE / "all.safetensors", metadata={"format": "np", "note": "äöü \"quoted\""})
    save_file({}, HERE / "nothing.safetensors")


if __name__ == "__main__":
    main()
