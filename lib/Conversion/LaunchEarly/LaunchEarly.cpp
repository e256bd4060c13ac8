//===- LaunchEarly.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-launch-early: generated kernels start beside the kernel ahead
// of them, as the hand-written ones do.
//
//===----------------------------------------------------------------------===//

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Kernels/KernelTarget.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::frit {

#define GEN_PASS_DEF_LAUNCHEARLYPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// The first architecture whose kernels can wait for the one ahead.
constexpr unsigned minimumSm = 90;

class LaunchEarlyPass : public impl::LaunchEarlyPassBase<LaunchEarlyPass> {
public:
  using LaunchEarlyPassBase::LaunchEarlyPassBase;

  void runOnOperation() override {
    FailureOr<KernelTarget> target = KernelTarget::parse("cuda:" + chip, [&] {
      return emitError(getOperation().getLoc()) << getArgument() << ": ";
    });
    if (failed(target))
      return signalPassFailure();
    if (target->getCudaArch().sm < minimumSm)
      return markAllAnalysesPreserved();
    SymbolTableCollection symbols;
    DenseSet<Operation *> waiting;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(
          launch, launch.getKernelAttr());
      // Others are in images, and say themselves how they are launched.
      if (!kernel)
        return;
      if (waiting.insert(kernel).second)
        addWait(kernel);
      setProgrammatic(launch);
      ++numLaunches;
    });
  }

private:
  /// Before anything else: no thread touches memory, or ends, without it.
  static void addWait(gpu::GPUFuncOp kernel) {
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    using Action = NVVM::GridDepActionKind;
    for (Action action : {Action::wait, Action::launch_dependents})
      NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), action);
  }

  static void setProgrammatic(gpu::LaunchFuncOp launch) {
    auto known = launch->getAttrOfType<LaunchAttr>(LaunchAttr::getOpAttrName());
    launch->setAttr(
        LaunchAttr::getOpAttrName(),
        known ? LaunchAttr::get(launch.getContext(), known.getId(),
                                known.getEffects(), /*programmatic=*/true)
              : LaunchAttr::get(launch.getContext(),
                                launch.getKernelName().getValue(),
                                /*effects=*/{}, /*programmatic=*/true));
  }
};

} // namespace
} // namespace mlir::frit
