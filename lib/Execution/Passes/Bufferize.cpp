//===- Bufferize.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-bufferize: upstream's one-shot bufferization with Frit's types
// at function boundaries.
//
//===----------------------------------------------------------------------===//

#include "BoundaryType.h"

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::frit {

#define GEN_PASS_DEF_BUFFERIZEPASS
#include "frit/Execution/Passes.h.inc"

namespace {

bufferization::BufferLikeType
convertBoundaryType(bufferization::TensorLikeType type, Attribute memorySpace,
                    func::FuncOp function,
                    const bufferization::BufferizationOptions &options) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return cast<bufferization::BufferLikeType>(
        getBoundaryType(tensor, memorySpace));
  return cast<bufferization::BufferLikeType>(
      bufferization::getMemRefTypeWithFullyDynamicLayout(cast<TensorType>(type),
                                                         memorySpace));
}

class BufferizePass : public impl::BufferizePassBase<BufferizePass> {
public:
  using BufferizePassBase::BufferizePassBase;

  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.allowReturnAllocsFromLoops = true;
    options.functionArgTypeConverterFn = convertBoundaryType;
    bufferization::BufferizationState state;
    if (failed(bufferization::runOneShotModuleBufferize(getOperation(), options,
                                                        state)))
      return signalPassFailure();
    bufferization::removeBufferizationAttributesInModule(getOperation());
  }
};

} // namespace
} // namespace mlir::frit
