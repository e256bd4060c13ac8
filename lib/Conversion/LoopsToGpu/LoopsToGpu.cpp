//===- LoopsToGpu.cpp - Code on buffers as kernels ------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-loops-to-gpu.
//
//===----------------------------------------------------------------------===//

#include "LoopsToGpu.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTLOOPSTOGPUPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// The buffer that a view is of.
Value getBase(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// A function on memory of the host must not read what the caller passed.
LogicalResult checkHostFunction(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects)
      return WalkResult::advance();
    for (Value operand : op->getOperands()) {
      if (!isa<BaseMemRefType>(operand.getType()) ||
          !isa<BlockArgument>(getBase(operand)) ||
          !effects.getEffectOnValue<MemoryEffects::Read>(operand))
        continue;
      op->emitOpError("reads an argument of '@")
          << function.getSymName()
          << "', which runs on the host, but arguments are in memory of the "
             "device: a size must not depend on elements";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

class ConvertLoopsToGpuPass
    : public impl::ConvertLoopsToGpuPassBase<ConvertLoopsToGpuPass> {
public:
  using ConvertLoopsToGpuPassBase::ConvertLoopsToGpuPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      bool isHost = function->hasAttr(FritDialect::getHostAttrName());
      if (failed(isHost ? checkHostFunction(function)
                        : offloadFunction(function, rewriter)))
        return signalPassFailure();
      function.walk([&](gpu::LaunchOp launch) {
        // Launches that were there already join the others.
        if (!launch.getModule())
          launch.setModule(kGeneratedKernels);
        ++numLaunches;
      });
    }
  }
};

} // namespace
} // namespace mlir::frit
