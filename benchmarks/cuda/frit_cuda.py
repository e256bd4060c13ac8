# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions called through Frit's runtime on a stream of PyTorch's."""

import ctypes
import pathlib


class Allocator(ctypes.Structure):
    _fields_ = [("allocate", ctypes.c_void_p), ("release", ctypes.c_void_p), ("user_data", ctypes.c_void_p)]


class Options(ctypes.Structure):
    """FritContextOptions of frit-c/Runtime.h."""

    _fields_ = [("size", ctypes.c_size_t), ("threads", ctypes.c_int32), ("scratch_limit", ctypes.c_size_t),
                ("device", ctypes.c_int32), ("stream", ctypes.c_void_p), ("allocator", Allocator)]


class Runtime:
    """A context of the runtime library at `path` on a device and the CUstream `stream`."""

    def __init__(self, path, stream, device=0):
        self.library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        for name in ("fritThreadErrorMessage", "fritContextErrorMessage"):
            getattr(self.library, name).restype = ctypes.c_char_p
        options = Options(ctypes.sizeof(Options), 0, 0, device, stream, Allocator())
        self.context = ctypes.c_void_p()
        if self.library.fritContextCreate(ctypes.byref(options), ctypes.byref(self.context)) != 0:
            raise RuntimeError(f"no context: {self.library.fritThreadErrorMessage().decode()}")

    def fail(self):
        message = self.library.fritContextErrorMessage(self.context).decode()
        self.library.fritContextClearError(self.context)
        raise RuntimeError(message)

    def close(self):
        self.library.fritContextDestroy(self.context)


class Function:
    """The function of a point, from the shared object in a folder; `kernel` is what it executes."""

    def __init__(self, runtime, folder, name, kernel=""):
        self.runtime, self.kernel = runtime, kernel
        self.library = ctypes.CDLL(str(pathlib.Path(folder).resolve() / f"{name}.so"))
        self.entry = getattr(self.library, f"_frit_{name}")
        self.entry.argtypes, self.entry.restype = [ctypes.c_void_p, ctypes.c_void_p], ctypes.c_int32

    def __call__(self, arguments):
        """Queues the work; `arguments` are abi.Arguments."""
        if self.entry(self.runtime.context, arguments.address) != 0:
            self.runtime.fail()
