# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel images loaded and launched through the CUDA driver, on PyTorch's context and stream."""

import ctypes
import functools

CLUSTER, PROGRAMMATIC = 4, 6
STATIC_SHARED, MAX_DYNAMIC_SHARED, NON_PORTABLE_CLUSTER = 1, 8, 14
SHARED_PER_BLOCK = 227 << 10


class Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_char * 4), ("value", ctypes.c_uint * 16)]


class Config(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
                ("stream", ctypes.c_void_p), ("attributes", ctypes.POINTER(Attribute)), ("count", ctypes.c_uint)]


driver = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    code = getattr(driver, name)(*arguments)
    if code:
        text = ctypes.c_char_p()
        driver.cuGetErrorName(code, ctypes.byref(text))
        raise RuntimeError(f"{name}: {text.value.decode() if text.value else code}")


class Image:
    """A cubin or fatbin; the functions are found by name."""

    def __init__(self, path):
        self.module = ctypes.c_void_p()
        self.data = open(path, "rb").read()
        call("cuModuleLoadData", ctypes.byref(self.module), self.data)

    @functools.cache
    def function(self, name):
        handle = ctypes.c_void_p()
        call("cuModuleGetFunction", ctypes.byref(handle), self.module, name.encode())
        fixed = ctypes.c_int()
        call("cuFuncGetAttribute", ctypes.byref(fixed), STATIC_SHARED, handle)
        call("cuFuncSetAttribute", handle, MAX_DYNAMIC_SHARED, SHARED_PER_BLOCK - fixed.value)
        call("cuFuncSetAttribute", handle, NON_PORTABLE_CLUSTER, 1)
        return handle


class Launch:
    """A kernel function with a launch plan; `arguments` are ctypes values."""

    def __init__(self, image, name, grid, threads, shared=0, cluster=1, dependent=True):
        self.function = image.function(name)
        attributes = []
        if cluster > 1:
            attributes.append(Attribute(CLUSTER, b"", (ctypes.c_uint * 16)(cluster, 1, 1)))
        if dependent:
            attributes.append(Attribute(PROGRAMMATIC, b"", (ctypes.c_uint * 16)(1)))
        self.attributes = (Attribute * max(1, len(attributes)))(*attributes)
        grid = tuple(grid) + (1,) * (3 - len(grid))
        self.config = Config((ctypes.c_uint * 3)(*grid), (ctypes.c_uint * 3)(threads, 1, 1), shared, None,
                             self.attributes, len(attributes))

    def __call__(self, stream, arguments):
        self.config.stream = stream
        pointers = (ctypes.c_void_p * len(arguments))(*[ctypes.addressof(a) for a in arguments])
        call("cuLaunchKernelEx", ctypes.byref(self.config), self.function, pointers, None)
