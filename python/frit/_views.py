# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of any framework as plain views, without copies.

A view is the tuple (address, type, device, sizes, strides). `type` and `device` are the upper halves of the words that
frit-c/Tensor.h has for them: the type code shifted by 32 bits, to which the rank is added, and the device's ordinal in
the lower half beside the flags in the upper. Strides count elements.

A view is plain data for speed. Whoever makes one keeps the tensor alive while it is used.
"""

import ctypes
import sys
from ctypes import c_char, c_int, c_void_p

import numpy

from . import _abi, _dlpack, dtypes
from .errors import InvalidArgumentError, UnsupportedTypeError

_READ_ONLY = _abi.TENSOR_READ_ONLY << 32
_HOST = _abi.NO_DEVICE & 0xffffffff


def device_word(device, read_only=False):
    return device & 0xffffffff | (_READ_ONLY if read_only else 0)


def device_of(view):
    """The ordinal of the device of a view, or NO_DEVICE."""
    device = view[2] & 0xffffffff
    return _abi.NO_DEVICE if device == _HOST else device


def type_code(view):
    return view[1] >> 32


class _NumpyTypes(dict):
    """From NumPy's types to the words of views and the bytes of an element."""

    def __missing__(self, dtype):
        found = dtypes.from_numpy(dtype) << 32, dtype.itemsize
        self[dtype] = found
        return found


class _ArrayStruct(ctypes.Structure):
    """The array interface as C sees it. Reading it costs half of what a.__array_interface__ or a.ctypes do."""

    _fields_ = [("two", c_int), ("nd", c_int), ("typekind", c_char), ("itemsize", c_int), ("flags", c_int),
                ("shape", c_void_p), ("strides", c_void_p), ("data", c_void_p), ("descr", c_void_p)]


_numpy_types = _NumpyTypes()
_get_pointer = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_read_pointer = c_void_p.from_address
_DATA = _ArrayStruct.data.offset


def _check_strides(array, size):
    # Strides do not matter along dimensions of size 1, nor where there is no element.
    for extent, stride in zip(array.shape, array.strides):
        if extent > 1 and stride % size and array.size:
            raise InvalidArgumentError(f"has a stride of {stride} bytes, expected a multiple of the {size} bytes "
                                       f"of {array.dtype}")


def _refuse_masked(array):
    raise UnsupportedTypeError(f"is a {type(array).__name__}, whose mask would be lost, expected a plain array: pass "
                               ".filled(VALUE), or .data")


def _view_numpy(array):
    word, size = _numpy_types[array.dtype]
    capsule = array.__array_struct__
    address = _read_pointer(_get_pointer(capsule, None) + _DATA).value or 0
    strides = array.strides
    if size != 1:
        for stride in strides:
            if stride % size:
                _check_strides(array, size)
        strides = [stride // size for stride in strides]
    return address, word, _HOST if array.flags.writeable else _HOST | _READ_ONLY, array.shape, strides


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
    types = {dtype: code << 32 for dtype, code in dtypes.torch_codes(torch).items()}
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
            word = types[tensor.dtype]
            device = _HOST if tensor.is_cpu else tensor.get_device()
            if tensor.requires_grad and is_grad_enabled() or word in may_be_negated and tensor.is_neg() or \
                    device != _HOST and not tensor.is_cuda:
                refuse(tensor)
            address = tensor.data_ptr()
            if not address and tensor.numel():
                refuse(tensor)
            return address, word, device, tensor.shape, tensor.stride()
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
