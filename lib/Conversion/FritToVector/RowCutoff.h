//===- RowCutoff.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cutoff of a row of a sparse gate.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOVECTOR_ROWCUTOFF_H
#define FRIT_LIB_CONVERSION_FRITTOVECTOR_ROWCUTOFF_H

#include "Columns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::frit {

/// Steps 1 to 4 of frit.gelu_and_mul_sparse for `gate`, a row of rank 1 with
/// `columns` elements: two sums over it. `SparseOp` has the attributes of a
/// sparse gate. The order of the sums depends on `columns` and `lanes` alone.
template <typename SparseOp>
Value buildRowCutoff(NumericsBuilder &numerics, SparseOp op, Value gate,
                     Value columns, int64_t lanes) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getStrictLoc();
  Value count = numerics.fromIndex(columns);
  Value sum = buildRowSum(numerics, gate, columns, lanes,
                          [&](Value elements, Value sum) {
                            return numerics.addTerm(elements, sum);
                          });
  Value mean = numerics.mean(sum, count);
  Value squares = buildRowSum(
      numerics, gate, columns, lanes, [&](Value elements, Value sum) {
        auto vector = dyn_cast<VectorType>(elements.getType());
        Value center =
            broadcastColumns(numerics, mean, vector ? vector.getDimSize(0) : 1);
        return numerics.addSquaredDeviation(elements, center, sum);
      });
  Value divisor = count;
  if (op.getCorrection() != 0) {
    Value correction = arith::ConstantIndexOp::create(
        builder, loc, static_cast<int64_t>(op.getCorrection()));
    divisor = numerics.fromIndex(
        builder.createOrFold<arith::SubIOp>(loc, columns, correction));
  }
  Value deviation = numerics.standardDeviation(squares, divisor);
  return numerics.cutoff(mean, deviation,
                         op.getStdMultiplier().convertToFloat(),
                         op.getRounding(), op.getElementType());
}

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOVECTOR_ROWCUTOFF_H
