//===- DecomposeLinalg.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of linalg that are no structured ops have no loops of their own. Upstream
// writes them as structured ones, but has no pass that does. Not linalg.unpack:
// upstream makes of it a slice that can reach beyond the packed tensor.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

#define GEN_PASS_DEF_DECOMPOSELINALGPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

class DecomposeLinalgPass
    : public impl::DecomposeLinalgPassBase<DecomposeLinalgPass> {
public:
  using DecomposeLinalgPassBase::DecomposeLinalgPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (!isa<linalg::SoftmaxOp, linalg::PackOp>(op) ||
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
        return;
      rewriter.setInsertionPoint(op);
      if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
        if (auto values = softmax.decomposeOperation(rewriter);
            succeeded(values))
          rewriter.replaceOp(op, *values);
      } else {
        (void)linalg::lowerPack(rewriter, cast<linalg::PackOp>(op));
      }
    });
  }
};

} // namespace
} // namespace mlir::frit
