# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of any framework as plain views, without copies.

A view is the tuple (address, type, device, sizes, strides). `type` is a code of frit-c/Tensor.h; `device` is the word that
it has for the device's ordinal, in the lower half, and the flags, in the upper. Strides count elements.

A view is plain data for speed. Whoever makes one keeps the tensor alive while it is used.
"""

import ctypes
import sys

import numpy

from . import _abi, _dlpack, dtypes
from .errors import InvalidArgumentError, LibraryError, UnsupportedTypeError

_READ_ONLY = _abi.TENSOR_READ_ONLY << 32
_HOST = _abi.NO_DEVICE & 0xffffffff


def device_word(device, read_only=False):
    return device & 0xffffffff | (_READ_ONLY if read_only else 0)


def device_of(view):
    """The ordinal of the device of a view, or NO_DEVICE."""
    device = view[2] & 0xffffffff
    return _abi.NO_DEVICE if device == _HOST else device


class _NumpyTypes(dict):
    """From NumPy's types to their codes, and the bytes of an element as a mask and as a shift."""

    def __missing__(self, dtype):
        found = dtypes.from_numpy(dtype), dtype.itemsize - 1, dtype.itemsize.bit_length() - 1
        self[dtype] = found
        return found


_numpy_types = _NumpyTypes()
_read_pointer = ctypes.c_void_p.from_address
_HEADER = object.__basicsize__


def _check_layout():
    """The address of its elements is the first member of the C structure that an array is, behind the header of every
    object. That is part of NumPy's binary interface, and reading it takes a tenth of the time of `array.ctypes`."""
    array = numpy.empty(1, numpy.int8)
    if _read_pointer(id(array) + _HEADER).value != array.ctypes.data:
        raise LibraryError(f"NumPy {numpy.__version__} keeps the address of an array's elements elsewhere than the versions "
                           "that this package knows")


_check_layout()


def _refuse_stride(array, size):
    # Strides do not matter along dimensions of size 1, nor where there is no element.
    for extent, stride in zip(array.shape, array.strides):
        if extent > 1 and stride % size and array.size:
            raise InvalidArgumentError(f"has a stride of {stride} bytes, expected a multiple of the {size} bytes "
                                       f"of {array.dtype}")


def _refuse_masked(array):
    raise UnsupportedTypeError(f"is a {type(array).__name__}, whose mask would be lost, expected a plain array: pass "
                               ".filled(VALUE), or .data")


def _view_numpy(array):
    code, mask, shift = _numpy_types[array.dtype]
    strides = array.strides
    # Written out for the usual ranks: a loop takes as long as all the rest.
    rank = len(strides)
    if rank == 2:
        first, second = strides
        bits = first | second
        strides = first >> shift, second >> shift
    elif rank == 3:
        first, second, third = strides
        bits = first | second | third
        strides = first >> shift, second >> shift, third >> shift
    elif rank == 1:
        bits = strides[0]
        strides = bits >> shift,
    else:
        bits = 0
        for stride in strides:
            bits |= stride
        strides = [stride >> shift for stride in strides]
    if bits & mask:
        _refuse_stride(array, mask + 1)
    address = _read_pointer(id(array) + _HEADER).value or 0
    return address, code, _HOST if array.flags.writeable else _HOST | _READ_ONLY, array.shape, strides


def _view_generic(value):
    if hasattr(value, "__dlpack__"):
        return _dlpack.view(value)
    try:
        buffer = memoryview(value)
    except TypeError:
        raise UnsupportedTypeError(f"is a {type(value).__name__}, expected a tensor: an object with __dlpack__ or the "
                                   "buffer protocol") from None
    except ValueError as error:
        raise InvalidArgumentError(f"has no memory ({error}), expected a buffer that is not released") from None
    return _view_numpy(numpy.asarray(buffer))


def _make_view_torch(torch):
    types = dtypes.torch_codes(torch)
    # Parts of complex numbers are views that may be negated, and there are complex numbers of these types only.
    may_be_negated = frozenset(types[dtype] for dtype in (torch.float16, torch.float32, torch.float64))
    is_grad_enabled = torch.is_grad_enabled

    def refuse(tensor, reason=""):
        """Says why a tensor has no view."""
        if tensor.layout is not torch.strided:
            raise InvalidArgumentError(f"has layout {tensor.layout}, expected torch.strided")
        if not tensor.is_cpu and not tensor.is_cuda:
            raise InvalidArgumentError(f"is on device {tensor.device}, expected the CPU or a CUDA device")
        if tensor.dtype not in types:
            raise UnsupportedTypeError(f"has element type {tensor.dtype}, expected one of "
                                       f"{', '.join(str(dtype) for dtype in types)}")
        if tensor.requires_grad and is_grad_enabled():
            raise InvalidArgumentError("requires a gradient, which Frit does not compute: call it under "
                                       "torch.no_grad(), or pass tensor.detach()")
        if tensor.is_neg():
            raise InvalidArgumentError("is a view with a pending negation, expected plain memory: pass "
                                       "tensor.resolve_neg()")
        kind = "a tensor" if type(tensor) is torch.Tensor else f"a {type(tensor).__name__}"
        raise InvalidArgumentError(f"is {kind} without memory{reason}, expected one with data: transformations such as "
                                   "torch.vmap, tracing, and storage that was freed have none")

    def view_torch(tensor):
        try:
            code = types[tensor.dtype]
            device = _HOST if tensor.is_cpu else tensor.get_device()
            if tensor.requires_grad and is_grad_enabled() or code in may_be_negated and tensor.is_neg() or \
                    device != _HOST and not tensor.is_cuda:
                refuse(tensor)
            address = tensor.data_ptr()
            if not address and tensor.numel():
                refuse(tensor)
            return address, code, device, tensor.shape, tensor.stride()
        except (KeyError, RuntimeError, NotImplementedError) as error:
            refuse(tensor, f" ({error})")

    return view_torch


class _Viewers(dict):
    """From types of tensors to the functions that make views of them."""

    def __missing__(self, cls):
        torch = sys.modules.get("torch")
        if torch is not None and issubclass(cls, torch.Tensor):
            viewer = self.get(torch.Tensor) or _make_view_torch(torch)
            self[torch.Tensor] = viewer
        elif issubclass(cls, numpy.ma.MaskedArray):
            viewer = _refuse_masked
        elif issubclass(cls, numpy.ndarray):
            viewer = _view_numpy
        else:
            viewer = _view_generic
        self[cls] = viewer
        return viewer


viewers = _Viewers()


def view(tensor):
    """The view of a tensor."""
    return viewers[type(tensor)](tensor)
