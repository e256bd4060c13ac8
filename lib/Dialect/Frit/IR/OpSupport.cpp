//===- OpSupport.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks and interface methods that several ops share.
//
//===----------------------------------------------------------------------===//

#include "OpSupport.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::frit;

bool frit::hasUnitInnerStride(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  return strides.empty() || strides.back() == 1 || type.getShape().back() == 1;
}

/// Verifies that no two rows of a destination share an element, as far as its
/// type says.
static LogicalResult verifyRowsApart(Operation *op, NamedOperand operand) {
  auto memref = dyn_cast<MemRefType>(operand.value.getType());
  if (!memref || memref.getRank() < 2)
    return success();
  auto [strides, offset] = memref.getStridesAndOffset();
  int64_t columns = memref.getShape().back();
  // A number of columns that is not known is one at least.
  int64_t least = ShapedType::isDynamic(columns) ? 1 : columns;
  for (int64_t dim = 0; dim < memref.getRank() - 1; ++dim) {
    int64_t size = memref.getDimSize(dim), stride = strides[dim];
    bool isOneRow = size == 0 || size == 1;
    if (isOneRow || ShapedType::isDynamic(stride) || std::abs(stride) >= least)
      continue;
    return op->emitOpError()
           << "'" << operand.name << "' is written to and must not overlap "
           << "itself, but dimension " << dim << " has stride " << stride
           << ", and a row has at least " << least << " columns";
  }
  return success();
}

LogicalResult frit::verifyDestinationStyle(Operation *op,
                                           ArrayRef<NamedOperand> operands) {
  auto destination = cast<DestinationStyleOpInterface>(op);
  bool isTensor = isa<TensorType>(destination.getDpsInits().front().getType());
  for (NamedOperand operand : operands) {
    Type type = operand.value.getType();
    if (isa<TensorType>(type) != isTensor)
      return op->emitOpError()
             << "operands must be all tensors or all memrefs, but the "
                "destination is a "
             << (isTensor ? "tensor" : "memref") << " and '" << operand.name
             << "' is " << type;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getEncoding())
      return op->emitOpError()
             << "'" << operand.name << "' must have no encoding, but has "
             << tensor.getEncoding();
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || hasUnitInnerStride(memref))
      continue;
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(memref.getStridesAndOffset(strides, offset)))
      return op->emitOpError()
             << "'" << operand.name << "' must have a strided layout, but is "
             << type;
    InFlightDiagnostic diagnostic = op->emitOpError()
                                    << "'" << operand.name
                                    << "' must have inner stride 1, but has ";
    if (ShapedType::isDynamic(strides.back()))
      return diagnostic << "a dynamic one";
    return diagnostic << strides.back();
  }
  for (NamedOperand operand : operands)
    if (llvm::is_contained(destination.getDpsInits(), operand.value) &&
        failed(verifyRowsApart(op, operand)))
      return failure();
  unsigned expected = isTensor ? destination.getNumDpsInits() : 0;
  if (op->getNumResults() != expected)
    return op->emitOpError() << "expects " << expected << " results, but has "
                             << op->getNumResults();
  for (auto [result, init] :
       llvm::zip(op->getResultTypes(), destination.getDpsInits()))
    if (result != init.getType())
      return op->emitOpError()
             << "result has type " << result << ", but its destination has "
             << init.getType();
  return success();
}

LogicalResult frit::verifyRank(Operation *op, NamedOperand operand,
                               int64_t rank) {
  if (operand.getType().getRank() == rank)
    return success();
  return op->emitOpError() << "'" << operand.name << "' must have rank " << rank
                           << ", but has " << operand.getType().getRank();
}

LogicalResult frit::verifySameDim(Operation *op, NamedOperand lhs,
                                  int64_t lhsDim, NamedOperand rhs,
                                  int64_t rhsDim) {
  int64_t lhsSize = lhs.getType().getDimSize(lhsDim);
  int64_t rhsSize = rhs.getType().getDimSize(rhsDim);
  if (ShapedType::isDynamic(lhsSize) || ShapedType::isDynamic(rhsSize) ||
      lhsSize == rhsSize)
    return success();
  return op->emitOpError() << "dimension " << lhsDim << " of '" << lhs.name
                           << "' is " << lhsSize << ", but dimension " << rhsDim
                           << " of '" << rhs.name << "' is " << rhsSize;
}

LogicalResult frit::verifyTokenCount(Operation *op, NamedOperand operand) {
  ArrayRef<int64_t> leading = operand.getType().getShape().drop_back();
  if (llvm::is_contained(leading, 0))
    return success();
  int64_t count = 1;
  for (int64_t size : leading)
    if (!ShapedType::isDynamic(size) && llvm::MulOverflow(count, size, count))
      return op->emitOpError()
             << "number of tokens must be less than 2^63, but '" << operand.name
             << "' is " << operand.getType();
  return success();
}

LogicalResult frit::verifySameElementType(Operation *op, NamedOperand lhs,
                                          NamedOperand rhs) {
  Type lhsType = lhs.getType().getElementType();
  Type rhsType = rhs.getType().getElementType();
  if (lhsType == rhsType)
    return success();
  return op->emitOpError() << "element type of '" << lhs.name << "' is "
                           << lhsType << ", but that of '" << rhs.name
                           << "' is " << rhsType;
}

LogicalResult frit::verifyLoraWeightType(Operation *op, NamedOperand weight,
                                         NamedOperand activation) {
  Type weightType = weight.getType().getElementType();
  Type activationType = activation.getType().getElementType();
  if (weightType == activationType || weightType.isF32())
    return success();
  return op->emitOpError() << "element type of '" << weight.name << "' is "
                           << weightType << ", but must be that of '"
                           << activation.name << "', " << activationType
                           << ", or f32";
}

LogicalResult frit::verifySparseGate(Operation *op, uint64_t correction,
                                     FloatAttr stdMultiplier) {
  if (correction > 1)
    return op->emitOpError() << "'correction' must be 0 or 1, but is "
                             << static_cast<int64_t>(correction);
  if (!stdMultiplier.getValue().isFinite())
    return op->emitOpError()
           << "'std_multiplier' must be finite, but is " << stdMultiplier;
  return success();
}

void frit::getDestinationStyleEffects(
    DestinationStyleOpInterface op, bool readsInits,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isInit = op.isDpsInit(&operand);
    if (!isInit || readsInits)
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           SideEffects::DefaultResource::get());
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand,
                           SideEffects::DefaultResource::get());
  }
}

Speculation::Speculatability
frit::getDestinationStyleSpeculatability(DestinationStyleOpInterface op) {
  return op.hasPureTensorSemantics() ? Speculation::Speculatable
                                     : Speculation::NotSpeculatable;
}

LogicalResult
frit::reifyDestinationShapes(DestinationStyleOpInterface op, OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  // An op on memrefs has no results.
  if (op->getNumResults() == 0)
    return success();
  for (Value init : op.getDpsInits())
    reifiedReturnShapes.push_back(
        tensor::getMixedSizes(builder, op.getLoc(), init));
  return success();
}
