# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles IR to a shared library and calls its functions in the process."""

import ctypes
import os
import subprocess

# From decomposed or vector code to LLVM: upstream passes, and Frit's own
# polynomials for what is left of math.
LOWERING = (
    "canonicalize,cse,one-shot-bufferize{bufferize-function-boundaries},canonicalize,cse,canonicalize,"
    "func.func(scf-forall-to-for,scf-parallel-for-to-nested-fors,convert-linalg-to-loops),"
    "frit-expand-math,canonicalize,cse,"
    "func.func(convert-vector-to-scf),convert-scf-to-cf,expand-strided-metadata,lower-affine,"
    "canonicalize,cse,convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,"
    "convert-vector-to-llvm,convert-to-llvm,reconcile-unrealized-casts")


class ToolError(RuntimeError):
    """A tool failed; the message holds the command and what it printed."""


class Tools:
    """Paths of frit-opt and LLVM's tools."""

    def __init__(self, frit_opt, llvm_bin):
        self.frit_opt = frit_opt
        self.llvm_bin = llvm_bin

    @staticmethod
    def _run(command, text):
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ToolError(f"{' '.join(command)}\n{done.stderr[:3000]}")
        return done.stdout

    def opt(self, text, passes, debug_info=False):
        flags = ["--mlir-print-debuginfo", "--mlir-print-local-scope"] if debug_info else []
        return self._run([self.frit_opt, f"--pass-pipeline=builtin.module({passes})", *flags], text)

    def compile(self, text, directory, name):
        """A loaded library with the functions of a module."""
        llvm_dialect = self.opt(text, LOWERING)
        ir = self._run([os.path.join(self.llvm_bin, "mlir-translate"), "--mlir-to-llvmir"], llvm_dialect)
        source = os.path.join(directory, name + ".ll")
        library = os.path.join(directory, name + ".so")
        with open(source, "w", encoding="utf-8") as file:
            file.write(ir)
        self._run([os.path.join(self.llvm_bin, "clang"), "-O1", "-march=haswell", "-ffp-contract=off",
                   "-fno-math-errno", "-shared", "-fPIC", "-Wno-override-module", source, "-o", library,
                   "--rtlib=compiler-rt", "-lm"], "")
        return ctypes.CDLL(library)


def descriptor(array):
    """MLIR's strided memref descriptor of a numpy array."""
    rank = array.ndim

    class Descriptor(ctypes.Structure):
        _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                    ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * rank),
                    ("strides", ctypes.c_int64 * rank)]

    return Descriptor(array.ctypes.data, array.ctypes.data, 0, (ctypes.c_int64 * rank)(*array.shape),
                      (ctypes.c_int64 * rank)(*(s // array.itemsize for s in array.strides)))


def call(library, name, arrays):
    descriptors = [descriptor(array) for array in arrays]
    getattr(library, "_mlir_ciface_" + name)(*(ctypes.byref(d) for d in descriptors))
