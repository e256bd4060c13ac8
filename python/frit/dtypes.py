# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: the codes of frit-c/Tensor.h beside the types of NumPy and PyTorch.

A code is the kind of number, by DLPack's number, times 256, plus the bits.
"""

import numpy

from .errors import UnsupportedTypeError

CODES = {
    "i1": 6 * 256 + 8,
    "i8": 8,
    "i16": 16,
    "i32": 32,
    "i64": 64,
    "f16": 2 * 256 + 16,
    "bf16": 4 * 256 + 16,
    "f32": 2 * 256 + 32,
    "f64": 2 * 256 + 64,
}
NAMES = {code: name for name, code in CODES.items()}

_NUMPY_NAMES = {
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
}
_CODES_BY_NUMPY_NAME = {numpy_name: CODES[name] for name, numpy_name in _NUMPY_NAMES.items()}


def name_of(code):
    """MLIR's name of a type code."""
    return NAMES.get(code, f"of code {code:#x}")


def from_numpy(dtype):
    """The code of a NumPy type."""
    code = _CODES_BY_NUMPY_NAME.get(dtype.name)
    if code is None:
        raise UnsupportedTypeError(f"has element type {dtype}, expected one of {', '.join(_NUMPY_NAMES.values())}")
    if not dtype.isnative:
        raise UnsupportedTypeError(f"has element type {dtype.newbyteorder('=')} in the other byte order, expected the "
                                   "machine's own")
    return code


def to_numpy(code):
    """The NumPy type of a code."""
    if code == CODES["bf16"]:
        try:
            import ml_dtypes
        except ImportError:
            raise UnsupportedTypeError("a NumPy array of bf16 needs the package ml_dtypes, which is not installed; or "
                                       "pass tensors of PyTorch") from None
        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(_NUMPY_NAMES[name_of(code)])


def torch_codes(torch):
    """From PyTorch's types to codes."""
    return {getattr(torch, numpy_name): CODES[name] for name, numpy_name in _NUMPY_NAMES.items()}


def numpy_name(code):
    """The name that NumPy and PyTorch have for a code."""
    return _NUMPY_NAMES[name_of(code)]
