# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views of whatever exports DLPack capsules: JAX, CuPy and others.

Capsules are read and left to their destructors: nothing is consumed. A copy that an exporter of DLPack 1 makes is refused,
since what is written to it would be lost. Older exporters do not say whether they copy, and their memory may end with
the capsule: the address of a view keeps it.
"""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

from . import _abi, _contexts, dtypes
from .errors import InvalidArgumentError, UnsupportedTypeError

_CPU = 1
_CUDA = 2
_CUDA_HOST = 3
_FLAG_READ_ONLY = 1
_FLAG_IS_COPIED = 2


class _DLTensor(Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
                ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)),
                ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


class _Address(int):
    """An address that keeps the capsule which the memory belongs to."""

    def __new__(cls, value, capsule):
        address = super().__new__(cls, value)
        address.capsule = capsule
        return address


class _ManagedVersioned(Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("context", c_void_p), ("deleter", c_void_p),
                ("flags", c_uint64), ("tensor", _DLTensor)]


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = c_void_p
_get_pointer.argtypes = [ctypes.py_object, c_char_p]
_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype = ctypes.c_int
_is_valid.argtypes = [ctypes.py_object, c_char_p]


def _find_device(value):
    try:
        device_type, device = value.__dlpack_device__()
        return int(device_type), int(device)
    except Exception as error:
        raise InvalidArgumentError(f"does not say where it is ({type(error).__name__}: {error}), expected two numbers from "
                                   "__dlpack_device__") from error


def _ask_capsule(value, device_type, device):
    # Consumers of CUDA memory name the stream on which they will use it.
    arguments = {"stream": _contexts.current_stream(device)} if device_type == _CUDA else {}
    try:
        return value.__dlpack__(max_version=(1, 0), copy=False, **arguments)
    except TypeError:
        # An exporter from before version 1.
        return value.__dlpack__(**arguments)


def _export(value, device_type, device):
    try:
        return _ask_capsule(value, device_type, device)
    except BufferError as error:
        raise UnsupportedTypeError(f"cannot be exported ({error}), expected what DLPack can describe") from error
    except Exception as error:
        raise InvalidArgumentError(f"cannot be exported ({type(error).__name__}: {error}), expected a capsule from "
                                   "__dlpack__") from error


def _read(capsule):
    if _is_valid(capsule, b"dltensor_versioned"):
        managed = _ManagedVersioned.from_address(_get_pointer(capsule, b"dltensor_versioned"))
        if managed.major != 1:
            raise InvalidArgumentError(f"exports version {managed.major} of DLPack, expected 1 or the one before")
        if managed.flags & _FLAG_IS_COPIED:
            raise InvalidArgumentError("exports a copy of its memory, expected its memory")
        return managed.tensor, bool(managed.flags & _FLAG_READ_ONLY)
    if _is_valid(capsule, b"dltensor"):
        return _DLTensor.from_address(_get_pointer(capsule, b"dltensor")), False
    raise InvalidArgumentError(f"exports a {type(capsule).__name__}, expected a DLPack capsule that is not used yet")


def _row_major(sizes):
    strides, packed = [], 1
    for size in reversed(sizes):
        strides.append(packed)
        packed *= size
    return strides[::-1]


def view(value):
    """The view of an object with __dlpack__; see _views."""
    device_type, device = _find_device(value)
    if device_type not in (_CPU, _CUDA, _CUDA_HOST):
        raise InvalidArgumentError(f"is on a device of DLPack's kind {device_type}, expected the CPU ({_CPU}) or a CUDA "
                                   f"device ({_CUDA})")
    capsule = _export(value, device_type, device)
    tensor, read_only = _read(capsule)
    code = tensor.code * 256 + tensor.bits
    if tensor.lanes != 1 or code not in dtypes.NAMES:
        raise UnsupportedTypeError(f"has elements of DLPack's kind {tensor.code} with {tensor.bits} bits and "
                                   f"{tensor.lanes} lanes, expected one of {', '.join(dtypes.CODES)}")
    sizes = tensor.shape[:tensor.ndim]
    strides = tensor.strides[:tensor.ndim] if tensor.strides else _row_major(sizes)
    ordinal = device if device_type == _CUDA else _abi.NO_DEVICE
    flags = _abi.TENSOR_READ_ONLY if read_only else 0
    return _Address((tensor.data or 0) + tensor.byte_offset, capsule), code, ordinal & 0xffffffff | flags << 32, sizes, strides
