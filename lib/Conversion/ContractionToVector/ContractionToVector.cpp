//===- ContractionToVector.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-contraction-to-vector.
//
//===----------------------------------------------------------------------===//

#include "../Utils/VectorWidth.h"
#include "Contraction.h"

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTCONTRACTIONTOVECTORPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class ConvertContractionToVectorPass
    : public impl::ConvertContractionToVectorPassBase<
          ConvertContractionToVectorPass> {
public:
  using ConvertContractionToVectorPassBase::ConvertContractionToVectorPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return verifyVectorWidth(context, getArgument(), vectorWidth);
  }

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      std::optional<Contraction> contraction = Contraction::match(op);
      if (!contraction)
        continue;
      rewriter.setInsertionPoint(op);
      ImplicitLocOpBuilder builder(contraction->loc, rewriter);
      Type sumType = contraction->getSumType();
      VectorEmitter emitter(
          builder, vectorWidth / sumType.getIntOrFloatBitWidth(), sumType);
      if (contraction->isDotForm())
        emitDotForm(emitter, *contraction);
      else
        emitOuterProductForm(emitter, *contraction);
      rewriter.eraseOp(op);
      ++numConverted;
    }
  }
};

} // namespace
} // namespace mlir::frit
