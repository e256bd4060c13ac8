# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of compiled functions: `_frit_<name>(FritContext *, void **)`, with an address a descriptor."""

import ctypes


def descriptor(tensor, address=None):
    """The descriptor of a strided memref: base, data, offset, sizes, strides. `address` replaces the tensor's own."""
    at = tensor.data_ptr() if address is None else address
    words = [at, at, 0, *tensor.shape, *tensor.stride()]
    return (ctypes.c_int64 * len(words))(*words)


class Arguments:
    """The arguments of a call and then its results, which are written. Keeps what it points to."""

    def __init__(self, tensors, addresses=None):
        self.tensors = tensors
        self.descriptors = [descriptor(t, a) for t, a in zip(tensors, addresses or [None] * len(tensors))]
        self.pointers = (ctypes.c_void_p * len(tensors))(*(ctypes.addressof(d) for d in self.descriptors))
        self.address = ctypes.addressof(self.pointers)
