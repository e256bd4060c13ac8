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
    getOperation()->walk([&](KernelOpInterface op) {
      if (isSelected(op))
        listener.worklist.push_back(op);
    });
    DecomposeOptions options;
    options.accumulateInF64 = accumulateInF64;
    while (!listener.worklist.empty()) {
      Operation *op = listener.worklist.pop_back_val();
      rewriter.setInsertionPoint(op);
      std::optional<SmallVector<Value>> values =
          decomposeOp(op, rewriter, options);
      if (!values)
        continue;
      rewriter.replaceOp(op, *values);
      ++numDecomposed;
    }
  }

private:
  bool isSelected(KernelOpInterface op) {
    if (!onlyNativeLinalg)
      return true;
    KernelAttr kernel = op.getKernel();
    return kernel && kernel.getId() == "native.linalg";
  }

  /// Nothing for an op that is not of the frit dialect.
  static std::optional<SmallVector<Value>>
  decomposeOp(Operation *op, OpBuilder &builder,
              const DecomposeOptions &options) {
    return llvm::TypeSwitch<Operation *, std::optional<SmallVector<Value>>>(op)
        .Case<GeluAndMulSparseOp, ActAndMulOp, LoraMatmulOp, LoraShrinkOp,
              LoraExpandOp, LoraGroupOp>(
            [&](auto op) { return decompose(op, builder, options); })
        .Default([](Operation *) { return std::nullopt; });
  }
};

} // namespace
} // namespace mlir::frit
