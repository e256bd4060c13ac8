# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""New tensors for results, of the framework that the arguments have."""

import sys

import numpy

from . import _abi, dtypes
from .errors import FritError, InvalidArgumentError, OutOfMemoryError


def _torch_empty(torch, sizes, code, device):
    where = "cpu" if device == _abi.NO_DEVICE else f"cuda:{device}"
    return torch.empty(sizes, dtype=getattr(torch, dtypes.numpy_name(code)), device=where)


def _cupy_empty(cupy, sizes, code, device):
    with cupy.cuda.Device(device):
        return cupy.empty(sizes, dtype=dtypes.to_numpy(code))


def _allocate(like, sizes, code, device):
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(like, torch.Tensor):
        return _torch_empty(torch, sizes, code, device)
    if device == _abi.NO_DEVICE:
        return numpy.empty(sizes, dtypes.to_numpy(code))
    package = type(like).__module__.partition(".")[0]
    if package == "cupy":
        return _cupy_empty(sys.modules[package], sizes, code, device)
    if torch is not None and like is None:
        return _torch_empty(torch, sizes, code, device)
    raise InvalidArgumentError(f"there is no way to allocate a result on cuda:{device} beside arguments of type "
                               f"{type(like).__name__}: pass out=")


def empty(like, sizes, code, device):
    """A row-major tensor, not initialized. Of the framework of `like`, where that can allocate memory that others write
    to; else, on the host, of NumPy."""
    try:
        return _allocate(like, sizes, code, device)
    except FritError:
        raise
    except Exception as error:
        # Each framework has exceptions of its own for sizes that are too large for it or for the memory.
        what = "x".join(map(str, (*sizes, dtypes.name_of(code))))
        raise OutOfMemoryError(f"a result of {what} cannot be allocated: {error}") from error


def zeros(like, sizes, code, device):
    """As `empty`, of zeros."""
    tensor = empty(like, sizes, code, device)
    clear(tensor)
    return tensor


def clear(tensor):
    """Sets the elements of a tensor to 0."""
    if hasattr(tensor, "zero_"):
        tensor.zero_()
    else:
        tensor[...] = 0
