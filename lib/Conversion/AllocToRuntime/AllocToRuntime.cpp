//===- AllocToRuntime.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-alloc-to-frit-runtime.
//
//===----------------------------------------------------------------------===//

#include "../RuntimeCalls/RuntimeCalls.h"
#include "../Utils/ByteCount.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTALLOCTOFRITRUNTIMEPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// Alignment of an allocation that asks for none: a cache line and the widest
/// vector register.
constexpr uint64_t kDefaultAlignment = 64;

class ConvertAllocToFritRuntimePass
    : public impl::ConvertAllocToFritRuntimePassBase<
          ConvertAllocToFritRuntimePass> {
public:
  using ConvertAllocToFritRuntimePassBase::ConvertAllocToFritRuntimePassBase;

  void runOnOperation() override {
    RuntimeCalls runtime(getOperation());
    LLVMTypeConverter typeConverter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<memref::AllocOp, memref::DeallocOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      auto alloc = dyn_cast<memref::AllocOp>(op);
      if (failed(alloc ? convertAlloc(alloc, runtime, typeConverter)
                       : convertDealloc(cast<memref::DeallocOp>(op), runtime,
                                        typeConverter)))
        return signalPassFailure();
      numAllocations += alloc ? 1 : 0;
    }
  }

private:
  /// True where the function around `op` works on memory of the device.
  bool usesDevice(Operation *op) {
    return device && !op->getParentOfType<func::FuncOp>()->hasAttr(
                         FritDialect::getHostAttrName());
  }

  LogicalResult convertAlloc(memref::AllocOp op, RuntimeCalls &runtime,
                             LLVMTypeConverter &typeConverter) {
    MemRefType type = op.getType();
    if (!type.getLayout().isIdentity())
      return op.emitError("has layout ")
             << type.getLayout() << "; scratch memory is contiguous";
    if (type.getMemorySpace())
      return op.emitError("has memory space ")
             << type.getMemorySpace()
             << "; scratch memory is in the default one";
    FailureOr<Value> context = getContextArgument(op);
    if (failed(context))
      return failure();

    OpBuilder builder(op);
    Location loc = op.getLoc();
    uint64_t elementBytes =
        DataLayout::closest(op).getTypeSize(type.getElementType());
    Value bytes = buildByteCount(
        builder, loc, getStaticBytes(type, elementBytes).value_or(UINT64_MAX),
        op.getDynamicSizes());
    Value alignment = arith::ConstantIntOp::create(
        builder, loc, builder.getI64Type(),
        op.getAlignment().value_or(kDefaultAlignment));
    FailureOr<Value> pointer = runtime.callForPointer(
        builder, loc,
        usesDevice(op) ? runtime_symbol::fritDeviceScratchAlloc
                       : runtime_symbol::fritScratchAlloc,
        {*context, bytes, alignment});
    if (failed(pointer))
      return failure();

    // A buffer of bytes, seen as the type that was asked for.
    auto bytesType =
        MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
    auto buffer = MemRefDescriptor::poison(
        builder, loc, typeConverter.convertType(bytesType));
    buffer.setAllocatedPtr(builder, loc, *pointer);
    buffer.setAlignedPtr(builder, loc, *pointer);
    buffer.setConstantOffset(builder, loc, 0);
    buffer.setSize(builder, loc, 0, bytes);
    buffer.setConstantStride(builder, loc, 0, 1);
    Value bufferRef = UnrealizedConversionCastOp::create(
                          builder, loc, bytesType, Value(buffer))
                          .getResult(0);
    Value start = arith::ConstantIndexOp::create(builder, loc, 0);
    auto view = memref::ViewOp::create(builder, loc, type, bufferRef, start,
                                       op.getDynamicSizes());
    op.replaceAllUsesWith(view.getResult());
    op.erase();
    return success();
  }

  LogicalResult convertDealloc(memref::DeallocOp op, RuntimeCalls &runtime,
                               LLVMTypeConverter &typeConverter) {
    FailureOr<Value> context = getContextArgument(op);
    if (failed(context))
      return failure();
    auto type = dyn_cast<MemRefType>(op.getMemref().getType());
    Type descriptorType = type ? typeConverter.convertType(type) : Type();
    if (!descriptorType)
      return op.emitError("frees a buffer of type ")
             << op.getMemref().getType() << ", which has no LLVM descriptor";
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value descriptor = UnrealizedConversionCastOp::create(
                           builder, loc, descriptorType, op.getMemref())
                           .getResult(0);
    Value pointer = MemRefDescriptor(descriptor).allocatedPtr(builder, loc);
    if (failed(runtime.call(builder, loc,
                            usesDevice(op)
                                ? runtime_symbol::fritDeviceScratchFree
                                : runtime_symbol::fritScratchFree,
                            Type(), {*context, pointer})))
      return failure();
    op.erase();
    return success();
  }
};

} // namespace
} // namespace mlir::frit
