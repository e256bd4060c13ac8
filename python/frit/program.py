# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled modules."""

from collections.abc import Mapping

from ._handles import Handle
from ._library import compiler
from .choices import read_choices
from .entry import Entry
from .errors import InvalidArgumentError, UnknownEntryError


class Program(Handle, Mapping):
    """Functions that were compiled together: a mapping from their names to `Entry`. A program with one entry can be called
    as that entry.

    target: what it was compiled for ("cpu", "cuda:sm_90a"). device: the ordinal of the CUDA device, or -1.
    diagnostics: the warnings and remarks of the compilation. A CUDA graph of its calls must not outlive it. A program does
    not change: a copy of it is the program itself.
    """

    def __init__(self, address, diagnostics):
        self._address = address
        self.target = compiler.fritProgramTarget(address).decode()
        self.device = compiler.fritProgramDevice(address)
        self.diagnostics = tuple(diagnostics)
        entries = [
            Entry(self, compiler.fritProgramEntry(address, index))
            for index in range(compiler.fritProgramNumEntries(address))
        ]
        self._entries = {entry.name: entry for entry in entries}

    def __getitem__(self, name):
        try:
            return self._entries[name]
        except KeyError:
            there_are = ", ".join(map(repr, self._entries)) or "none"
            raise UnknownEntryError(f"there is no entry {name!r}; there are: {there_are}") from None

    def __iter__(self):
        return iter(self._entries)

    def __len__(self):
        return len(self._entries)

    def __repr__(self):
        return f"<frit.Program for {self.target}: {', '.join(self._entries)}>"

    # Programs are equal if they are the same one, not if their entries are.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __call__(self, *arguments, out=None, stream=None):
        if len(self._entries) != 1:
            raise InvalidArgumentError(f"a program with {len(self._entries)} entries cannot be called, expected 1; choose "
                                       f"one: program[NAME] with {', '.join(map(repr, self._entries)) or 'none'}")
        entry, = self._entries.values()
        return entry(*arguments, out=out, stream=stream)

    def explain(self):
        """A list with a `Choice` for each of Frit's ops, in the order of the source."""
        return read_choices(self._address)
