//===- FritToSimt.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-frit-to-simt: finds the ops it was asked to convert and
// reports those it cannot.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTFRITTOSIMTPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

constexpr StringLiteral kernelId = "native.simt";

class ConvertFritToSimtPass
    : public impl::ConvertFritToSimtPassBase<ConvertFritToSimtPass> {
public:
  using ConvertFritToSimtPassBase::ConvertFritToSimtPassBase;

  void runOnOperation() override {
    SmallVector<KernelOpInterface> selected;
    getOperation()->walk([&](KernelOpInterface op) {
      KernelAttr kernel = op.getKernel();
      if (kernel ? kernel.getId() == kernelId : convertUnselected)
        selected.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (KernelOpInterface op : selected) {
      rewriter.setInsertionPoint(op);
      if (failed(lower(op, rewriter)))
        return signalPassFailure();
      ++numConverted;
    }
  }

private:
  static LogicalResult lower(Operation *op, RewriterBase &rewriter) {
    // A Frit op has a result for each destination of tensor type.
    if (op->getNumResults() != 0)
      return op->emitOpError("must be on memrefs for kernel \"")
             << kernelId << "\", but 'out' is " << op->getResult(0).getType();
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<GeluAndMulSparseOp, ActAndMulOp, LoraMatmulOp, LoraShrinkOp,
              LoraExpandOp>([&](auto op) {
          lowerToSimt(op, rewriter);
          return success();
        })
        .Default([](Operation *op) {
          return op->emitOpError("has no form for kernel \"")
                 << kernelId << "\"";
        });
  }
};

} // namespace
} // namespace mlir::frit
