# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler says about a source."""

from dataclasses import dataclass

from ._library import compiler
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


def read_diagnostics():
    """Those of the last compilation on this thread. They are read afterwards, since an exception in a callback, such as an
    interrupt from the keyboard, would be lost."""
    diagnostics = []
    for index in range(compiler.fritCompilerNumDiagnostics()):
        diagnostic = compiler.fritCompilerDiagnostic(index).contents
        diagnostics.append(
            Diagnostic(_SEVERITIES[diagnostic.severity], read_location(diagnostic.location),
                       diagnostic.message.decode(errors="replace")))
    return diagnostics
