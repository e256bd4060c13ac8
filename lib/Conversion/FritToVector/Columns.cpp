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

void buildColumnLoops(NumericsBuilder &numerics, Value columns, int64_t lanes,
                      function_ref<void(Value column, int64_t width)> body) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getStrictLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value step = arith::ConstantIndexOp::create(builder, loc, lanes);
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, columns, step);
  Value vectorEnd = builder.createOrFold<arith::SubIOp>(loc, columns, rest);
  scf::ForOp::create(
      builder, loc, zero, vectorEnd, step, ValueRange(),
      [&](OpBuilder &builder, Location loc, Value column, ValueRange) {
        body(column, lanes);
        scf::YieldOp::create(builder, loc);
      });
  // Counted from 0, so that LLVM sees that this loop is too short to vectorize.
  scf::ForOp::create(
      builder, loc, zero, rest, one, ValueRange(),
      [&](OpBuilder &builder, Location loc, Value index, ValueRange) {
        body(arith::AddIOp::create(builder, loc, vectorEnd, index), 1);
        scf::YieldOp::create(builder, loc);
      });
}

} // namespace mlir::frit
