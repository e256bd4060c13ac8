//===- FritToVector.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-frit-to-vector: collects the patterns of all ops and reports
// what it was asked to convert and could not.
//
//===----------------------------------------------------------------------===//

#include "../Utils/VectorWidth.h"
#include "Lowerings.h"

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTFRITTOVECTORPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class ConvertFritToVectorPass
    : public impl::ConvertFritToVectorPassBase<ConvertFritToVectorPass> {
public:
  using ConvertFritToVectorPassBase::ConvertFritToVectorPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return verifyVectorWidth(context, getArgument(), vectorWidth);
  }

  void runOnOperation() override {
    SmallVector<KernelOpInterface> selected;
    getOperation()->walk([&](KernelOpInterface op) {
      if (isSelected(op))
        selected.push_back(op);
    });
    VectorTarget target{vectorWidth};
    IRRewriter rewriter(&getContext());
    for (KernelOpInterface op : selected) {
      rewriter.setInsertionPoint(op);
      if (failed(lower(op, target, rewriter)))
        return signalPassFailure();
      ++numConverted;
    }
  }

private:
  bool isSelected(KernelOpInterface op) {
    KernelAttr kernel = op.getKernel();
    return kernel ? kernel.getId() == "native.vector" : convertUnselected;
  }

  static LogicalResult lower(Operation *op, const VectorTarget &target,
                             RewriterBase &rewriter) {
    // A Frit op has a result for each destination of tensor type.
    if (op->getNumResults() != 0)
      return op->emitOpError("must be on memrefs for kernel \"native.vector\", "
                             "but 'out' is ")
             << op->getResult(0).getType();
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<GeluAndMulSparseOp, ActAndMulOp, LoraMatmulOp, LoraShrinkOp,
              LoraExpandOp, SparseFfnOp>(
            [&](auto op) { return lowerToVector(op, target, rewriter); })
        .Default([](Operation *op) {
          return op->emitOpError("has no form for kernel \"native.vector\"");
        });
  }
};

} // namespace
} // namespace mlir::frit
