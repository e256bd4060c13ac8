//===- Canonicalize.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonicalization that all destination-passing ops share, and what the gated
// ops and lora_group have of it.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

LogicalResult frit::foldMemRefCastOperands(Operation *op) {
  bool changed = false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto cast = operand.get().getDefiningOp<memref::CastOp>();
    if (!cast || !memref::CastOp::canFoldIntoConsumerOp(cast))
      continue;
    operand.set(cast.getSource());
    changed = true;
  }
  return success(changed);
}

bool frit::hasEmptyDestinations(DestinationStyleOpInterface op) {
  return llvm::all_of(op.getDpsInits(), [](Value init) {
    return llvm::is_contained(cast<ShapedType>(init.getType()).getShape(), 0);
  });
}

void frit::replaceByDestinations(PatternRewriter &rewriter,
                                 DestinationStyleOpInterface op) {
  if (op->getNumResults() == 0)
    rewriter.eraseOp(op);
  else
    rewriter.replaceOp(op, SmallVector<Value>(op.getDpsInits()));
}

LogicalResult GeluAndMulSparseOp::fold(FoldAdaptor,
                                       SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}

void GeluAndMulSparseOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<RemoveOpOnEmptyDestinations<GeluAndMulSparseOp>>(context);
}

LogicalResult ActAndMulOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}

void ActAndMulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<RemoveOpOnEmptyDestinations<ActAndMulOp>>(context);
}

// `starts` always has an element, so lora_group is never removed.
LogicalResult LoraGroupOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}
