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

Value loadColumns(NumericsBuilder &numerics, Value row, Value column,
                  int64_t width) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getStrictLoc();
  if (width == 1)
    return numerics.extend(memref::LoadOp::create(builder, loc, row, column));
  Type elementType = cast<MemRefType>(row.getType()).getElementType();
  return numerics.extend(vector::LoadOp::create(
      builder, loc, VectorType::get(width, elementType), row, column));
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
