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
        raise UnsupportedTypeError(f"a {type(self).__name__} cannot be pickled, since its code belongs to this process; "
                                   "pickle the source and compile it again")


class ProgramAddress(Handle, ctypes.c_void_p):
    """The address of a program, which it owns; it gets its value from a compilation. An interrupt that comes right behind
    the compilation so loses nothing."""

    def __del__(self, destroy=compiler.fritProgramDestroy, gate=gate, refusal=FritError):
        if not self.value:
            return
        try:
            with gate.inside():
                destroy(self)
        except refusal:
            # The process ends and takes the memory.
            pass
