# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The structures and constants of this package are those of the C headers."""

import ctypes
import os
import shutil
import subprocess

import pytest
from conftest import ROOT
from frit import _abi, dtypes

STRUCTURES = {
    "FritContextOptions": _abi.ContextOptions,
    "FritTensor": _abi.Tensor,
    "FritValue": _abi.Value,
    "FritEntry": _abi.Entry,
    "FritLocation": _abi.Location,
    "FritDiagnostic": _abi.Diagnostic,
    "FritCompilerOptions": _abi.CompilerOptions,
    "FritCompileOptions": _abi.CompileOptions,
    "FritCandidate": _abi.Candidate,
    "FritChoice": _abi.Choice,
    "FritAdapterSource": _abi.AdapterSource,
}
CONSTANTS = {
    "FRIT_NO_DEVICE": _abi.NO_DEVICE,
    "FRIT_ANY": _abi.ANY,
    "FRIT_VALUE_SCALAR": _abi.VALUE_SCALAR,
    "FRIT_VALUE_WRITTEN": _abi.VALUE_WRITTEN,
    "FRIT_TENSOR_READ_ONLY": _abi.TENSOR_READ_ONLY,
    "FRIT_COMPILE_VERIFY": _abi.COMPILE_VERIFY,
    "FRIT_COMPILE_SERIAL": _abi.COMPILE_SERIAL,
    "FRIT_COMPILE_CHOICES_ONLY": _abi.COMPILE_CHOICES_ONLY,
    "FRIT_STATUS_COMPILATION": 8,
    "FRIT_OUTCOME_GUARDED": 1,
    "FRIT_OUTCOME_PICKED": 2,
    "FRIT_OUTCOME_ADMISSIBLE": 3,
    "FRIT_SEVERITY_ERROR": 3,
} | {f"FRIT_TYPE_{name.upper()}": code for name, code in dtypes.CODES.items()}


def facts():
    """Pairs of a C expression and what this package thinks it is."""
    for name, structure in STRUCTURES.items():
        yield f"sizeof({name})", ctypes.sizeof(structure)
        for field, _ in structure._fields_:
            yield f"offsetof({name}, {field})", getattr(structure, field).offset
    yield from CONSTANTS.items()


def test_abi(tmp_path):
    compiler = os.environ.get("CC") or shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler")
    checks = "\n".join(f'_Static_assert({expression} == {value}, "{expression}");' for expression, value in facts())
    source = tmp_path / "abi.c"
    source.write_text(f"#include <stddef.h>\n#include <frit-c/Adapters.h>\n#include <frit-c/Entry.h>\n{checks}\n")
    result = subprocess.run([compiler, "-std=c11", "-fsyntax-only", f"-I{ROOT / 'include'}", source],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
