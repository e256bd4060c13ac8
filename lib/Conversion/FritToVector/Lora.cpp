//===- Lora.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers lora_matmul, lora_shrink and lora_expand. The matmul is the two halves
// after one another, with the rank vectors of all tokens, R values each, in a
// scratch between them: so either half has its own parallel loop, and threads
// that share out the columns of one token do not each repeat its shrinking
// half.
//
//===----------------------------------------------------------------------===//

#include "LoraEmitter.h"
#include "Lowerings.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::frit;

std::optional<int64_t> frit::addTaskProducts(std::optional<int64_t> products,
                                             int64_t tokens, int64_t rows,
                                             int64_t columns) {
  if (!products || ShapedType::isDynamic(rows) ||
      ShapedType::isDynamic(columns))
    return std::nullopt;
  uint64_t sum = llvm::SaturatingMultiplyAdd<uint64_t>(
      llvm::SaturatingMultiply<uint64_t>(tokens, rows), columns, *products);
  return static_cast<int64_t>(
      std::min<uint64_t>(sum, std::numeric_limits<int64_t>::max()));
}

template <typename LoraOp>
static LogicalResult lower(LoraOp op, const VectorTarget &target,
                           RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(getOriginLoc(op, FpMode::Strict), rewriter);
  NumericsBuilder numerics(b, op);
  VectorEmitter e(b, target.getNumLanes());
  Value numAdapters = e.dim(op.getWeights().front(), 0);
  auto emit = [&](const auto &code) {
    emitVectorCode(code, e, numerics, LoraTokens(e, code.tokens, numAdapters));
  };
  emitLora(op, b, numerics, emit, emit);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult frit::lowerToVector(LoraMatmulOp op, const VectorTarget &target,
                                  RewriterBase &rewriter) {
  return lower(op, target, rewriter);
}

LogicalResult frit::lowerToVector(LoraShrinkOp op, const VectorTarget &target,
                                  RewriterBase &rewriter) {
  return lower(op, target, rewriter);
}

LogicalResult frit::lowerToVector(LoraExpandOp op, const VectorTarget &target,
                                  RewriterBase &rewriter) {
  return lower(op, target, rewriter);
}
