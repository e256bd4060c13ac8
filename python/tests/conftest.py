# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests share."""

import pathlib

import ml_dtypes
import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "test" / "data"
TYPES = {"bf16": ml_dtypes.bfloat16, "f16": numpy.float16, "f32": numpy.float32, "i32": numpy.int32}
