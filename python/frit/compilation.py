# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles MLIR."""

import ctypes
import os

from . import _abi, errors
from ._exit import gate
from ._handles import ProgramAddress
from ._library import compiler
from .diagnostics import read_diagnostics
from .program import Program


def _check(status, diagnostics=()):
    if status:
        error = errors.from_status(status, compiler.fritCompilerErrorMessage().decode(errors="replace"))
        if isinstance(error, errors.CompilationError):
            error.diagnostics = tuple(diagnostics)
        raise error


def _create_compiler():
    options = _abi.CompilerOptions(size=ctypes.sizeof(_abi.CompilerOptions))
    address = ctypes.c_void_p()
    _check(compiler.fritCompilerCreate(ctypes.byref(options), ctypes.byref(address)))
    return address


# One for the process: any number of threads may compile with it, and it does not change.
_compiler = None


def _the_compiler():
    global _compiler
    if _compiler is None:
        # Of two threads that come here at the same time, one compiler is never used.
        _compiler = _create_compiler()
    return _compiler


def _encode(text, what):
    if text is None:
        return None
    try:
        encoded = os.fsencode(text)
    except TypeError:
        raise errors.UnsupportedTypeError(f"{what} is a {type(text).__name__}, expected a str") from None
    except UnicodeEncodeError as error:
        raise errors.InvalidArgumentError(f"{what} {text!r} is no text ({error.reason}), expected Unicode") from None
    if b"\0" in encoded:
        raise errors.InvalidArgumentError(f"{what} {text!r} has a zero in it, expected a name")
    return encoded


def _encode_source(source):
    if isinstance(source, (bytes, bytearray)):
        return bytes(source)
    if not isinstance(source, str):
        raise errors.UnsupportedTypeError(f"source is a {type(source).__name__}, expected text, bytes or a path")
    try:
        return source.encode()
    except UnicodeEncodeError as error:
        raise errors.InvalidArgumentError(f"source is no text from character {error.start} on ({error.reason}), expected "
                                          "Unicode") from None


def _list_entries(entries):
    if entries is None:
        return None
    if isinstance(entries, (str, bytes)):
        raise errors.UnsupportedTypeError(f"entries is {entries!r}, expected a list of names")
    try:
        names = list(entries)
    except TypeError:
        raise errors.UnsupportedTypeError(f"entries is a {type(entries).__name__}, expected a list of names") from None
    if not names:
        raise errors.InvalidArgumentError("entries is empty, expected names, or None for all public functions")
    for name in names:
        if not isinstance(name, str):
            raise errors.UnsupportedTypeError(f"an entry is a {type(name).__name__}, expected a str")
    return [_encode(name, "entry") for name in names]


def _is_path(source):
    if isinstance(source, os.PathLike):
        return True
    return isinstance(source, str) and "\n" not in source and source.endswith((".mlir", ".mlirbc"))


def _make_options(target, policy, toolkit, entries, flags):
    names = _list_entries(entries)
    return _abi.CompileOptions(size=ctypes.sizeof(_abi.CompileOptions), target=_encode(target, "target"),
                               policy=_encode(policy, "policy"), toolkit=_encode(toolkit, "toolkit"),
                               entries=(ctypes.c_char_p * len(names))(*names) if names else None,
                               numEntries=len(names) if names else 0, flags=flags)


def _run(source, name, options, program):
    """Compiles to `program` and returns the status."""
    options, program = ctypes.byref(options), ctypes.byref(program)
    if _is_path(source):
        return compiler.fritCompileFile(_the_compiler(), _encode(source, "path"), options, program)
    text = _encode_source(source)
    return compiler.fritCompileSource(_the_compiler(), text, len(text), _encode(name, "name"), options, program)


def compile(source, target=None, policy="auto", *, entries=None, verify=False, serial=False, choices_only=False,
            toolkit=None, name="source"):
    """Compiles a module and returns its `Program`.

    source: the module: text, bytecode (bytes), or a file: a path object, or a str that ends in .mlir or .mlirbc.
    target: "cpu", "cpu:PROCESSOR", "cpu+onednn", "cuda", "cuda:DEVICE"; None: a GPU if there is one, else the CPU.
    policy: "auto", "native", "require=PROVIDER" or "batch-invariant".
    entries: the names of the functions that become entries; None: every public function with a body.
    verify: check at run time what else types leave open: ids, true ranks, that groupings mean what the ids say, indices.
    serial: run loops on the calling thread.
    choices_only: decide which kernels execute the ops and generate no code; "cuda:sm_90a" is a target then, too, and
        needs no device.
    toolkit: the folder of the CUDA Toolkit.
    name: what messages call a source that is no file.
    """
    flags = (_abi.COMPILE_VERIFY if verify else 0) | (_abi.COMPILE_SERIAL if serial else 0) | (
        _abi.COMPILE_CHOICES_ONLY if choices_only else 0)
    options = _make_options(target, policy, toolkit, entries, flags)
    program = ProgramAddress()
    with gate.inside():
        status = _run(source, name, options, program)
        diagnostics = read_diagnostics()
        _check(status, diagnostics)
    return Program(program, diagnostics)
