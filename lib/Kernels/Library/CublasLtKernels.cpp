//===- CublasLtKernels.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLASLt takes every form of frit.matmul that has something to sum, but for a
// bias that would be rounded: types, transposes, strides, batches and
// accumulation are told to it at run time, when its heuristics choose an
// algorithm for the sizes.
//
//===----------------------------------------------------------------------===//

#include "LibraryKernels.h"

#include "../Cuda/CudaKernels.h"

#include "frit/Kernels/KernelTable.h"

using namespace mlir;
using namespace mlir::frit;

/// Some algorithms round the sum to the type of the result and then add the
/// bias, which rounds twice.
static KernelCondition roundsOnce() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    auto matmul = cast<MatmulOp>(op.getOperation());
    if (!matmul.getBias() || matmul.getOutType().getElementType().isF32())
      return KernelFinding::met();
    return KernelFinding::notMet(
        "needs a bias to be added in f32, but the library rounds the sum to " +
        getTypeName(matmul.getOutType().getElementType()) + " before");
  };
  return {"rounds_once", "no bias, or an f32 result", check};
}

void frit::addCublasLtKernels(KernelTable &table) {
  KernelEntry entry{"library.cublaslt",      "frit.matmul",
                    KernelProvider::Library, KernelTargets::minimumSm(80),
                    {"f32", "f16", "bf16"},
                    /*priority=*/20};
  entry.conditions = {KernelCondition::atLeast("terms", "K", 1), roundsOnce()};
  entry.bitsFollowTokens = true;
  (void)table.add(std::move(entry));
}
