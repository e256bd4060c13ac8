//===- RowLoop.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the loop over rows.
//
//===----------------------------------------------------------------------===//

#include "RowLoop.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::frit {

namespace {

/// Quotient rounded up, of unsigned values; the divisor is not 0.
Value buildCeilDiv(OpBuilder &builder, Location loc, Value dividend,
                   Value divisor) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value last = builder.createOrFold<arith::SubIOp>(loc, divisor, one);
  return builder.createOrFold<arith::DivUIOp>(
      loc, builder.createOrFold<arith::AddIOp>(loc, dividend, last), divisor);
}

/// The view of one row of a slice, of rank 1.
Value buildRowView(OpBuilder &builder, Location loc, const RowSlice &slice,
                   ValueRange rowIndices) {
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

} // namespace

void buildRowLoop(OpBuilder &builder, Location loc, ArrayRef<RowSlice> slices,
                  int64_t grain, function_ref<void()> prologue,
                  function_ref<void(ValueRange, ValueRange)> body) {
  SmallVector<OpFoldResult> leading =
      memref::getMixedSizes(builder, loc, slices.front().memref);
  leading.pop_back();

  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value rows = one;
  for (OpFoldResult size : leading)
    rows = builder.createOrFold<arith::MulIOp>(
        loc, rows, getValueOrCreateConstantIndexOp(builder, loc, size));

  // An empty row counts as one column, so that the division is defined.
  Value columns =
      getValueOrCreateConstantIndexOp(builder, loc, slices.front().size);
  columns = builder.createOrFold<arith::MaxUIOp>(loc, columns, one);
  Value blockRows = buildCeilDiv(
      builder, loc, arith::ConstantIndexOp::create(builder, loc, grain),
      columns);
  Value blocks = buildCeilDiv(builder, loc, rows, blockRows);

  auto buildViews = [&](Value row) {
    SmallVector<Value> indices;
    if (leading.size() == 1)
      indices.push_back(row);
    else if (leading.size() > 1)
      llvm::append_range(indices, affine::AffineDelinearizeIndexOp::create(
                                      builder, loc, row, leading)
                                      .getMultiIndex());
    SmallVector<Value> views;
    for (const RowSlice &slice : slices)
      views.push_back(buildRowView(builder, loc, slice, indices));
    return views;
  };
  auto buildBlock = [&](OpBuilder &builder, Location loc, ValueRange block) {
    auto scope = memref::AllocaScopeOp::create(builder, loc, TypeRange());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&scope.getBodyRegion());
    prologue();
    Value first = arith::MulIOp::create(builder, loc, block[0], blockRows);
    Value end = arith::MinUIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, first, blockRows),
        rows);
    Value last = arith::SubIOp::create(builder, loc, end, one);
    scf::ForOp::create(
        builder, loc, first, end, one, ValueRange(),
        [&](OpBuilder &builder, Location loc, Value row, ValueRange) {
          Value next = arith::MinUIOp::create(
              builder, loc, arith::AddIOp::create(builder, loc, row, one),
              last);
          SmallVector<Value> views = buildViews(row);
          body(views, buildViews(next));
          scf::YieldOp::create(builder, loc);
        });
    memref::AllocaScopeReturnOp::create(builder, loc, ValueRange());
  };
  auto loop =
      scf::ParallelOp::create(builder, loc, zero, blocks, one, buildBlock);
  // A block is as much as a thread is worth.
  loop->setAttr(FritDialect::getGrainAttrName(), builder.getI64IntegerAttr(1));
}

} // namespace mlir::frit
