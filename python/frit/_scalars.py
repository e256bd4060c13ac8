# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers as the bits of a scalar argument."""

import struct

import numpy

from . import _abi, dtypes
from .errors import InvalidArgumentError, UnsupportedTypeError

_FORMATS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}
_NO_SIZES = ()


def _to_bits(value, name):
    if name == "i1":
        if value not in (0, 1):
            raise InvalidArgumentError(f"is {value}, expected an i1: False or True")
        return int(value)
    if name == "bf16":
        array = numpy.asarray(value, dtype=dtypes.to_numpy(dtypes.CODES[name]))
        return int(array.view(numpy.uint16))
    is_integer = name[0] == "i"
    if is_integer and not hasattr(value, "__index__"):
        raise UnsupportedTypeError(f"is the {type(value).__name__} {value}, expected an integer for {name}")
    try:
        packed = struct.pack("<" + _FORMATS[name], value if is_integer else float(value))
    except (struct.error, OverflowError):
        raise InvalidArgumentError(f"is {value}, which does not fit into {name}") from None
    return int.from_bytes(packed, "little")


def view(value, code):
    """A view (see _views) of a scalar of type `code`; its address is the bits."""
    name = dtypes.name_of(code)
    if hasattr(value, "item") and getattr(value, "shape", None) == _NO_SIZES:
        value = value.item()
    if not isinstance(value, (bool, int, float, numpy.generic)):
        raise UnsupportedTypeError(f"is a {type(value).__name__}, expected a number for {name}")
    bits = _to_bits(value, name)
    return bits - (1 << 64) if bits >= 1 << 63 else bits, code << 32, _abi.NO_DEVICE & 0xffffffff, _NO_SIZES, _NO_SIZES
