//===- OperandView.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows tensors to what they are copies of.
//
//===----------------------------------------------------------------------===//

#include "OperandView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

std::optional<OperandView> OperandView::of(linalg::LinalgOp op,
                                           OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation() ||
      !isa<RankedTensorType>(operand.get().getType()))
    return std::nullopt;
  OperandView view{operand.get(), {}};
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    view.loops.push_back(map.getDimPosition(i));
  return view;
}

bool OperandView::followCopy(bool widens) {
  auto copy = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!copy || copy.getNumDpsInputs() != 1 || copy.getNumDpsInits() != 1 ||
      copy.getNumParallelLoops() != copy.getNumLoops())
    return false;
  Block *body = copy.getBlock();
  if (!body->mightHaveTerminator())
    return false;
  Value element = body->getTerminator()->getOperand(0);
  if (auto extension = element.getDefiningOp<arith::ExtFOp>();
      extension && widens && extension.getType().isF32())
    element = extension.getIn();
  if (element != body->getArgument(0))
    return false;
  std::optional<OperandView> source = of(copy, *copy.getDpsInputOperand(0));
  std::optional<OperandView> target = of(copy, *copy.getDpsInitOperand(0));
  if (!source || !target)
    return false;
  for (unsigned &loop : source->loops) {
    const unsigned *dim = llvm::find(target->loops, loop);
    if (dim == target->loops.end())
      return false;
    loop = loops[dim - target->loops.begin()];
  }
  *this = *source;
  return true;
}

OperandView OperandView::followCopies(bool widens) const {
  OperandView view = *this;
  while (view.followCopy(widens)) {
  }
  return view;
}
