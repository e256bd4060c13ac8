# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The lit configuration of a bundle: what CMake writes for a build tree, with
# paths relative to the bundle and without the tools of LLVM.

import os
import sys

import lit.llvm

bundle = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
config.frit_source_dir = bundle
config.frit_binary_dir = bundle
config.frit_tools_dir = os.path.join(bundle, "bin")
config.frit_lib_dir = os.path.join(bundle, "lib")
config.frit_shlib_ext = ".so"
config.frit_cmake_settings = {}
# The tools of a bundle have the kernels.
config.frit_nvcc = "nvcc"
config.llvm_tools_dir = config.frit_tools_dir
config.mlir_include_dir = bundle
config.python = sys.executable
config.has_llvm_tools = False

lit.llvm.initialize(lit_config, config)
lit_config.load_config(config, os.path.join(bundle, "test", "lit.cfg.py"))
