//===- Epilogue.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches what may be done behind a matmul.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "OperandView.h"

#include "../RoundingMode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

/// The operand of an elementwise op whose element, perhaps extended to f32, a
/// value of its body is; null where the value is something else.
static OpOperand *getOperand(linalg::LinalgOp op, Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  return op.isDpsInput(operand) ? operand : nullptr;
}

/// What an operand that is added is made of, if it is of type `elementType`: a
/// vector along the columns, or a tensor like the result.
static std::optional<Epilogue>
matchAddend(linalg::LinalgOp op, OpOperand &operand, Type elementType) {
  std::optional<OperandView> view = OperandView::of(op, operand);
  if (!view)
    return std::nullopt;
  OperandView addend = view->followCopies(/*widens=*/true);
  if (addend.getElementType() != elementType)
    return std::nullopt;
  if (addend.loops == ArrayRef<unsigned>(op.getNumLoops() - 1))
    return Epilogue{op, addend.tensor, {}};
  if (addend.tensor.getType() == op->getResult(0).getType() &&
      llvm::equal(addend.loops, llvm::seq<unsigned>(0, op.getNumLoops())))
    return Epilogue{op, {}, addend.tensor};
  return std::nullopt;
}

std::optional<Epilogue> frit::matchEpilogue(OpResult sum, Type elementType) {
  if (!sum.hasOneUse())
    return std::nullopt;
  OpOperand &use = *sum.use_begin();
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  // In another block it may run more often than the matmul.
  if (!op || op->getBlock() != sum.getOwner()->getBlock() ||
      !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || !op.isDpsInput(&use) ||
      !op.getMatchingIndexingMap(&use).isIdentity() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  Type outType = getElementTypeOrSelf(op->getResult(0).getType());
  if (!outType.isF32() && outType != elementType)
    return std::nullopt;

  Value element = op.getBlock()->getTerminator()->getOperand(0);
  if (auto truncation = element.getDefiningOp<arith::TruncFOp>()) {
    if (getOtherRounding(truncation))
      return std::nullopt;
    element = truncation.getIn();
  }
  if (!element.getType().isF32())
    return std::nullopt;
  if (getOperand(op, element) == &use && op.getNumDpsInputs() == 1)
    return Epilogue{op, {}, {}};

  auto addition = element.getDefiningOp<arith::AddFOp>();
  if (!addition || op.getNumDpsInputs() != 2)
    return std::nullopt;
  OpOperand *lhs = getOperand(op, addition.getLhs());
  OpOperand *rhs = getOperand(op, addition.getRhs());
  if (lhs != &use)
    std::swap(lhs, rhs);
  if (lhs != &use || !rhs || rhs == &use)
    return std::nullopt;
  return matchAddend(op, *rhs, outType);
}
