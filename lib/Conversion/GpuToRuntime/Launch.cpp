//===- Launch.cpp - Kernel launches as calls of the runtime ---------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch becomes a call of fritLaunchKernel: the configuration and the
// arguments lie in stack memory of the function, which its launches share.
//
//===----------------------------------------------------------------------===//

#include "GpuToRuntime.h"

#include "frit-c/RuntimeDevice.h"
#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

/// The fields of FritLaunchConfig before the flags.
static constexpr unsigned kNumSizes = 10;
static_assert(offsetof(FritLaunchConfig, flags) == kNumSizes * sizeof(int64_t));

static Value castToI64(OpBuilder &builder, Location loc, Value value) {
  Type i64 = builder.getI64Type();
  if (isa<IndexType>(value.getType()))
    return builder.createOrFold<arith::IndexCastOp>(loc, i64, value);
  if (value.getType() == i64)
    return value;
  return builder.createOrFold<arith::ExtSIOp>(loc, i64, value);
}

/// The fields of FritLaunchConfig: ten sizes and the flags.
static SmallVector<Value> buildConfig(OpBuilder &builder, gpu::LaunchFuncOp op,
                                      LaunchAttr launch) {
  Location loc = op.getLoc();
  SmallVector<Value> fields;
  auto add = [&](Value value) {
    fields.push_back(value ? castToI64(builder, loc, value)
                           : arith::ConstantIntOp::create(
                                 builder, loc, builder.getI64Type(), 0)
                                 .getResult());
  };
  Value sizes[kNumSizes] = {
      op.getGridSizeX(),    op.getGridSizeY(),
      op.getGridSizeZ(),    op.getBlockSizeX(),
      op.getBlockSizeY(),   op.getBlockSizeZ(),
      op.getClusterSizeX(), op.getClusterSizeY(),
      op.getClusterSizeZ(), op.getDynamicSharedMemorySize()};
  for (Value size : sizes)
    add(size);
  int64_t flags =
      launch && launch.getProgrammatic() ? FRIT_LAUNCH_PROGRAMMATIC : 0;
  fields.push_back(
      arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), flags));
  return fields;
}

/// The operands as the kernel takes them: a buffer is the fields of its
/// descriptor.
static LogicalResult expandOperands(OpBuilder &builder, gpu::LaunchFuncOp op,
                                    const LLVMTypeConverter &converter,
                                    SmallVectorImpl<Value> &arguments) {
  Location loc = op.getLoc();
  for (Value operand : op.getKernelOperands()) {
    Type type = converter.convertType(operand.getType());
    if (!type || isa<UnrankedMemRefType>(operand.getType()))
      return op.emitError("passes a value of type ")
             << operand.getType() << " to a kernel, which has no form in "
             << "LLVM";
    Value value = operand;
    if (type != operand.getType())
      value = UnrealizedConversionCastOp::create(builder, loc, type, operand)
                  .getResult(0);
    if (auto memref = dyn_cast<MemRefType>(operand.getType()))
      MemRefDescriptor::unpack(builder, loc, value, memref, arguments);
    else
      arguments.push_back(value);
  }
  return success();
}

/// Field `field`, element `position`, of the struct at `address`.
static Value getField(OpBuilder &builder, Location loc, Type type,
                      Value address, int32_t field, int32_t position) {
  return LLVM::GEPOp::create(builder, loc, address.getType(), type, address,
                             ArrayRef<LLVM::GEPArg>{0, field, position});
}

LogicalResult frit::convertLaunch(gpu::LaunchFuncOp op, DeviceData &data,
                                  RuntimeCalls &runtime, StackBuffer &stack,
                                  const LLVMTypeConverter &converter) {
  FailureOr<Value> context = getContextArgument(op);
  if (failed(context))
    return failure();
  if (!op.getAsyncDependencies().empty() || op.getAsyncToken() ||
      op.getAsyncObject())
    return op.emitError("is asynchronous or names a stream; the context's one "
                        "stream keeps the order");
  auto binary =
      runtime.getSymbolTable().lookup<gpu::BinaryOp>(op.getKernelModuleName());
  if (!binary)
    return op.emitError("launches a kernel of '")
           << op.getKernelModuleName().getValue()
           << "', which is not a gpu.binary of the module";
  auto launch = op->getAttrOfType<LaunchAttr>(LaunchAttr::getOpAttrName());
  StringRef name = op.getKernelName().getValue();
  FailureOr<LLVM::GlobalOp> kernel =
      data.getKernel(binary, name, launch ? launch.getId() : name, op);
  if (failed(kernel))
    return failure();

  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> arguments;
  if (failed(expandOperands(builder, op, converter, arguments)))
    return failure();

  // The runtime has read it when the call returns.
  MLIRContext *mlirContext = builder.getContext();
  auto type = LLVM::LLVMStructType::getLiteral(
      mlirContext,
      {LLVM::LLVMArrayType::get(builder.getI64Type(), kNumSizes + 1),
       LLVM::LLVMArrayType::get(context->getType(), arguments.size()),
       LLVM::LLVMStructType::getLiteral(
           mlirContext, llvm::map_to_vector(arguments, [](Value argument) {
             return argument.getType();
           }))});
  Value config = stack.getAddress(type);
  for (auto [position, value] :
       llvm::enumerate(buildConfig(builder, op, launch)))
    LLVM::StoreOp::create(builder, loc, value,
                          getField(builder, loc, type, config, 0, position));
  for (auto [position, value] : llvm::enumerate(arguments)) {
    Value slot = getField(builder, loc, type, config, 2, position);
    LLVM::StoreOp::create(builder, loc, value, slot);
    LLVM::StoreOp::create(builder, loc, slot,
                          getField(builder, loc, type, config, 1, position));
  }
  Value pointers = getField(builder, loc, type, config, 1, 0);

  Value descriptor = LLVM::AddressOfOp::create(builder, loc, *kernel);
  Value count = LLVM::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(arguments.size()));
  if (failed(
          runtime.callChecked(builder, loc, runtime_symbol::fritLaunchKernel,
                              {*context, descriptor, config, pointers, count})))
    return failure();
  op.erase();
  return success();
}
