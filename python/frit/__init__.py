# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Frit: fused kernels for language models, compiled from MLIR.

`compile` turns a module into functions that take tensors of any framework, without copies. `frit.ops` has Frit's ops as
functions, `frit.torch` the same as ops of PyTorch, `frit.serving` takes the arguments of LLM servers as they are, and
`frit.peft` reads adapters.
"""

from ._contexts import device_count
from .choices import Candidate, Choice, Location
from .compilation import compile
from .diagnostics import Diagnostic
from .entry import Entry, Value
from .errors import (CaptureError, CheckFailedError, CompilationError, DeviceError, DeviceUnavailableError, FritError,
                     InternalError, InvalidArgumentError, KernelLibraryError, KernelLibraryUnavailableError,
                     LibraryError, OutOfMemoryError, UnknownEntryError, UnsupportedTypeError)
from .program import Program

__version__ = "0.1.0"

__all__ = [
    "Candidate", "CaptureError", "CheckFailedError", "Choice", "CompilationError", "DeviceError",
    "DeviceUnavailableError", "Diagnostic", "Entry", "FritError", "InternalError", "InvalidArgumentError",
    "KernelLibraryError", "KernelLibraryUnavailableError", "LibraryError", "Location", "OutOfMemoryError", "Program",
    "UnknownEntryError", "UnsupportedTypeError", "Value", "compile", "device_count"
]
