# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads safetensors files, those with bf16 too, which the package of that name gives to NumPy only in some versions."""

import json
import struct

import ml_dtypes
import numpy

_TYPES = {"BF16": ml_dtypes.bfloat16, "F16": numpy.float16, "F32": numpy.float32, "I32": numpy.int32, "I64": numpy.int64}


def read(path):
    """The tensors by name, and the metadata."""
    data = path.read_bytes()
    size, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + size])
    metadata = header.pop("__metadata__", {})
    body = memoryview(data)[8 + size:]
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = numpy.frombuffer(body[begin:end], _TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata
