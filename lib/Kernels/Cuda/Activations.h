//===- Activations.h - What activation kernels share ------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters, sizes and conditions that the kernels of both gated ops share.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_CUDA_ACTIVATIONS_H
#define FRIT_LIB_KERNELS_CUDA_ACTIVATIONS_H

#include "CudaKernels.h"

namespace mlir::frit {

/// The vectors of 16 bytes in a row of the result.
AffineExpr getRowVectors(AffineExpr d, AffineExpr elementBytes);

/// Bounds of the vectors in a row, both included.
KernelCondition rowVectors(int64_t low, int64_t high);

/// (gate, up, out, tokens, d, gateStride, upStride, outStride) of a gated op.
template <typename OpTy>
std::vector<KernelArgument> planGatedArguments(OpTy op,
                                               const KernelPlanSizes &sizes) {
  unsigned up = op.isPacked() ? 0 : 1;
  unsigned out = op->getNumOperands() - 1;
  return {
      KernelArgument::pointer(0),
      KernelArgument::pointer(up, op.isPacked() ? sizes("d") : AffineExpr()),
      KernelArgument::pointer(out),
      KernelArgument::size(sizes("T")),
      KernelArgument::size(sizes("d")),
      KernelArgument::stride(0, 0),
      KernelArgument::stride(up, 0),
      KernelArgument::stride(out, 0)};
}

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_CUDA_ACTIVATIONS_H
