//===- Activation.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers the gated activations.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"

namespace mlir::frit {

LogicalResult lowerToVector(GeluAndMulSparseOp op, const VectorTarget &target,
                            RewriterBase &rewriter) {
  return op.emitOpError("has no form for kernel \"native.vector\"");
}

LogicalResult lowerToVector(ActAndMulOp op, const VectorTarget &target,
                            RewriterBase &rewriter) {
  return op.emitOpError("has no form for kernel \"native.vector\"");
}

} // namespace mlir::frit
