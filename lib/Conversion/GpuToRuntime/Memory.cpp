//===- Memory.cpp - Copies and constants on the device --------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of contiguous buffers and addresses of constants as calls of the
// runtime.
//
//===----------------------------------------------------------------------===//

#include "GpuToRuntime.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

/// The descriptor of a buffer.
static Value getDescriptor(OpBuilder &builder, Location loc, Value memref,
                           const LLVMTypeConverter &converter) {
  return UnrealizedConversionCastOp::create(
             builder, loc, converter.convertType(memref.getType()), memref)
      .getResult(0);
}

LogicalResult frit::convertCopy(memref::CopyOp op, RuntimeCalls &runtime,
                                const LLVMTypeConverter &converter) {
  FailureOr<Value> context = getContextArgument(op);
  if (failed(context))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> addresses;
  for (Value memref : {op.getTarget(), op.getSource()}) {
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (!type || !type.getLayout().isIdentity())
      return op.emitError("copies a buffer of type ")
             << memref.getType()
             << ", which is not contiguous; run convert-strided-copy-to-linalg "
                "first";
    Value descriptor = getDescriptor(builder, loc, memref, converter);
    addresses.push_back(
        MemRefDescriptor(descriptor).bufferPtr(builder, loc, converter, type));
  }
  auto type = cast<MemRefType>(op.getTarget().getType());
  Type i64 = builder.getI64Type();
  Value bytes = arith::ConstantIntOp::create(
      builder, loc, i64,
      DataLayout::closest(op).getTypeSize(type.getElementType()));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value size = memref::DimOp::create(builder, loc, op.getTarget(), dim);
    bytes = arith::MulIOp::create(
        builder, loc, bytes,
        arith::IndexCastOp::create(builder, loc, i64, size));
  }
  if (failed(
          runtime.callChecked(builder, loc, runtime_symbol::fritDeviceCopy,
                              {*context, addresses[0], addresses[1], bytes})))
    return failure();
  op.erase();
  return success();
}

LogicalResult frit::convertConstant(memref::GetGlobalOp op, DeviceData &data,
                                    RuntimeCalls &runtime,
                                    const LLVMTypeConverter &converter) {
  FailureOr<Value> context = getContextArgument(op);
  if (failed(context))
    return failure();
  auto constant =
      runtime.getSymbolTable().lookup<memref::GlobalOp>(op.getName());
  if (!constant)
    return op.emitError("names '")
           << op.getName() << "', which is not a global of the module";
  FailureOr<LLVM::GlobalOp> descriptor = data.getConstant(constant, converter);
  if (failed(descriptor))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value address = LLVM::AddressOfOp::create(builder, loc, *descriptor);
  FailureOr<Value> pointer = runtime.callForPointer(
      builder, loc, runtime_symbol::fritDeviceConstant, {*context, address});
  if (failed(pointer))
    return failure();
  Value buffer = MemRefDescriptor::fromStaticShape(builder, loc, converter,
                                                   op.getType(), *pointer);
  op.replaceAllUsesWith(
      UnrealizedConversionCastOp::create(builder, loc, op.getType(), buffer)
          .getResult(0));
  op.erase();
  return success();
}
