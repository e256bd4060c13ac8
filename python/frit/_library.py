# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and loads the shared libraries.

A wheel has them in frit/lib. Elsewhere, as in a checkout, the environment variable FRIT_LIBRARY_DIR names their folder.
"""

import ctypes
import os
import pathlib

from . import _abi
from .errors import LibraryError

# The versions of the C interfaces that this package was written for: major * 1000 + minor.
RUNTIME_VERSION = 2
COMPILER_VERSION = 3


def library_dir():
    """The folder of the shared libraries."""
    named = os.environ.get("FRIT_LIBRARY_DIR")
    return pathlib.Path(named) if named else pathlib.Path(__file__).parent / "lib"


def _load(name, functions, version_function, version):
    path = library_dir() / f"lib{name}.so"
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise LibraryError(f"cannot load {path}: {error}; FRIT_LIBRARY_DIR names the folder of lib{name}.so where the "
                           "package does not contain it") from None
    for function, (result, arguments) in functions.items():
        try:
            prototype = getattr(library, function)
        except AttributeError:
            raise LibraryError(f"{path} has no function {function}: it is older than this package") from None
        prototype.restype = result
        prototype.argtypes = arguments
    loaded = getattr(library, version_function)()
    if loaded // 1000 != version // 1000 or loaded < version:
        raise LibraryError(f"{path} has version {loaded // 1000}.{loaded % 1000} of its interface, expected "
                           f"{version // 1000}.{version % 1000} or a later one of the same major version")
    return library


def _load_openmp():
    """Makes an OpenMP runtime available to the runtime library: the system's, which other packages share, else the copy
    that a wheel has."""
    try:
        ctypes.CDLL("libgomp.so.1")
    except OSError:
        copy = library_dir() / "openmp" / "libgomp.so.1"
        if copy.exists():
            ctypes.CDLL(str(copy))


_load_openmp()
runtime = _load("FritRuntime", _abi.RUNTIME_FUNCTIONS, "fritRuntimeVersion", RUNTIME_VERSION)
compiler = _load("FritCompiler", _abi.COMPILER_FUNCTIONS, "fritCompilerVersion", COMPILER_VERSION)

# fritEntryCall for c_void_p and int, which ctypes passes on as they are: a third faster than with declared types.
entry_call = runtime["fritEntryCall"]
