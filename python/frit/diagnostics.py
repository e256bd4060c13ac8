# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler says about a source, collected for the thread that compiles it."""

import threading
from contextlib import contextmanager
from dataclasses import dataclass

from . import _abi
from .choices import Location, read_location

_SEVERITIES = ("note", "remark", "warning", "error")


@dataclass(frozen=True)
class Diagnostic:
    """`severity` is "note" (belongs to the one before it), "remark", "warning" or "error"."""

    severity: str
    location: Location
    message: str

    def __str__(self):
        return f"{self.location}: {self.severity}: {self.message}"


_collecting = threading.local()


@contextmanager
def collect():
    """A list that gets the diagnostics of compilations on this thread."""
    outer = getattr(_collecting, "list", None)
    _collecting.list = []
    try:
        yield _collecting.list
    finally:
        _collecting.list = outer


@_abi.DiagnosticHandler
def handler(_, pointer):
    found = getattr(_collecting, "list", None)
    if found is not None:
        diagnostic = pointer.contents
        found.append(
            Diagnostic(_SEVERITIES[diagnostic.severity], read_location(diagnostic.location),
                       diagnostic.message.decode(errors="replace")))
