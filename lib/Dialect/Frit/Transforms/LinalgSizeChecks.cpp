//===- LinalgSizeChecks.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that the operands of a linalg op, which may be a user's own, agree on
// the size of each loop and hold every element that the loops reach.
//
//===----------------------------------------------------------------------===//

#include "RuntimeChecks.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;
using namespace mlir::frit;

/// The dimension that gives each loop its size.
using LoopSizes = SmallVector<std::optional<NamedDim>>;

/// A dimension of an operand, numbered as in the op's ins and outs. Of the
/// value before casts: canonicalization gives operands the sizes of each other.
static NamedDim nameDim(linalg::LinalgOp op, OpOperand &operand, int64_t dim) {
  unsigned number = operand.getOperandNumber();
  std::string name =
      op.isDpsInput(&operand)
          ? "input " + std::to_string(number)
          : "output " + std::to_string(number - op.getNumDpsInputs());
  Value value = operand.get();
  while (auto cast = value.getDefiningOp<tensor::CastOp>()) {
    if (!isa<RankedTensorType>(cast.getSource().getType()))
      break;
    value = cast.getSource();
  }
  return {name, value, dim};
}

static void
forEachDim(linalg::LinalgOp op,
           function_ref<void(const NamedDim &dim, AffineExpr index)> body) {
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, index] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      body(nameDim(op, operand, dim), index);
}

/// The first dimension that a loop runs over, or the first whose size the type
/// says: the verifier has compared those with each other.
static LoopSizes findLoopSizes(linalg::LinalgOp op) {
  LoopSizes sizes(op.getNumLoops());
  forEachDim(op, [&](const NamedDim &dim, AffineExpr index) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop)
      return;
    std::optional<NamedDim> &size = sizes[loop.getPosition()];
    if (!size || (size->isDynamic() && !dim.isDynamic()))
      size = dim;
  });
  return sizes;
}

/// Checks that the indices of a dimension, as of a window that moves over an
/// image, stay below its size. Those that are not a sum of loops with positive
/// factors are left to run-time verification.
static void checkReach(const NamedDim &dim, AffineExpr index,
                       const LoopSizes &loopSizes, CheckBuilder &checks) {
  SmallVector<int64_t> factors;
  if (failed(getFlattenedAffineExpr(index, loopSizes.size(), /*numSymbols=*/0,
                                    &factors)) ||
      factors.size() != loopSizes.size() + 1)
    return;
  int64_t start = factors.pop_back_val();
  bool isDynamic = dim.isDynamic();
  for (auto [factor, size] : llvm::zip_equal(factors, loopSizes)) {
    if (factor < 0 || (factor > 0 && !size))
      return;
    isDynamic |= factor > 0 && size->isDynamic();
  }
  if (!isDynamic)
    return;
  OpBuilder &b = checks.b;
  Value zero = checks.constant(0);
  Value needed = checks.constant(start + 1);
  Value isEmpty = arith::ConstantIntOp::create(b, checks.loc, 0, 1);
  for (auto [factor, size] : llvm::zip_equal(factors, loopSizes)) {
    if (factor == 0)
      continue;
    Value trips = checks.sizeOf(*size);
    isEmpty = arith::OrIOp::create(b, checks.loc, isEmpty,
                                   checks.isEqual(trips, zero));
    Value last =
        arith::SubIOp::create(b, checks.loc, trips, checks.constant(1));
    Value reach =
        arith::MulIOp::create(b, checks.loc, last, checks.constant(factor));
    needed = arith::AddIOp::create(b, checks.loc, needed, reach);
  }
  needed = arith::SelectOp::create(b, checks.loc, isEmpty, zero, needed);
  checks.check(checks.isAtMost(needed, checks.sizeOf(dim)),
               "the size that the loops need exceeds " + dim.str());
}

void frit::generateSizeChecks(linalg::LinalgOp op, CheckBuilder &checks) {
  LoopSizes loopSizes = findLoopSizes(op);
  forEachDim(op, [&](const NamedDim &dim, AffineExpr index) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop)
      return checkReach(dim, index, loopSizes, checks);
    const NamedDim &size = *loopSizes[loop.getPosition()];
    if (size.value != dim.value || size.dim != dim.dim)
      checks.checkSame(size, dim);
  });
}
