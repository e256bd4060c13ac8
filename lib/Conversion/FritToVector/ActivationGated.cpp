//===- ActivationGated.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers act_and_mul: one pass over the columns of each row.
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "Lowerings.h"
#include "RowLoop.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::frit {

LogicalResult lowerToVector(ActAndMulOp op, const VectorTarget &target,
                            RewriterBase &rewriter) {
  NumericsBuilder numerics(rewriter, op, /*useFma=*/true);
  Location loc = numerics.getStrictLoc();
  SmallVector<RowSlice> slices = getActivationSlices(op, rewriter);
  Value columns =
      getValueOrCreateConstantIndexOp(rewriter, loc, slices[0].size);
  int64_t lanes = target.getNumLanes();
  auto buildElements = [&](ValueRange elements) {
    return numerics.actElement(elements[0], elements[1], op);
  };
  std::optional<RestColumns> restColumns;
  auto buildPrologue = [&] {
    restColumns.emplace(numerics, op.getElementType(), lanes, /*numInputs=*/2);
  };
  auto buildRow = [&](ValueRange rows, ValueRange) {
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value step = arith::ConstantIndexOp::create(rewriter, loc, lanes);
    Value rest = rewriter.createOrFold<arith::RemUIOp>(loc, columns, step);
    Value end = rewriter.createOrFold<arith::SubIOp>(loc, columns, rest);
    scf::ForOp::create(rewriter, loc, zero, end, step, ValueRange(),
                       [&](OpBuilder &, Location, Value column, ValueRange) {
                         Value y = buildElements(
                             {loadElements(numerics, rows[1], column, lanes),
                              loadElements(numerics, rows[2], column, lanes)});
                         storeColumns(numerics, y, rows[0], column);
                         scf::YieldOp::create(rewriter, loc);
                       });
    restColumns->build(rows.drop_front(), rows[0], end, rest, buildElements);
  };
  buildRowLoop(rewriter, loc, slices, activationGrain, buildPrologue, buildRow);
  rewriter.eraseOp(op);
  return success();
}

} // namespace mlir::frit
