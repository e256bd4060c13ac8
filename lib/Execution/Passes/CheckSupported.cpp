//===- CheckSupported.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refuses what no pipeline can compile where it stands, in the terms of the
// graph: later stages would show their own form of it, or give other numbers.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/RegionGraphTraits.h"

#include "llvm/ADT/SCCIterator.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CHECKSUPPORTEDPASS
#include "frit/Execution/Passes.h.inc"

namespace {

LogicalResult checkRounding(Operation *op) {
  auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op);
  if (!rounding)
    return success();
  arith::RoundingModeAttr mode = rounding.getRoundingModeAttr();
  if (!mode || mode.getValue() == arith::RoundingMode::to_nearest_even)
    return success();
  return op->emitOpError("asks for the rounding mode '")
         << arith::stringifyRoundingMode(mode.getValue())
         << "', but compiled code only has 'to_nearest_even'";
}

bool isTensor(Type type) { return isa<TensorType>(type); }

LogicalResult checkBuffers(Operation *op) {
  if (llvm::none_of(op->getOperandTypes(), isTensor) &&
      llvm::none_of(op->getResultTypes(), isTensor))
    return success();
  // What has a form on buffers, but none in a later dialect.
  bool isStuck = isa<tensor::ReshapeOp>(op) ||
                 (isa_and_present<linalg::LinalgDialect>(op->getDialect()) &&
                  !isa<linalg::LinalgOp, linalg::YieldOp>(op));
  if (!isStuck && isa<bufferization::BufferizableOpInterface>(op))
    return success();
  return op->emitOpError("cannot be compiled: Frit's pipelines have no "
                         "lowering of this op on tensors");
}

LogicalResult checkLoops(Operation *op) {
  for (Region &region : op->getRegions()) {
    if (region.empty() || region.hasOneBlock())
      continue;
    for (auto component = llvm::scc_begin(&region); !component.isAtEnd();
         ++component)
      if (component.hasCycle())
        return component->front()->getTerminator()->emitError("the blocks of '")
               << op->getName()
               << "' form a loop here, but only structured loops can be "
                  "compiled (scf.for, scf.while)";
  }
  return success();
}

class CheckSupportedPass
    : public impl::CheckSupportedPassBase<CheckSupportedPass> {
public:
  using CheckSupportedPassBase::CheckSupportedPassBase;

  void runOnOperation() override {
    bool valid = true;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        for (auto check : {checkRounding, checkBuffers, checkLoops})
          valid &= succeeded(check(op));
      });
    if (!valid)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace mlir::frit
