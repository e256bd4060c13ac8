//===- GraphPlaces.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Picks operands of ops in bodies and of generics.
//
//===----------------------------------------------------------------------===//

#include "GraphPlaces.h"

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

bool test::isInBody(Operation *op) {
  return isa_and_nonnull<linalg::GenericOp>(op->getParentOp());
}

OpOperand *test::pickFloat(ModuleOp module, Random &random) {
  auto isFloat = [](OpOperand &operand) {
    return isa<FloatType>(operand.get().getType());
  };
  auto op = pick<Operation *>(module, random, [&](Operation *op) {
    return isInBody(op) && llvm::any_of(op->getOpOperands(), isFloat);
  });
  if (!op)
    return nullptr;
  SmallVector<OpOperand *> operands;
  for (OpOperand &operand : op->getOpOperands())
    if (isFloat(operand))
      operands.push_back(&operand);
  return operands[random.integer(0, static_cast<int64_t>(operands.size()) - 1)];
}

OpOperand *test::pickInput(ModuleOp module, Random &random) {
  auto isTensor = [](OpOperand *operand) {
    return isa<RankedTensorType>(operand->get().getType());
  };
  auto op = pick<linalg::GenericOp>(module, random, [&](linalg::GenericOp op) {
    return op.hasPureTensorSemantics() &&
           llvm::any_of(op.getDpsInputOperands(), isTensor);
  });
  if (!op)
    return nullptr;
  SmallVector<OpOperand *> inputs = llvm::to_vector(
      llvm::make_filter_range(op.getDpsInputOperands(), isTensor));
  return inputs[random.integer(0, static_cast<int64_t>(inputs.size()) - 1)];
}
