//===- TokenOpInterface.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the ops have their tokens.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/IR/Frit.h"

using namespace mlir;
using namespace mlir::frit;

//===----------------------------------------------------------------------===//
// Gated ops: all dimensions but the last; sparse_ffn: the first
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> getLeadingDims(OpOperand &operand) {
  int64_t rank = cast<ShapedType>(operand.get().getType()).getRank();
  return llvm::to_vector(llvm::seq<int64_t>(0, rank - 1));
}

SmallVector<int64_t> GeluAndMulSparseOp::getTokenDims(OpOperand &operand) {
  return getLeadingDims(operand);
}

SmallVector<int64_t> ActAndMulOp::getTokenDims(OpOperand &operand) {
  return getLeadingDims(operand);
}

SmallVector<int64_t> SparseFfnOp::getTokenDims(OpOperand &operand) {
  bool hasTokens = &operand == &getXMutable() || &operand == &getOutMutable() ||
                   (getIds() && &operand == &getIdsMutable()[0]);
  return hasTokens ? SmallVector<int64_t>{0} : SmallVector<int64_t>{};
}

//===----------------------------------------------------------------------===//
// LoRA ops: one dimension of the activations, the ids and the destination
//===----------------------------------------------------------------------===//

template <typename LoraOp>
static SmallVector<int64_t>
getLoraTokenDims(LoraOp op, OpOperand &operand, OpOperand &activations,
                 int64_t activationsDim, int64_t outDim) {
  if (&operand == &activations)
    return {activationsDim};
  if (&operand == &op.getIdsMutable())
    return {0};
  if (&operand == &op.getOutMutable())
    return {outDim};
  return {};
}

template <typename LoraOp>
static bool isLoraGroupingOperand(LoraOp op, OpOperand &operand) {
  for (MutableOperandRange range :
       {op.getOrderMutable(), op.getStartsMutable(), op.getActiveMutable()})
    for (OpOperand &grouping : range)
      if (&grouping == &operand)
        return true;
  return false;
}

template <typename LoraOp> static void dropLoraGrouping(LoraOp op) {
  op.getOrderMutable().clear();
  op.getStartsMutable().clear();
  op.getActiveMutable().clear();
}

SmallVector<int64_t> LoraMatmulOp::getTokenDims(OpOperand &operand) {
  return getLoraTokenDims(*this, operand, getXMutable(), 0, 0);
}
bool LoraMatmulOp::isGroupingOperand(OpOperand &operand) {
  return isLoraGroupingOperand(*this, operand);
}
void LoraMatmulOp::dropGrouping() { dropLoraGrouping(*this); }

SmallVector<int64_t> LoraShrinkOp::getTokenDims(OpOperand &operand) {
  return getLoraTokenDims(*this, operand, getXMutable(), 0, 1);
}
bool LoraShrinkOp::isGroupingOperand(OpOperand &operand) {
  return isLoraGroupingOperand(*this, operand);
}
void LoraShrinkOp::dropGrouping() { dropLoraGrouping(*this); }

SmallVector<int64_t> LoraExpandOp::getTokenDims(OpOperand &operand) {
  return getLoraTokenDims(*this, operand, getHMutable(), 1, 0);
}
bool LoraExpandOp::isGroupingOperand(OpOperand &operand) {
  return isLoraGroupingOperand(*this, operand);
}
void LoraExpandOp::dropGrouping() { dropLoraGrouping(*this); }

SmallVector<int64_t> LoraGeluAndMulSparseOp::getTokenDims(OpOperand &operand) {
  if (&operand == &getYMutable())
    return {0};
  return getLoraTokenDims(*this, operand, getHMutable(), 1, 0);
}
bool LoraGeluAndMulSparseOp::isGroupingOperand(OpOperand &operand) {
  return isLoraGroupingOperand(*this, operand);
}
void LoraGeluAndMulSparseOp::dropGrouping() { dropLoraGrouping(*this); }
