//===- GpuToRuntime.cpp - Device work as calls of the runtime -------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-gpu-to-frit-runtime.
//
//===----------------------------------------------------------------------===//

#include "GpuToRuntime.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTGPUTOFRITRUNTIMEPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class ConvertGpuToFritRuntimePass
    : public impl::ConvertGpuToFritRuntimePassBase<
          ConvertGpuToFritRuntimePass> {
public:
  using ConvertGpuToFritRuntimePassBase::ConvertGpuToFritRuntimePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    RuntimeCalls runtime(module);
    DeviceData data(runtime.getSymbolTable());
    LLVMTypeConverter converter(&getContext());
    for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (function->hasAttr(FritDialect::getHostAttrName()))
        continue;
      SmallVector<Operation *> ops;
      function.walk([&](Operation *op) {
        if (isa<gpu::LaunchFuncOp, memref::CopyOp, memref::GetGlobalOp,
                MatmulOp>(op))
          ops.push_back(op);
      });
      StackBuffer stack(function);
      for (Operation *op : ops)
        if (failed(convert(op, data, runtime, stack, converter)))
          return signalPassFailure();
    }
    // Their bytes are constants of the device now.
    for (auto constant :
         llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
      if (SymbolTable::symbolKnownUseEmpty(constant, module))
        runtime.getSymbolTable().erase(constant);
  }

private:
  LogicalResult convert(Operation *op, DeviceData &data, RuntimeCalls &runtime,
                        StackBuffer &stack,
                        const LLVMTypeConverter &converter) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      ++numLaunches;
      return convertLaunch(launch, data, runtime, stack, converter);
    }
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      ++numMatmuls;
      return convertMatmul(matmul, /*onHost=*/false, data, runtime, stack,
                           converter);
    }
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      return convertCopy(copy, runtime, converter);
    return convertConstant(cast<memref::GetGlobalOp>(op), data, runtime,
                           converter);
  }
};

} // namespace
} // namespace mlir::frit
