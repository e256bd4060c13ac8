//===- Columns.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds loads, stores and loops over the columns of a row.
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

/// The bits of a vector of 16-bit floats as integers, which LLVM shuffles
/// without a conversion. A vector of f32 stays as it is.
static Value castTo16BitIntegers(NumericsBuilder &numerics, Value vector) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getElementTypeBitWidth() != 16)
    return vector;
  OpBuilder &builder = numerics.getBuilder();
  return arith::BitcastOp::create(builder, numerics.getStrictLoc(),
                                  type.clone(builder.getI16Type()), vector);
}

Value loadElements(NumericsBuilder &numerics, Value row, Value column,
                   int64_t width) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getStrictLoc();
  if (width == 1)
    return memref::LoadOp::create(builder, loc, row, column);
  Type elementType = cast<MemRefType>(row.getType()).getElementType();
  return vector::LoadOp::create(
      builder, loc, VectorType::get(width, elementType), row, column);
}

Value loadColumns(NumericsBuilder &numerics, Value row, Value column,
                  int64_t width) {
  return numerics.extend(loadElements(numerics, row, column, width));
}

std::pair<Value, Value> loadColumnPair(NumericsBuilder &numerics, Value row,
                                       Value column, int64_t lanes) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getStrictLoc();
  if (!cast<MemRefType>(row.getType()).getElementType().isBF16()) {
    Value second = arith::AddIOp::create(
        builder, loc, column,
        arith::ConstantIndexOp::create(builder, loc, lanes));
    return {loadColumns(numerics, row, column, lanes),
            loadColumns(numerics, row, second, lanes)};
  }
  // A bf16 value is the upper half of the f32 value.
  auto intType = VectorType::get(lanes, builder.getI32Type());
  auto type = VectorType::get(lanes, builder.getF32Type());
  auto constant = [&](uint32_t bits) {
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(intType, llvm::APInt(32, bits)));
  };
  Value elements = castTo16BitIntegers(
      numerics, loadElements(numerics, row, column, 2 * lanes));
  Value words = vector::BitCastOp::create(builder, loc, intType, elements);
  Value even = arith::ShLIOp::create(builder, loc, words, constant(16));
  Value odd = arith::AndIOp::create(builder, loc, words, constant(0xFFFF0000));
  return {arith::BitcastOp::create(builder, loc, type, even),
          arith::BitcastOp::create(builder, loc, type, odd)};
}

void storeColumns(NumericsBuilder &numerics, Value values, Value row,
                  Value column) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getStrictLoc();
  if (isa<VectorType>(values.getType()))
    vector::StoreOp::create(builder, loc, values, row, column);
  else
    memref::StoreOp::create(builder, loc, values, row, column);
}

/// The inverse of castTo16BitIntegers.
static Value castBack(NumericsBuilder &numerics, Value vector,
                      Type elementType) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getElementType() == elementType)
    return vector;
  return arith::BitcastOp::create(numerics.getBuilder(),
                                  numerics.getStrictLoc(),
                                  type.clone(elementType), vector);
}

Value concatenateVectors(NumericsBuilder &numerics, ValueRange parts) {
  if (parts.size() == 1)
    return parts.front();
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getStrictLoc();
  auto partType = cast<VectorType>(parts.front().getType());
  int64_t width = partType.getDimSize(0);
  Value result;
  for (auto [index, part] : llvm::enumerate(parts)) {
    Value bits = castTo16BitIntegers(numerics, part);
    if (!result) {
      auto type =
          VectorType::get(width * static_cast<int64_t>(parts.size()),
                          cast<VectorType>(bits.getType()).getElementType());
      result =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    }
    result = vector::InsertStridedSliceOp::create(
        builder, loc, bits, result, static_cast<int64_t>(index) * width, 1);
  }
  return castBack(numerics, result, partType.getElementType());
}

Value sliceVector(NumericsBuilder &numerics, Value vector, int64_t offset,
                  int64_t width) {
  auto type = cast<VectorType>(vector.getType());
  if (type.getDimSize(0) == width)
    return vector;
  Value bits = castTo16BitIntegers(numerics, vector);
  Value part = vector::ExtractStridedSliceOp::create(
      numerics.getBuilder(), numerics.getStrictLoc(), bits, offset, width, 1);
  return castBack(numerics, part, type.getElementType());
}

Value broadcastColumns(NumericsBuilder &numerics, Value scalar, int64_t width) {
  if (width == 1)
    return scalar;
  return vector::BroadcastOp::create(
      numerics.getBuilder(), numerics.getStrictLoc(),
      VectorType::get(width, scalar.getType()), scalar);
}

Value allocateColumns(NumericsBuilder &numerics, int64_t size, Type type) {
  OpBuilder &builder = numerics.getBuilder();
  return memref::AllocaOp::create(builder, numerics.getStrictLoc(),
                                  MemRefType::get(size, type),
                                  builder.getI64IntegerAttr(64));
}

RestColumns::RestColumns(NumericsBuilder &numerics, Type elementType,
                         int64_t lanes, unsigned numInputs)
    : numerics(numerics), lanes(lanes) {
  for (unsigned i = 0; i < numInputs; ++i)
    inputBuffers.push_back(allocateColumns(numerics, lanes, elementType));
  outputBuffer = allocateColumns(numerics, lanes, elementType);
}

void RestColumns::build(ValueRange inputs, Value output, Value begin,
                        Value rest,
                        function_ref<Value(ValueRange elements)> body) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getStrictLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto copy = [&](Value from, Value fromBegin, Value to, Value toBegin) {
    scf::ForOp::create(
        builder, loc, zero, rest, one, ValueRange(),
        [&](OpBuilder &, Location, Value index, ValueRange) {
          auto at = [&](Value begin) {
            return arith::AddIOp::create(builder, loc, begin, index);
          };
          storeColumns(numerics, loadElements(numerics, from, at(fromBegin), 1),
                       to, at(toBegin));
          scf::YieldOp::create(builder, loc);
        });
  };
  Value isAny =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, rest, zero);
  scf::IfOp::create(builder, loc, isAny, [&](OpBuilder &, Location) {
    Type elementType =
        cast<MemRefType>(outputBuffer.getType()).getElementType();
    Value fill = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(VectorType::get(lanes, elementType)));
    SmallVector<Value> elements;
    for (auto [row, buffer] : llvm::zip_equal(inputs, inputBuffers)) {
      storeColumns(numerics, fill, buffer, zero);
      copy(row, begin, buffer, zero);
      elements.push_back(loadElements(numerics, buffer, zero, lanes));
    }
    storeColumns(numerics, body(elements), outputBuffer, zero);
    copy(outputBuffer, zero, output, begin);
    scf::YieldOp::create(builder, loc);
  });
}

} // namespace mlir::frit
