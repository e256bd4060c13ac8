//===- LaterUses.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the buffer of a tensor through destinations, views and regions.
//
//===----------------------------------------------------------------------===//

#include "LaterUses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::frit {
namespace {

/// Adds the values that may lie in the buffer of the operand after its op: more
/// rather than fewer.
void addAliases(OpOperand &operand, SetVector<Value> &values) {
  Operation *owner = operand.getOwner();
  auto addTensors = [&](ValueRange results) {
    for (Value result : results)
      if (isa<TensorType, BaseMemRefType>(result.getType()))
        values.insert(result);
  };
  if (isa<scf::YieldOp>(owner) && isa<scf::IfOp>(owner->getParentOp()))
    return addTensors(
        owner->getParentOp()->getResult(operand.getOperandNumber()));
  if (owner->hasTrait<OpTrait::IsTerminator>()) {
    // The value leaves by the parent's results or goes to another block.
    addTensors(owner->getParentOp()->getResults());
    for (Block *successor : owner->getSuccessors())
      addTensors(successor->getArguments());
    return;
  }
  auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(owner);
  if (!destinationStyle)
    return addTensors(owner->getResults());
  if (!destinationStyle.isDpsInit(&operand))
    return;
  // Where some destinations are buffers, results have other numbers.
  if (destinationStyle.getNumDpsInits() == owner->getNumResults())
    values.insert(destinationStyle.getTiedOpResult(&operand));
  else
    addTensors(owner->getResults());
}

/// Whether one of the values, or what may lie in its buffer, is used after
/// `op`.
bool anyIsUsedAfter(SetVector<Value> &values, Operation *op, Value except) {
  Block *block = op->getBlock();
  for (size_t next = 0; next < values.size(); ++next) {
    Value value = values[next];
    if (value == except)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *owner = use.getOwner();
      if (isa<tensor::DimOp>(owner))
        continue;
      Operation *ancestor = block->findAncestorOpInBlock(*owner);
      if (!ancestor || (ancestor != op && !ancestor->isBeforeInBlock(op)))
        return true;
      addAliases(use, values);
    }
  }
  return false;
}

} // namespace

bool mayBeUsedAfter(Value tensor, Operation *op, Value except) {
  // Elsewhere `op` may run again after a use that stands in front of it.
  Operation *source = tensor.getDefiningOp();
  if (!source || !op->getBlock()->findAncestorOpInBlock(*source))
    return true;
  SetVector<Value> values;
  values.insert(tensor);
  return anyIsUsedAfter(values, op, except);
}

bool mayBeUsedAfter(ArrayRef<OpOperand *> uses, Operation *op, Value except) {
  SetVector<Value> values;
  for (OpOperand *use : uses) {
    if (!op->getBlock()->findAncestorOpInBlock(*use->getOwner()))
      return true;
    addAliases(*use, values);
  }
  return anyIsUsedAfter(values, op, except);
}

bool mayBeAnotherTensor(ArrayRef<OpOperand *> uses, Value except) {
  SetVector<Value> values;
  for (OpOperand *use : uses)
    addAliases(*use, values);
  for (size_t next = 0; next < values.size(); ++next) {
    Value value = values[next];
    if (value == except)
      continue;
    for (OpOperand &use : value.getUses())
      addAliases(use, values);
  }
  auto isSame = [&](OpOperand &yielded) {
    return values.contains(yielded.get()) || llvm::is_contained(uses, &yielded);
  };
  return llvm::any_of(values, [&](Value value) {
    auto ifOp = value.getDefiningOp<scf::IfOp>();
    if (!ifOp)
      return false;
    unsigned number = cast<OpResult>(value).getResultNumber();
    return !isSame(ifOp.thenYield()->getOpOperand(number)) ||
           !isSame(ifOp.elseYield()->getOpOperand(number));
  });
}

} // namespace mlir::frit
