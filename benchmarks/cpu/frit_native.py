# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions over tensors, compiled by frit-run and called on the memory of PyTorch tensors."""

import ctypes
import pathlib
import re
import subprocess
import tempfile

import abi
import torch

NAMES = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int32: "i32"}


class Library:
    """A build of Frit with a context of its runtime."""

    def __init__(self, build, threads, target="cpu"):
        """`target` is what --target of frit-run takes."""
        self.target = target
        self.tools = pathlib.Path(build).resolve() / "bin"
        path = pathlib.Path(build).resolve() / "lib" / "libFritRuntime.so"
        self.runtime = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        self.context = ctypes.c_void_p()
        if self.runtime.fritContextCreate(None, ctypes.byref(self.context)) != 0:
            raise RuntimeError("the runtime made no context")
        self.runtime.fritContextThreads.argtypes = [ctypes.c_void_p]
        used = self.runtime.fritContextThreads(self.context)
        if used != threads:
            raise RuntimeError(f"the runtime uses {used} threads, not {threads}")
        self.runtime.fritContextErrorMessage.argtypes = [ctypes.c_void_p]
        self.runtime.fritContextErrorMessage.restype = ctypes.c_char_p
        self.folder = tempfile.TemporaryDirectory(prefix="frit-benchmark-")
        self.count = 0

    def compile(self, text, target=None, policy="auto"):
        """The function @main of a module, for the library's target unless another is given."""
        stem = pathlib.Path(self.folder.name) / f"f{self.count}"
        self.count += 1
        source, object_file, library = (stem.with_suffix(s) for s in (".mlir", ".o", ".so"))
        source.write_text(text)
        subprocess.run([self.tools / "frit-run", source, f"--target={target or self.target}",
                        f"--policy={policy}", "--dump=obj", f"--dump-output={object_file}"], check=True)
        subprocess.run(["cc", "-shared", "-o", library, object_file, "-lm"], check=True)
        return Function(self, ctypes.CDLL(str(library))._frit_main)

    def kernel_of(self, text):
        """The id of the kernel that selection picks for the one compute op of a module."""
        pipeline = "builtin.module(frit-select-kernels{target=cpu})"
        out = subprocess.run([self.tools / "frit-opt", "-", f"--pass-pipeline={pipeline}"], input=text, text=True,
                             check=True, capture_output=True).stdout
        return re.search(r"#frit\.kernel<\"([^\"]+)\"", out).group(1)


class Function:
    """A compiled function. `bind` fixes its arguments and returns what calls it."""

    def __init__(self, library, entry):
        self.library, self.entry = library, entry
        entry.argtypes, entry.restype = [ctypes.c_void_p, ctypes.c_void_p], ctypes.c_int32

    def bind(self, *tensors):
        """The arguments and then the results, which are written."""
        arguments = abi.Arguments(tensors)
        address, context, entry = arguments.address, self.library.context.value, self.entry

        def call():
            status = entry(context, address)
            if status != 0:
                raise RuntimeError(self.library.runtime.fritContextErrorMessage(context).decode())

        call.keep = arguments
        return call
