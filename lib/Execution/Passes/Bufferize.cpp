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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

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

/// Constants of one value that are larger, in bytes, are filled in at run time.
constexpr double kMostConstantBytes = 64 << 20;

void fillLargeConstants(ModuleOp module) {
  module.walk([](arith::ConstantOp op) {
    auto value = dyn_cast<SplatElementsAttr>(op.getValue());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!value || !type || !type.getElementType().isIntOrIndexOrFloat())
      return;
    // In floating point, because the product may not fit into 64 bits.
    double bytes = type.getElementType().isIndex()
                       ? 8
                       : type.getElementTypeBitWidth() / 8.0;
    for (int64_t size : type.getShape())
      bytes *= static_cast<double>(size);
    if (bytes <= kMostConstantBytes)
      return;
    OpBuilder builder(op);
    Value element = arith::ConstantOp::create(builder, op.getLoc(),
                                              value.getSplatValue<TypedAttr>());
    op->replaceAllUsesWith(
        tensor::SplatOp::create(builder, op.getLoc(), element, type));
    op.erase();
  });
}

/// Finds the allocation that a buffer is, or is a view of.
memref::AllocOp findAllocation(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer.getDefiningOp<memref::AllocOp>();
}

/// What the program frees itself, as the decomposition of ops on memrefs does,
/// is kept from the deallocation that follows. A buffer whose allocation is not
/// seen is left to it: it refuses to free what it did not allocate.
void keepDeallocations(ModuleOp module) {
  StringRef name = bufferization::BufferizationDialect::kManualDeallocation;
  module.walk([&](memref::DeallocOp op) {
    memref::AllocOp allocation = findAllocation(op.getMemref());
    if (!allocation)
      return;
    UnitAttr unit = UnitAttr::get(op.getContext());
    op->setAttr(name, unit);
    allocation->setAttr(name, unit);
  });
}

class BufferizePass : public impl::BufferizePassBase<BufferizePass> {
public:
  using BufferizePassBase::BufferizePassBase;

  void runOnOperation() override {
    fillLargeConstants(getOperation());
    keepDeallocations(getOperation());
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
