//===- LoraGroupOp.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifier of lora_group.
//
//===----------------------------------------------------------------------===//

#include "OpSupport.h"

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
  // Positions are i32.
  int64_t tokens = ids.getType().getDimSize(0);
  int64_t limit = std::numeric_limits<int32_t>::max();
  if (!ShapedType::isDynamic(tokens) && tokens > limit)
    return emitOpError() << "dimension 0 of 'ids' must be at most " << limit
                         << ", but is " << tokens;
  return success();
}
