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

#include "ActivationSlices.h"
#include "Columns.h"
#include "Lowerings.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

namespace mlir::frit {

LogicalResult lowerToVector(ActAndMulOp op, const VectorTarget &target,
                            RewriterBase &rewriter) {
  NumericsBuilder numerics(rewriter, op, /*useFma=*/true);
  Location loc = numerics.getStrictLoc();
  SmallVector<RowSlice> slices = getActivationSlices(op, rewriter);
  Value columns =
      getValueOrCreateConstantIndexOp(rewriter, loc, slices[0].size);
  auto buildRow = [&](ValueRange rows, ValueRange) {
    auto build = [&](Value column, int64_t width) {
      Value y = numerics.actElement(
          loadElements(numerics, rows[1], column, width),
          loadElements(numerics, rows[2], column, width), op);
      storeColumns(numerics, y, rows[0], column);
    };
    buildColumnLoops(numerics, columns, target.getNumLanes(), build);
  };
  buildRowLoop(rewriter, loc, slices, activationGrain, [] {}, buildRow);
  rewriter.eraseOp(op);
  return success();
}

} // namespace mlir::frit
