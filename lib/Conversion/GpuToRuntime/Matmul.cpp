//===- Matmul.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls that a library runs: calls of fritLibraryMatmul and fritHostMatmul.
//
//===----------------------------------------------------------------------===//

#include "GpuToRuntime.h"

#include "frit-c/RuntimeDevice.h"
#include "frit/Kernels/KernelTable.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

using namespace mlir;
using namespace mlir::frit;

/// More than the largest workspace that cuBLASLt recommends for a device.
static constexpr uint64_t kWorkspaceBytes = uint64_t(32) << 20;

static int32_t getTypeCode(Type type) {
  return type.isF32()   ? FRIT_TYPE_F32
         : type.isF16() ? FRIT_TYPE_F16
                        : FRIT_TYPE_BF16;
}

LLVM::GlobalOp DeviceData::getMatmul(MatmulOp op, bool onHost) {
  int32_t flags = (op.getTransposeA() ? FRIT_MATMUL_TRANSPOSE_A : 0) |
                  (op.getTransposeB() ? FRIT_MATMUL_TRANSPOSE_B : 0) |
                  (op.getAccumulate() ? FRIT_MATMUL_ACCUMULATE : 0);
  Builder builder(op.getContext());
  StringRef id = op.getKernel().getId();
  Attribute elementType =
      builder.getI32IntegerAttr(getTypeCode(op.getAType().getElementType()));
  Attribute outType =
      builder.getI32IntegerAttr(getTypeCode(op.getOutType().getElementType()));
  auto key = builder.getArrayAttr({builder.getStringAttr(id), elementType,
                                   outType, builder.getI32IntegerAttr(flags)});
  LLVM::GlobalOp &matmul = matmuls[key];
  if (!matmul)
    matmul = createDescriptor(
        "frit_matmul", op.getLoc(),
        {builder.getI64IntegerAttr(sizeof(FritMatmulDescriptor)),
         getString(id, op.getLoc()).getOperation(), elementType, outType,
         builder.getI32IntegerAttr(flags), builder.getI32IntegerAttr(0),
         builder.getI64IntegerAttr(onHost ? 0 : kWorkspaceBytes)});
  return matmul;
}

namespace {

/// The values of FritMatmulOperands, in order.
class OperandBuilder {
public:
  OperandBuilder(MatmulOp op, OpBuilder &builder,
                 const LLVMTypeConverter &converter)
      : op(op), builder(builder), loc(op.getLoc()), converter(converter) {}

  SmallVector<Value> build() {
    SmallVector<Value> fields;
    SmallVector<MatmulOp::Dim, 3> matrices = op.getMatrices();
    fields.push_back(matrices.empty() ? getNumber(1) : getSize(matrices[0]));
    fields.push_back(getSize(op.getTokens()[0]));
    fields.push_back(getSize(op.getColumns()[0]));
    fields.push_back(getSize(op.getTerms()[0]));
    for (Value stack : {op.getA(), op.getB(), op.getOut()}) {
      MemRefDescriptor descriptor = getDescriptor(stack);
      int64_t rank = cast<MemRefType>(stack.getType()).getRank();
      fields.push_back(getAddress(stack));
      fields.push_back(descriptor.stride(builder, loc, rank - 2));
      // What the batch shares has no stride.
      fields.push_back(rank == 3 ? descriptor.stride(builder, loc, 0)
                                 : getNumber(0));
    }
    fields.push_back(
        op.getBias()
            ? getAddress(op.getBias())
            : LLVM::ZeroOp::create(
                  builder, loc, LLVM::LLVMPointerType::get(op.getContext())));
    return fields;
  }

private:
  Value getNumber(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc,
                                    builder.getI64IntegerAttr(value));
  }

  MemRefDescriptor getDescriptor(Value memref) {
    Value &descriptor = descriptors[memref];
    if (!descriptor)
      descriptor =
          UnrealizedConversionCastOp::create(
              builder, loc, converter.convertType(memref.getType()), memref)
              .getResult(0);
    return MemRefDescriptor(descriptor);
  }

  Value getAddress(Value memref) {
    return getDescriptor(memref).bufferPtr(builder, loc, converter,
                                           cast<MemRefType>(memref.getType()));
  }

  Value getSize(MatmulOp::Dim dim) {
    return getDescriptor(dim.first->get()).size(builder, loc, dim.second);
  }

  MatmulOp op;
  OpBuilder &builder;
  Location loc;
  const LLVMTypeConverter &converter;
  DenseMap<Value, Value> descriptors;
};

} // namespace

LogicalResult frit::convertMatmul(MatmulOp op, bool onHost, DeviceData &data,
                                  RuntimeCalls &runtime, StackBuffer &stack,
                                  const LLVMTypeConverter &converter) {
  FailureOr<Value> context = getContextArgument(op);
  if (failed(context))
    return failure();
  const KernelTable *table = KernelTable::get(op.getContext());
  KernelAttr kernel = op.getKernel();
  const KernelEntry *entry =
      table && kernel
          ? table->lookup(MatmulOp::getOperationName(), kernel.getId())
          : nullptr;
  bool isLibrary = entry && entry->provider == KernelProvider::Library;
  if (!isLibrary ||
      onHost != entry->targets.contains(KernelTarget::getCpuWithOneDnn()))
    return op.emitOpError("is to become a call of a library, but ")
           << (kernel ? "its kernel is '" + kernel.getId() + "'"
                      : Twine("no kernel was selected for it"));
  if (op.hasTensorSemantics())
    return op.emitOpError("is to become a call of a library, but 'out' is ")
           << op.getOut().getType() << "; bufferize first";

  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> fields = OperandBuilder(op, builder, converter).build();
  auto type = LLVM::LLVMStructType::getLiteral(
      op.getContext(),
      llvm::map_to_vector(fields, [](Value field) { return field.getType(); }));
  // The runtime has read it when the call returns.
  Value operands = stack.getAddress(type);
  for (auto [position, field] : llvm::enumerate(fields)) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, operands.getType(), type, operands,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(position)});
    LLVM::StoreOp::create(builder, loc, field, slot);
  }
  Value descriptor =
      LLVM::AddressOfOp::create(builder, loc, data.getMatmul(op, onHost));
  if (failed(runtime.callChecked(builder, loc,
                                 onHost ? runtime_symbol::fritHostMatmul
                                        : runtime_symbol::fritLibraryMatmul,
                                 {*context, descriptor, operands})))
    return failure();
  op.erase();
  return success();
}
