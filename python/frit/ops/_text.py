# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The MLIR functions behind frit.ops: one op each, dynamic in tokens and adapters, static in the sizes of a model.

What a function reads is a tensor; what it updates in place is a memref, so that a destination's old values need no copy.
Arguments carry their names, which messages then show.
"""

import math
import numbers
import struct

from ..errors import InvalidArgumentError, show


def choice(what, value, allowed):
    """Checks an attribute that has named values."""
    if not isinstance(value, (str, numbers.Integral)) or value not in allowed:
        raise InvalidArgumentError(f"{what} is {show(value)}, expected one of {', '.join(map(repr, allowed))}")
    return value


# Of sizes and positions; a sum of a few is an integer of 64 bits, too.
_LARGEST_INDEX = 2**60


def index(what, value):
    if not isinstance(value, numbers.Integral) or not 0 <= value <= _LARGEST_INDEX:
        raise InvalidArgumentError(f"{what} is {show(value)}, expected an integer from 0 to {_LARGEST_INDEX}")
    return int(value)


def f32(what, value):
    """A literal that means the f32 nearest to a number."""
    try:
        rounded = struct.unpack("f", struct.pack("f", value))[0] if isinstance(value, numbers.Real) else math.nan
    except (OverflowError, struct.error):
        rounded = math.nan
    if not math.isfinite(rounded):
        raise InvalidArgumentError(f"{what} is {show(value)}, expected a finite number of f32")
    return f"{rounded:.9e}"


def tensor(sizes, element):
    """The type of a tensor; None is a dynamic size."""
    return f"tensor<{''.join('?x' if size is None else f'{size}x' for size in sizes)}{element}>"


class Argument:
    """An argument of a function: its name, sizes, names of dimensions, element type, and whether it is updated."""

    def __init__(self, name, sizes, element, dims=None, is_updated=False):
        self.name = name
        self.type = tensor(sizes, element)
        self.is_updated = is_updated
        strides = ", ".join(["?"] * (len(sizes) - 1) + ["1"])
        self.memref = f"{self.type.replace('tensor<', 'memref<')[:-1]}, strided<[{strides}]>>"
        self.attributes = f'{{frit.tensor = "{name}"'
        if dims:
            self.attributes += ", frit.dims = [" + ", ".join(f'"{dim}"' for dim in dims) + "]"
        self.attributes += "}"

    def declaration(self):
        return f"%{self.name}{'_memory' if self.is_updated else ''}: " \
               f"{self.memref if self.is_updated else self.type} {self.attributes}"


def values(arguments):
    """Operands of an op: names and then types."""
    return ", ".join(f"%{a.name}" for a in arguments) + " : " + ", ".join(a.type for a in arguments)


def types(arguments):
    return ", ".join(argument.type for argument in arguments)


def function(name, arguments, body, results):
    """A function whose op computes new values, `%r0`, `%r1`, ..., of the updated arguments, in this order, as `results`
    says."""
    lines = [f"func.func @{name}({', '.join(argument.declaration() for argument in arguments)}) {{"]
    updated = [argument for argument in arguments if argument.is_updated]
    lines += [
        f"  %{a.name} = bufferization.to_tensor %{a.name}_memory restrict writable : {a.memref} to {a.type}"
        for a in updated
    ]
    lines.append(f"  {body}")
    lines += [
        f"  bufferization.materialize_in_destination {result} in restrict writable %{a.name}_memory : "
        f"({a.type}, {a.memref}) -> ()" for result, a in zip(results, updated)
    ]
    return "\n".join(lines + ["  return", "}", ""])
