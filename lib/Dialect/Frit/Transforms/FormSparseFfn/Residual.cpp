//===- Residual.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the tensor that a graph adds to the result of a sparse feed-forward
// network. frit.sparse_ffn rounds its own result and then the sum, so that the
// addition has to be one of two rounded values.
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "../RoundingMode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::frit;

/// What an operand of an addition is made of: an argument of the op's body, as
/// it is or extended to f32.
static BlockArgument getArgument(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>();
      extension && extension.getType().isF32())
    value = extension.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// The addition that an elementwise op does; null where its body is something
/// else. Extended to f32, added and rounded is the same as added in 16 bits:
/// f32 holds the sum of two such values exactly enough to round once.
static arith::AddFOp getAddition(linalg::LinalgOp op) {
  Value element = op.getBlock()->getTerminator()->getOperand(0);
  if (auto truncation = element.getDefiningOp<arith::TruncFOp>())
    element = truncation.getIn();
  return element.getDefiningOp<arith::AddFOp>();
}

static bool roundsToNearest(linalg::LinalgOp op) {
  return llvm::none_of(op.getBlock()->getOperations(), [](Operation &inner) {
    return getOtherRounding(&inner);
  });
}

/// True for an op that reads each element of its operands once, where it writes
/// that of its only result.
static bool isElementwise(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
}

void frit::matchResidual(DenseChain &chain) {
  Residual found;
  Value sum = chain.getResult();
  Operation *user = getOnlyUser(sum);
  while (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(user)) {
    found.reshapes.push_back(expand);
    sum = expand.getResult();
    user = getOnlyUser(sum);
  }
  // Where others read the result too, is one of them an addition?
  auto isAddition = [](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return linalgOp && linalgOp->getNumResults() == 1 &&
           linalgOp.getNumParallelLoops() == linalgOp.getNumLoops() &&
           getAddition(linalgOp);
  };
  auto keepApart = [&](StringRef reason) {
    chain.residual.whyApart = reason.str();
  };
  if (!user) {
    if (llvm::any_of(sum.getUsers(), isAddition))
      keepApart("is not all that reads the result");
    return;
  }
  if (!isAddition(user))
    return;
  auto op = cast<linalg::LinalgOp>(user);
  arith::AddFOp addition = getAddition(op);
  Value other;
  bool readsSum = false;
  for (Value value : {addition.getLhs(), addition.getRhs()}) {
    BlockArgument argument = getArgument(value);
    if (!argument || argument.getOwner() != op.getBlock())
      return keepApart("is not of two tensors");
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (operand->get() == sum && !readsSum)
      readsSum = true;
    else
      other = operand->get();
  }
  if (!readsSum || other == sum || op.getNumDpsInputs() != 2 ||
      llvm::any_of(addition->getOperands(), [&](Value value) {
        return op.isDpsInit(op.getMatchingOpOperand(getArgument(value)));
      }))
    return keepApart("is not of the result and one other tensor");
  if (other.getType() != sum.getType() ||
      op->getResult(0).getType() != sum.getType() || !isElementwise(op))
    return keepApart("is not of two tensors of one type, element by element");
  if (!roundsToNearest(op))
    return keepApart("rounds to something else than the nearest even");
  if (op->getBlock() != chain.getResult().getDefiningOp()->getBlock())
    return keepApart("is in another block");
  found.value = other;
  for (tensor::ExpandShapeOp reshape : found.reshapes)
    chain.ops.insert(reshape);
  chain.ops.insert(op);
  chain.residual = std::move(found);
}
