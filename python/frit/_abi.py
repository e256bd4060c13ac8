# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The structures and constants of frit-c/*.h that this package uses, as ctypes sees them."""

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint64, c_void_p

STATUS_OK = 0
NO_DEVICE = -1
ANY = -1

VALUE_SCALAR = 1
VALUE_WRITTEN = 2

TENSOR_READ_ONLY = 1

COMPILE_VERIFY = 1
COMPILE_SERIAL = 2
COMPILE_CHOICES_ONLY = 4

LEGACY_DEFAULT_STREAM = 1


class DeviceAllocator(Structure):
    _fields_ = [("allocate", c_void_p), ("release", c_void_p), ("userData", c_void_p)]


class ContextOptions(Structure):
    _fields_ = [("size", c_size_t), ("threads", c_int32), ("scratchLimit", c_size_t), ("device", c_int32),
                ("stream", c_void_p), ("allocator", DeviceAllocator)]


class Tensor(Structure):
    _fields_ = [("data", c_void_p), ("sizes", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("rank", c_int32),
                ("type", c_int32), ("device", c_int32), ("flags", c_int32)]


class Value(Structure):
    _fields_ = [("name", c_char_p), ("sizes", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("dims", POINTER(c_int32)), ("rank", c_int32), ("type", c_int32), ("flags", c_int32),
                ("reserved", c_int32)]


class Entry(Structure):
    _fields_ = [("size", c_uint64), ("name", c_char_p), ("target", c_char_p), ("function", c_void_p),
                ("resultSizes", c_void_p), ("values", POINTER(Value)), ("dims", POINTER(c_char_p)),
                ("numArguments", c_int32), ("numResults", c_int32), ("numDims", c_int32), ("flags", c_int32),
                ("processorFeatures", c_uint64 * 2), ("variants", c_void_p), ("numVariants", c_int32), ("sm", c_int32),
                ("weights", c_void_p)]


class Location(Structure):
    _fields_ = [("file", c_char_p), ("line", c_int32), ("column", c_int32)]


class Diagnostic(Structure):
    _fields_ = [("location", Location), ("message", c_char_p), ("severity", c_int32)]


class CompilerOptions(Structure):
    _fields_ = [("size", c_size_t), ("onDiagnostic", c_void_p), ("onRemark", c_void_p),
                ("userData", c_void_p)]


class CompileOptions(Structure):
    _fields_ = [("size", c_size_t), ("target", c_char_p), ("policy", c_char_p), ("toolkit", c_char_p),
                ("entries", POINTER(c_char_p)), ("numEntries", c_int32), ("flags", c_int32)]


class Candidate(Structure):
    _fields_ = [("kernel", c_char_p), ("provider", c_char_p), ("condition", c_char_p), ("reason", c_char_p),
                ("priority", c_int64), ("outcome", c_int32)]


class Choice(Structure):
    _fields_ = [("location", Location), ("op", c_char_p), ("function", c_char_p), ("kernel", c_char_p),
                ("numCandidates", c_int32)]


class AdapterSource(Structure):
    _fields_ = [("name", c_char_p), ("folder", c_char_p)]


# The functions of libFritRuntime: result, arguments.
RUNTIME_FUNCTIONS = {
    "fritRuntimeVersion": (c_int32, []),
    "fritThreadErrorMessage": (c_char_p, []),
    "fritContextCreate": (c_int32, [POINTER(ContextOptions), POINTER(c_void_p)]),
    "fritContextErrorMessage": (c_char_p, [c_void_p]),
    "fritContextClearError": (None, [c_void_p]),
    "fritContextBeginPrepare": (c_int32, [c_void_p]),
    "fritContextEndPrepare": (c_int32, [c_void_p]),
    "fritDeviceCount": (c_int32, [POINTER(c_int32)]),
    "fritEntryCall": (c_int32, [c_void_p, c_void_p, c_void_p, c_int32]),
    "fritEntryNumResultSizes": (c_int32, [c_void_p]),
    "fritEntryResultSizes": (c_int32, [c_void_p, c_void_p, c_void_p, c_int32, c_void_p, c_int32]),
}

# Those of libFritCompiler.
COMPILER_FUNCTIONS = {
    "fritAdaptersLoad": (c_int32, [POINTER(AdapterSource), c_int32, POINTER(c_void_p)]),
    "fritAdaptersDestroy": (None, [c_void_p]),
    "fritAdaptersNumModules": (c_int32, [c_void_p]),
    "fritAdaptersModule": (c_char_p, [c_void_p, c_int32]),
    "fritAdaptersMake": (c_int32, [c_void_p, c_char_p, POINTER(c_int64), c_int32, POINTER(c_void_p)]),
    "fritAdapterTensorView": (POINTER(Tensor), [c_void_p]),
    "fritAdapterTensorDestroy": (None, [c_void_p]),
    "fritCompilerVersion": (c_int32, []),
    "fritCompilerErrorMessage": (c_char_p, []),
    "fritCompilerCreate": (c_int32, [POINTER(CompilerOptions), POINTER(c_void_p)]),
    "fritCompileSource":
        (c_int32, [c_void_p, c_char_p, c_size_t, c_char_p, POINTER(CompileOptions), POINTER(c_void_p)]),
    "fritCompileFile": (c_int32, [c_void_p, c_char_p, POINTER(CompileOptions), POINTER(c_void_p)]),
    "fritCompilerNumDiagnostics": (c_int32, []),
    "fritCompilerDiagnostic": (POINTER(Diagnostic), [c_int32]),
    "fritProgramDestroy": (None, [c_void_p]),
    "fritProgramTarget": (c_char_p, [c_void_p]),
    "fritProgramDevice": (c_int32, [c_void_p]),
    "fritProgramNumEntries": (c_int32, [c_void_p]),
    "fritProgramEntry": (POINTER(Entry), [c_void_p, c_int32]),
    "fritProgramNumChoices": (c_int32, [c_void_p]),
    "fritProgramChoice": (POINTER(Choice), [c_void_p, c_int32]),
    "fritProgramCandidate": (POINTER(Candidate), [c_void_p, c_int32, c_int32]),
}
