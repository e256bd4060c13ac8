//===- Canonicalize.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Foldings and patterns that all destination-passing ops share. Casts of tensor
// operands are folded by the tensor dialect's own pattern for such ops.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_IR_CANONICALIZE_H
#define FRIT_LIB_DIALECT_FRIT_IR_CANONICALIZE_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

/// Makes memref operands read through casts that only lose static information.
/// Succeeds where an operand changed.
LogicalResult foldMemRefCastOperands(Operation *op);

/// True where all destinations are statically known to have no element.
bool hasEmptyDestinations(DestinationStyleOpInterface op);

/// Replaces an op that leaves its destinations as they are: by the destinations
/// on tensors, by nothing on memrefs.
void replaceByDestinations(PatternRewriter &rewriter,
                           DestinationStyleOpInterface op);

/// Removes an op whose destinations have no element.
template <typename OpTy>
struct RemoveOpOnEmptyDestinations : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!hasEmptyDestinations(op))
      return failure();
    replaceByDestinations(rewriter, op);
    return success();
  }
};

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_IR_CANONICALIZE_H
