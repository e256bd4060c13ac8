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
      if (isa<TensorType>(result.getType()))
        values.insert(result);
  };
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
  if (destinationStyle.isDpsInit(&operand) &&
      destinationStyle.getNumDpsInits() == owner->getNumResults())
    values.insert(destinationStyle.getTiedOpResult(&operand));
}

} // namespace

bool mayBeUsedAfter(Value tensor, Operation *op) {
  Block *block = op->getBlock();
  // Elsewhere `op` may run again after a use that stands in front of it.
  Operation *source = tensor.getDefiningOp();
  if (!source || !block->findAncestorOpInBlock(*source))
    return true;
  SetVector<Value> values;
  values.insert(tensor);
  for (size_t next = 0; next < values.size(); ++next)
    for (OpOperand &use : Value(values[next]).getUses()) {
      Operation *owner = use.getOwner();
      if (isa<tensor::DimOp>(owner))
        continue;
      Operation *ancestor = block->findAncestorOpInBlock(*owner);
      if (ancestor == op)
        continue;
      if (!ancestor || !ancestor->isBeforeInBlock(op))
        return true;
      addAliases(use, values);
    }
  return false;
}

} // namespace mlir::frit
