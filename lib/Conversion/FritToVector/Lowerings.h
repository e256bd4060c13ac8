//===- Lowerings.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowerings of single ops that convert-frit-to-vector is made of.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOVECTOR_LOWERINGS_H
#define FRIT_LIB_CONVERSION_FRITTOVECTOR_LOWERINGS_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

/// What a lowering needs to know of the target.
struct VectorTarget {
  /// Bits of a vector register.
  unsigned width = 256;

  /// Number of f32 elements in a register. All arithmetic is f32, so this is
  /// the natural length of a vector of any element type.
  int64_t getNumLanes() const { return width / 32; }
};

/// Each lowering replaces one op on memrefs by loops of vector code, inserted
/// before it. Where it cannot, it emits an error on the op that says why, and
/// leaves it.
LogicalResult lowerToVector(GeluAndMulSparseOp op, const VectorTarget &target,
                            RewriterBase &rewriter);
LogicalResult lowerToVector(ActAndMulOp op, const VectorTarget &target,
                            RewriterBase &rewriter);
LogicalResult lowerToVector(LoraMatmulOp op, const VectorTarget &target,
                            RewriterBase &rewriter);
LogicalResult lowerToVector(LoraShrinkOp op, const VectorTarget &target,
                            RewriterBase &rewriter);
LogicalResult lowerToVector(LoraExpandOp op, const VectorTarget &target,
                            RewriterBase &rewriter);
LogicalResult lowerToVector(SparseFfnOp op, const VectorTarget &target,
                            RewriterBase &rewriter);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOVECTOR_LOWERINGS_H
