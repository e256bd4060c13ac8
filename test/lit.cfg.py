# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The lit configuration of all tests. README.md beside it says how tests are
# written: which substitutions and features there are, and what they mean.

import importlib.util
import os
import shlex
import subprocess
import sys

import lit.formats
from lit.llvm import llvm_config

# The suite of build/test/plugin runs opt tests in the stock mlir-opt, with Frit
# loaded from the plugin.
plugin = getattr(config, "frit_plugin", None)

config.name = "Frit-Plugin" if plugin else "Frit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".py", ".test"]
config.excludes = ["Inputs", "data", "lib", "lit.cfg.py", "plugin", "unit"]
# Suites of their own: those of build/test/plugin, and of build/test/unit for
# GoogleTest binaries.
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.frit_binary_dir, "test")
if plugin:
    config.available_features.add("plugin")
    config.test_exec_root = os.path.join(config.test_exec_root, "plugin")
    # No test there is an opt test.
    config.excludes += ["Benchmarks", "CAPI", "Docs", "Integration", "Package", "Python", "Tools", "conventions.test", "mutation", "property"]

# Memory that cannot be had is null, with sanitizers too. LLVM's allocators mark
# what is free in headers alone: where its libraries are not instrumented, they
# hand out memory that stays marked.
llvm_config.with_environment("ASAN_OPTIONS", "allocator_may_return_null=1:allow_user_poisoning=0")
llvm_config.with_environment("FILECHECK_OPTS", "-enable-var-scope", append_path=False)
llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "OMP_NUM_THREADS", "ASAN_OPTIONS", "FRIT_REAL_GRAPHS"])
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.frit_tools_dir, append_path=True)

# Where opt tests run. The input is also printed and read back, as text and as
# bytecode.
mlir_opt = os.path.join(config.llvm_tools_dir, "mlir-opt")
frit_opt = os.path.join(config.frit_tools_dir, "frit-opt")
if plugin:
    frit_opt = f"{mlir_opt} --load-dialect-plugin={plugin} --load-pass-plugin={plugin}"

# How a test configures a project of its own: with this build's compiler.
cmake_configure = "cmake -G Ninja " + " ".join(
    shlex.quote(f"-D{name}={value}") for name, value in config.frit_cmake_settings.items())

# Longer names come first: lit replaces in this order.
config.substitutions += [
    ("%frit_opt", f"{frit_opt} --verify-roundtrip"),
    ("%cmake_configure", cmake_configure),
    ("%frit_build", config.frit_binary_dir),
    ("%frit_src", config.frit_source_dir),
    ("%frit_tools", config.frit_tools_dir),
    ("%frit_lib", config.frit_lib_dir),
    ("%mlir_include", config.mlir_include_dir),
    ("%mlir_opt", mlir_opt),
    ("%llvm_tblgen", os.path.join(config.llvm_tools_dir, "llvm-tblgen")),
    ("%mlir_tblgen", os.path.join(config.llvm_tools_dir, "mlir-tblgen")),
    ("%shlibext", config.frit_shlib_ext),
    ("%pytest", f"env FRIT_LIBRARY_DIR={config.frit_lib_dir} PYTHONPATH={config.frit_source_dir}/python "
     f"PYTHONDONTWRITEBYTECODE=1 {config.python} -m pytest -q -p no:cacheprovider"),
    ("%python", config.python),
]

# The LLVM tools by path, and a missing one is an error here and not in a test.
# A bundle has none; its tests use what lit itself brings.
for tool in ["FileCheck", "count", "not", "split-file"] if getattr(config, "has_llvm_tools", True) else []:
    path = os.path.join(config.llvm_tools_dir, tool)
    if not os.path.exists(path):
        lit_config.fatal(f"{tool} is not in {config.llvm_tools_dir}")


def have_module(name):
    return importlib.util.find_spec(name) is not None


# `cpu-runner`: frit-run was built, so graphs can be executed on the host.
if os.path.exists(os.path.join(config.frit_tools_dir, "frit-run")):
    config.available_features.add("cpu-runner")
for module in ["numpy", "torch"]:
    if have_module(module):
        config.available_features.add(module)

# `plugin-library`: the plugin was built.
if os.path.exists(os.path.join(config.frit_lib_dir, "FritPlugin.so")):
    config.available_features.add("plugin-library")

# `cuda-device`: the runtime finds a CUDA device; `cuda-devices`: it finds more
# than one. In a process of its own, since a library that a sanitizer
# instruments cannot be loaded here.
count_devices = """
import ctypes, sys
count = ctypes.c_int32(0)
ctypes.CDLL(sys.argv[1]).fritDeviceCount(ctypes.byref(count))
print(count.value)
"""
runtime_library = os.path.join(config.frit_lib_dir, f"libFritRuntime{config.frit_shlib_ext}")
if os.path.exists(runtime_library):
    counted = subprocess.run([sys.executable, "-c", count_devices, runtime_library], capture_output=True, text=True)
    num_devices = int(counted.stdout) if counted.returncode == 0 else 0
    if num_devices > 0:
        config.available_features.add("cuda-device")
    if num_devices > 1:
        config.available_features.add("cuda-devices")

# `sanitizer`: the libraries need a sanitizer's runtime, which programs of other
# compilers do not bring.
if "-fsanitize" in config.frit_cmake_settings.get("CMAKE_CXX_FLAGS", ""):
    config.available_features.add("sanitizer")

# `cuda-kernels`: the compiler has the code of the fused kernels.
if getattr(config, "frit_nvcc", "") and not config.frit_nvcc.endswith("NOTFOUND"):
    config.available_features.add("cuda-kernels")

# `python-package`: the Python package can be used here. A library that a
# sanitizer instruments cannot be loaded.
load = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
if all(have_module(module) for module in ["ml_dtypes", "numpy", "pytest", "safetensors"]):
    compiler_library = os.path.join(config.frit_lib_dir, f"libFritCompiler{config.frit_shlib_ext}")
    if subprocess.run([sys.executable, "-c", load, compiler_library], capture_output=True).returncode == 0:
        config.available_features.add("python-package")

# `stub-driver`: the driver that the runtime's tests simulate was built.
if os.path.exists(os.path.join(config.frit_lib_dir, f"libFritStubDriver{config.frit_shlib_ext}")):
    config.available_features.add("stub-driver")

# `stub-onednn`: the oneDNN that the runtime's tests simulate was built; `onednn`: the loader finds the library.
if os.path.exists(os.path.join(config.frit_lib_dir, f"libFritStubOneDnn{config.frit_shlib_ext}")):
    config.available_features.add("stub-onednn")
if any(subprocess.run([sys.executable, "-c", load, f"libdnnl.so.{version}"], capture_output=True).returncode == 0
       for version in (3, 2)):
    config.available_features.add("onednn")

# `wheel`: the parameter of that name is the path of a wheel of the Python package.
wheel = lit_config.params.get("wheel")
if wheel:
    config.available_features.add("wheel")
    config.substitutions.append(("%wheel", wheel))
