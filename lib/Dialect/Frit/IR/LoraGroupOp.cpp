//===- LoraGroupOp.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifier and canonicalization of lora_group.
//
//===----------------------------------------------------------------------===//

#include "OpSupport.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::frit;

LogicalResult LoraGroupOp::verify() {
  NamedOperand ids{"ids", getIds()}, order{"order", getOrder()},
      starts{"starts", getStarts()};
  if (failed(verifyDestinationStyle(*this, {ids, order, starts})) ||
      failed(verifyRank(*this, ids, 1)) ||
      failed(verifyRank(*this, order, 1)) ||
      failed(verifyRank(*this, starts, 1)) ||
      failed(verifySameDim(*this, ids, 0, order, 0)))
    return failure();
  if (starts.getType().getDimSize(0) == 0)
    return emitOpError()
           << "dimension 0 of 'starts' must be 1 or more, but is 0";
  return success();
}

LogicalResult LoraGroupOp::fold(FoldAdaptor adaptor,
                                SmallVectorImpl<OpFoldResult> &results) {
  return failure();
}

void LoraGroupOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {}
