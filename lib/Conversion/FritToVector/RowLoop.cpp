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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::frit {

void buildRowLoop(OpBuilder &builder, Location loc, ArrayRef<RowSlice> slices,
                  int64_t grain, function_ref<void()> prologue,
                  function_ref<void(ValueRange, ValueRange)> body) {
  SmallVector<OpFoldResult> leading =
      slices.front().getLeadingSizes(builder, loc);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value rows = buildRowCount(builder, loc, leading);

  // An empty row counts as one column, so that the division is defined.
  Value columns =
      getValueOrCreateConstantIndexOp(builder, loc, slices.front().size);
  columns = builder.createOrFold<arith::MaxUIOp>(loc, columns, one);
  Value blockRows = buildCeilDiv(
      builder, loc, arith::ConstantIndexOp::create(builder, loc, grain),
      columns);
  Value blocks = buildCeilDiv(builder, loc, rows, blockRows);

  auto buildViews = [&](Value row) {
    return buildRowViews(builder, loc, slices, leading, row);
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
