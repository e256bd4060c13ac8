//===- Updates.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tensor an op updates.
//
//===----------------------------------------------------------------------===//

#include "Updates.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

Value frit::findUpdatedTensor(OpResult result,
                              SmallVectorImpl<OpOperand *> &uses) {
  if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner())) {
    OpOperand *destination = op.getTiedOpOperand(result);
    // Where some destinations are buffers, the others have other numbers.
    if (destination->get().getType() != result.getType())
      return {};
    uses.push_back(destination);
    return destination->get();
  }
  auto ifOp = dyn_cast<scf::IfOp>(result.getOwner());
  if (!ifOp)
    return {};
  unsigned number = result.getResultNumber();
  SmallVector<OpOperand *> inside = {&ifOp.thenYield()->getOpOperand(number),
                                     &ifOp.elseYield()->getOpOperand(number)};
  Value updated;
  while (!inside.empty()) {
    OpOperand *use = inside.pop_back_val();
    Operation *definition = use->get().getDefiningOp();
    if (definition && ifOp->isProperAncestor(definition)) {
      if (!findUpdatedTensor(cast<OpResult>(use->get()), inside))
        return {};
      continue;
    }
    if (updated && updated != use->get())
      return {};
    updated = use->get();
    uses.push_back(use);
  }
  return updated;
}
