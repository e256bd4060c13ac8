# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes inputs for same-bits.mlir, and compares what a shared library computes with what frit-run did.

usage: same-bits.py make FOLDER | same-bits.py check FOLDER RUNTIME
"""

import ctypes
import pathlib
import sys

import numpy as np


class Tensor(ctypes.Structure):
    """FritTensor of frit-c/Tensor.h."""

    _fields_ = [("data", ctypes.c_void_p), ("sizes", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_int32), ("type", ctypes.c_int32),
                ("device", ctypes.c_int32), ("flags", ctypes.c_int32)]

    def __init__(self, array):
        assert array.dtype == np.float32
        sizes = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*(stride // array.itemsize for stride in array.strides))
        super().__init__(array.ctypes.data, sizes, strides, array.ndim, 2 * 256 + 32, -1, 0)


def make(folder):
    random = np.random.default_rng(0)
    np.save(folder / "x.npy", random.standard_normal((13, 512), dtype=np.float32))
    np.save(folder / "w.npy", random.standard_normal((256, 64), dtype=np.float32) / 16)


def check(folder, runtime):
    runtime = ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(folder / "f.so")
    runtime.fritContextErrorMessage.restype = ctypes.c_char_p
    context = ctypes.c_void_p()
    assert runtime.fritContextCreate(None, ctypes.byref(context)) == 0
    expected = np.load(folder / "run.npy")
    actual = np.full_like(expected, np.nan)
    arrays = [np.load(folder / "x.npy"), np.load(folder / "w.npy"), actual]
    tensors = [Tensor(array) for array in arrays]
    if library.f_f(context, *(ctypes.byref(tensor) for tensor in tensors)) != 0:
        sys.exit(runtime.fritContextErrorMessage(context).decode())
    runtime.fritContextDestroy(context)
    differing = np.flatnonzero(actual.view(np.uint32) != expected.view(np.uint32))
    if differing.size:
        index = differing[0]
        sys.exit(f"{differing.size} elements differ, the first at {index}: {actual.flat[index]} and {expected.flat[index]}")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(pathlib.Path(sys.argv[2]))
    else:
        check(pathlib.Path(sys.argv[2]), sys.argv[3])
