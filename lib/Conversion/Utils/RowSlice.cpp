//===- RowSlice.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts rows and builds views of them.
//
//===----------------------------------------------------------------------===//

#include "RowSlice.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

namespace mlir::frit {

SmallVector<OpFoldResult> RowSlice::getLeadingSizes(OpBuilder &builder,
                                                    Location loc) const {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, memref);
  sizes.pop_back();
  return sizes;
}

Value buildRowCount(OpBuilder &builder, Location loc,
                    ArrayRef<OpFoldResult> leading) {
  Value rows = arith::ConstantIndexOp::create(builder, loc, 1);
  for (OpFoldResult size : leading)
    rows = builder.createOrFold<arith::MulIOp>(
        loc, rows, getValueOrCreateConstantIndexOp(builder, loc, size));
  return rows;
}

Value buildCeilDiv(OpBuilder &builder, Location loc, Value dividend,
                   Value divisor) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value last = builder.createOrFold<arith::SubIOp>(loc, divisor, one);
  return builder.createOrFold<arith::DivUIOp>(
      loc, builder.createOrFold<arith::AddIOp>(loc, dividend, last), divisor);
}

/// The view of one row of a slice.
static Value buildRowView(OpBuilder &builder, Location loc,
                          const RowSlice &slice, ValueRange rowIndices) {
  auto type = cast<MemRefType>(slice.memref.getType());
  OpFoldResult one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(rowIndices);
  SmallVector<OpFoldResult> sizes(rowIndices.size(), one);
  SmallVector<OpFoldResult> strides(type.getRank(), one);
  offsets.push_back(slice.offset);
  sizes.push_back(slice.size);
  int64_t columns =
      getConstantIntValue(slice.size).value_or(ShapedType::kDynamic);
  // Not inferred: of a dimension of size 1, inference may keep the stride of
  // another one.
  auto fullType = cast<MemRefType>(
      memref::SubViewOp::inferResultType(type, offsets, sizes, strides));
  int64_t offset = fullType.getStridesAndOffset().second;
  auto viewType = MemRefType::get(
      columns, type.getElementType(),
      StridedLayoutAttr::get(builder.getContext(), offset, /*strides=*/1),
      type.getMemorySpace());
  return memref::SubViewOp::create(builder, loc, viewType, slice.memref,
                                   offsets, sizes, strides);
}

SmallVector<Value> buildRowViews(OpBuilder &builder, Location loc,
                                 ArrayRef<RowSlice> slices,
                                 ArrayRef<OpFoldResult> leading, Value row) {
  SmallVector<Value> indices;
  if (leading.size() == 1)
    indices.push_back(row);
  else if (leading.size() > 1)
    llvm::append_range(indices, affine::AffineDelinearizeIndexOp::create(
                                    builder, loc, row, leading)
                                    .getMultiIndex());
  return llvm::map_to_vector(slices, [&](const RowSlice &slice) {
    return buildRowView(builder, loc, slice, indices);
  });
}

} // namespace mlir::frit
