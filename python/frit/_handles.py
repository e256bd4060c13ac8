# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects that stand for memory of the libraries."""

import ctypes

from ._exit import gate
from ._library import compiler
from .errors import FritError, UnsupportedTypeError


class Handle:
    """What never changes and belongs to this process: a copy is the object itself, and there are no pickles."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce_ex__(self, protocol):
        raise UnsupportedTypeError(f"a {type(self).__name__} cannot be pickled, since it belongs to this process; pickle "
                                   "the source and make it again")


class _Address(Handle, ctypes.c_void_p):
    """The address of an object of the compiler's library, which it owns; it gets its value from the function that makes the
    object. An interrupt that comes right behind that function so loses nothing."""

    _destroy = None

    def __del__(self, gate=gate, refusal=FritError):
        if not self.value:
            return
        try:
            with gate.inside():
                type(self)._destroy(self)
        except refusal:
            # The process ends and takes the memory.
            pass


class ProgramAddress(_Address):
    """The address of a program."""

    _destroy = compiler.fritProgramDestroy


class AdaptersAddress(_Address):
    """The address of a list of adapters."""

    _destroy = compiler.fritAdaptersDestroy


class AdapterTensorAddress(_Address):
    """The address of a tensor that was made of adapters."""

    _destroy = compiler.fritAdapterTensorDestroy
