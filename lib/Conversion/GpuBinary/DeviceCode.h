//===- DeviceCode.h - PTX and cubins from NVVM ------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code generation for a gpu.module in the LLVM and NVVM dialects: LLVM's NVPTX
// backend in this process, then ptxas as a process of its own.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_GPUBINARY_DEVICECODE_H
#define FRIT_LIB_CONVERSION_GPUBINARY_DEVICECODE_H

#include "frit/Kernels/KernelTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace mlir::frit {

/// Where the parts of a CUDA Toolkit are.
struct CudaToolkit {
  /// Path of ptxas; empty where there is none.
  std::string ptxas;
  /// Path of libdevice; empty where there is none.
  std::string libdevice;

  /// Looks into `root` where it is not empty, else where the environment
  /// variables CUDA_HOME and CUDA_PATH and PATH lead, and in /usr/local/cuda.
  static CudaToolkit find(StringRef root);
};

/// Generates PTX for `arch`. Reports an error on the module where a function
/// is left that neither the module nor libdevice defines.
FailureOr<std::string> generatePtx(gpu::GPUModuleOp module, CudaArch arch,
                                   const CudaToolkit &toolkit);

/// Runs ptxas, which the toolkit must have. Its messages become the error.
FailureOr<std::string> assemblePtx(gpu::GPUModuleOp module, StringRef ptx,
                                   CudaArch arch, const CudaToolkit &toolkit);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_GPUBINARY_DEVICECODE_H
