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
    for (tensor::EmptyOp op : shared) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      for (OpOperand &use :
           llvm::make_early_inc_range(llvm::drop_begin(op->getUses())))
        use.set(builder.clone(*op)->getResult(0));
    }
    numSplit += shared.size();
  }
};

} // namespace
} // namespace mlir::frit
