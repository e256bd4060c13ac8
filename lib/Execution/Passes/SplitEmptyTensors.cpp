//===- SplitEmptyTensors.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-split-empty-tensors.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace mlir::frit {

#define GEN_PASS_DEF_SPLITEMPTYTENSORSPASS
#include "frit/Execution/Passes.h.inc"

namespace {

class SplitEmptyTensorsPass
    : public impl::SplitEmptyTensorsPassBase<SplitEmptyTensorsPass> {
public:
  using SplitEmptyTensorsPassBase::SplitEmptyTensorsPassBase;

  void runOnOperation() override {
    SmallVector<tensor::EmptyOp> shared;
    getOperation()->walk([&](tensor::EmptyOp op) {
      if (!op->use_empty() && !op->hasOneUse())
        shared.push_back(op);
    });
    for (tensor::EmptyOp op : shared)
      numSplit += split(op);
  }

private:
  /// Gives uses that may be reached together a tensor each.
  static unsigned split(tensor::EmptyOp op) {
    // The uses of one tensor, each.
    SmallVector<SmallVector<OpOperand *>> groups;
    for (OpOperand &use : op->getUses()) {
      auto *group = llvm::find_if(groups, [&](ArrayRef<OpOperand *> others) {
        return llvm::all_of(others, [&](OpOperand *other) {
          return insideMutuallyExclusiveRegions(use.getOwner(),
                                                other->getOwner());
        });
      });
      if (group == groups.end())
        groups.push_back({&use});
      else
        group->push_back(&use);
    }
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    for (ArrayRef<OpOperand *> group : llvm::drop_begin(groups)) {
      Value own = builder.clone(*op)->getResult(0);
      for (OpOperand *use : group)
        use->set(own);
    }
    return groups.size() > 1 ? 1 : 0;
  }
};

} // namespace
} // namespace mlir::frit
