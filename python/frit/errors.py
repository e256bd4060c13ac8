# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Frit raises. Each class is also the built-in exception that a caller would expect for its kind."""


class FritError(Exception):
    """Any failure that Frit reports. `status` is the code of frit-c/Runtime.h, or None where none is behind it."""

    status = None


class InvalidArgumentError(FritError, ValueError):
    """A value does not fit what it was given for; the message has both sides."""

    status = 1


class UnsupportedTypeError(InvalidArgumentError, TypeError):
    """A value is no tensor, or has elements of a type that compiled functions do not have."""


class UnknownEntryError(InvalidArgumentError, KeyError):
    """A program has no entry of a name."""

    # A KeyError shows the repr of its message.
    __str__ = Exception.__str__


class OutOfMemoryError(FritError, MemoryError):
    """Memory is exhausted, on the host or on the device."""

    status = 2


class CheckFailedError(FritError, RuntimeError):
    """A check that the compiled function contains does not hold."""

    status = 3


class InternalError(FritError, RuntimeError):
    """Frit broke a promise of its own."""

    status = 4


class DeviceUnavailableError(FritError, RuntimeError):
    """There is no driver, or no such device."""

    status = 5


class DeviceError(FritError, RuntimeError):
    """A call of the device's driver failed."""

    status = 6


class CaptureError(FritError, RuntimeError):
    """A call would allocate or load code while its stream is being captured; see Entry.prepare."""

    status = 7


class CompilationError(FritError, ValueError):
    """A module does not parse or cannot be compiled. `diagnostics` has what the compiler said of it."""

    status = 8

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)


class KernelLibraryUnavailableError(FritError, RuntimeError):
    """A library that code for the CPU was compiled for, as oneDNN, cannot be opened."""

    status = 9


class KernelLibraryError(FritError, RuntimeError):
    """A call of such a library failed."""

    status = 10


class LibraryError(FritError, ImportError):
    """The shared libraries of Frit are not there or do not fit this package."""


def show(value):
    """A value as messages show it: Python itself writes no numbers of thousands of digits."""
    if isinstance(value, int) and value.bit_length() > 128:
        return f"an integer of {value.bit_length()} bits"
    return repr(value)


_BY_STATUS = {
    cls.status: cls
    for cls in (InvalidArgumentError, OutOfMemoryError, CheckFailedError, InternalError, DeviceUnavailableError,
                DeviceError, CaptureError, CompilationError, KernelLibraryUnavailableError, KernelLibraryError)
}


def from_status(status, message):
    """The exception for a status code that a function of the C interfaces returned."""
    error = _BY_STATUS.get(status, FritError)(message)
    error.status = status
    return error
