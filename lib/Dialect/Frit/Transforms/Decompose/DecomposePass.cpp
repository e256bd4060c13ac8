//===- DecomposePass.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-decompose.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Decompose.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FRITDECOMPOSEPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// Collects the Frit ops that decomposing other Frit ops creates.
struct CreatedOps : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (isa<KernelOpInterface>(op))
      worklist.push_back(op);
  }

  SmallVector<Operation *> worklist;
};

class FritDecomposePass
    : public impl::FritDecomposePassBase<FritDecomposePass> {
public:
  using FritDecomposePassBase::FritDecomposePassBase;

  void runOnOperation() override {
    CreatedOps listener;
    IRRewriter rewriter(&getContext(), &listener);
    bool valid = true;
    getOperation()->walk([&](Operation *op) {
      if (!isSelected(op))
        return;
      if (!isa_and_present<FritDialect>(op->getDialect())) {
        op->emitOpError("has no native form to be decomposed into, but its "
                        "kernel is \"native.linalg\"");
        valid = false;
      }
      listener.worklist.push_back(op);
    });
    if (!valid)
      return signalPassFailure();
    DecomposeOptions options;
    options.accumulateInF64 = accumulateInF64;
    while (!listener.worklist.empty()) {
      Operation *op = listener.worklist.pop_back_val();
      rewriter.setInsertionPoint(op);
      rewriter.replaceOp(op, decomposeOp(op, rewriter, options));
      ++numDecomposed;
    }
  }

private:
  /// Any op that says so is selected, also one that is not Frit's.
  bool isSelected(Operation *op) {
    auto kernel = op->getAttrOfType<KernelAttr>(KernelAttr::getOpAttrName());
    if (kernel && kernel.getId() == "native.linalg")
      return true;
    return !onlyNativeLinalg && isa_and_present<FritDialect>(op->getDialect());
  }

  static SmallVector<Value> decomposeOp(Operation *op, OpBuilder &builder,
                                        const DecomposeOptions &options) {
    return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
        .Case<GeluAndMulSparseOp, ActAndMulOp, LoraMatmulOp, LoraShrinkOp,
              LoraExpandOp, LoraGeluAndMulSparseOp, LoraGroupOp, MatmulOp,
              SparseFfnOp>(
            [&](auto op) { return decompose(op, builder, options); });
  }
};

} // namespace
} // namespace mlir::frit
