//===- MatmulToRuntime.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-matmul-to-frit-runtime.
//
//===----------------------------------------------------------------------===//

#include "../GpuToRuntime/GpuToRuntime.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTMATMULTOFRITRUNTIMEPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class ConvertMatmulToFritRuntimePass
    : public impl::ConvertMatmulToFritRuntimePassBase<
          ConvertMatmulToFritRuntimePass> {
public:
  using ConvertMatmulToFritRuntimePassBase::ConvertMatmulToFritRuntimePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    RuntimeCalls runtime(module);
    DeviceData data(runtime.getSymbolTable());
    LLVMTypeConverter converter(&getContext());
    for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
      SmallVector<MatmulOp> ops;
      function.walk([&](MatmulOp op) { ops.push_back(op); });
      StackBuffer stack(function);
      for (MatmulOp op : ops) {
        if (failed(convertMatmul(op, /*onHost=*/true, data, runtime, stack,
                                 converter)))
          return signalPassFailure();
        ++numMatmuls;
      }
    }
  }
};

} // namespace
} // namespace mlir::frit
