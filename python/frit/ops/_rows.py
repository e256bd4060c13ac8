# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations as matrices of rows."""

from .. import dtypes
from .._views import viewers
from ..errors import InvalidArgumentError, UnsupportedTypeError

FLOATS = ("f32", "f16", "bf16")


def named_view(name, tensor):
    """The view of an argument; errors start with its name."""
    try:
        return viewers[type(tensor)](tensor)
    except InvalidArgumentError as error:
        raise type(error)(f"{name} {error}") from error.__cause__


def check_element(name, view, allowed):
    """Checks that the elements of a view have one of the types that an op takes."""
    element = dtypes.name_of(view[1])
    if element not in allowed:
        raise UnsupportedTypeError(f"{name} has element type {element}, expected {' or '.join(allowed)}")
    return element


def flatten(view):
    """A view with its leading dimensions as one, or None where they have no single stride. Shares the memory."""
    address, code, device, sizes, strides = view
    rank = len(sizes)
    if rank == 2:
        return view
    if rank == 1:
        return address, code, device, (1, sizes[0]), (sizes[0], strides[0])
    rows, stride = 1, None
    for size, step in zip(reversed(sizes[:-1]), reversed(strides[:-1])):
        if size != 1:
            if stride is None:
                stride = step
            elif step != stride * rows:
                return None
        rows *= size
    if rows == 0 or stride is None:
        stride = sizes[-1]
    return address, code, device, (rows, sizes[-1]), (stride, strides[-1])


def check_rank(name, view, least):
    if len(view[3]) < least:
        raise InvalidArgumentError(f"{name} has rank {len(view[3])}, expected {least} or more")
