# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers as the bits of a scalar argument."""

import math
import struct

import numpy

from . import _abi, dtypes
from .errors import InvalidArgumentError, UnsupportedTypeError, show

_FORMATS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}
_NO_SIZES = ()


# bfloat16 has 8 bits of precision, and 2^-133 between its smallest numbers.
_BF16_PRECISION = 8
_BF16_LEAST_EXPONENT = -133
_BF16_INFINITY = 0x7f80
_BF16_NAN = 0x7fc0


def _bf16_bits(value):
    """The bits of the bfloat16 nearest to a float, in one rounding, ties to even."""
    sign = 0x8000 if math.copysign(1.0, value) < 0 else 0
    if value == 0:
        return sign
    if not math.isfinite(value):
        return sign | (_BF16_NAN if math.isnan(value) else _BF16_INFINITY)
    exponent = max(math.frexp(value)[1] - _BF16_PRECISION, _BF16_LEAST_EXPONENT)
    # Scaling by a power of two is exact, and round() takes ties to even. Where the significand rounds up to the next power
    # of two, the sum carries into the exponent.
    bits = round(math.ldexp(abs(value), -exponent)) + (exponent - _BF16_LEAST_EXPONENT) * (1 << (_BF16_PRECISION - 1))
    if bits >= _BF16_INFINITY:
        raise OverflowError
    return sign | bits


def _to_bits(value, name):
    if name == "i1":
        if value not in (0, 1):
            raise InvalidArgumentError(f"is {show(value)}, expected an i1: False or True")
        return int(value)
    is_integer = name[0] == "i"
    if is_integer and not hasattr(value, "__index__"):
        raise UnsupportedTypeError(f"is the {type(value).__name__} {value}, expected an integer of {name[1:]} bits")
    try:
        if name == "bf16":
            return _bf16_bits(float(value))
        packed = struct.pack("<" + _FORMATS[name], value if is_integer else float(value))
    except (struct.error, OverflowError):
        raise InvalidArgumentError(f"is {show(value)}, which does not fit into {name}") from None
    return int.from_bytes(packed, "little")


def _take_item(value):
    try:
        return value.item()
    except Exception as error:
        raise InvalidArgumentError(f"has no value ({type(error).__name__}: {error}), expected a number") from error


def view(value, code):
    """A view (see _views) of a scalar of type `code`; its address is the bits."""
    name = dtypes.name_of(code)
    if hasattr(value, "item") and getattr(value, "shape", None) == _NO_SIZES:
        value = _take_item(value)
    if not isinstance(value, (bool, int, float, numpy.generic)):
        raise UnsupportedTypeError(f"is a {type(value).__name__}, expected a number for {name}")
    bits = _to_bits(value, name)
    return bits - (1 << 64) if bits >= 1 << 63 else bits, code, _abi.NO_DEVICE & 0xffffffff, _NO_SIZES, _NO_SIZES
