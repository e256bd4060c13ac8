//===- RowSlice.h -----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows that ops on memrefs of any rank and strides read and write.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_ROWSLICE_H
#define FRIT_LIB_CONVERSION_UTILS_ROWSLICE_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::frit {

/// Part of the last dimension of a memref: what code for rows works on.
struct RowSlice {
  /// A memref of rank >= 1 and inner stride 1. All slices of one op have the
  /// same leading dimensions.
  Value memref;
  /// First column and number of columns.
  OpFoldResult offset, size;

  /// The leading dimensions.
  SmallVector<OpFoldResult> getLeadingSizes(OpBuilder &builder,
                                            Location loc) const;
};

/// The number of rows of leading dimensions, an index.
Value buildRowCount(OpBuilder &builder, Location loc,
                    ArrayRef<OpFoldResult> leading);

/// A view of one row of each slice, of rank 1 and inner stride 1. The leading
/// dimensions need not collapse to one stride: `row` is taken apart.
SmallVector<Value> buildRowViews(OpBuilder &builder, Location loc,
                                 ArrayRef<RowSlice> slices,
                                 ArrayRef<OpFoldResult> leading, Value row);

/// Quotient rounded up, of unsigned indices; the divisor is not 0.
Value buildCeilDiv(OpBuilder &builder, Location loc, Value dividend,
                   Value divisor);

/// The operands of a gated activation by row: out, gate, up.
template <typename OpTy>
SmallVector<RowSlice> getActivationSlices(OpTy op, OpBuilder &builder) {
  OpFoldResult zero = builder.getIndexAttr(0);
  OpFoldResult columns =
      memref::getMixedSizes(builder, op.getLoc(), op.getOut()).back();
  Value up = op.isPacked() ? op.getX() : op.getUp();
  return {{op.getOut(), zero, columns},
          {op.getGate(), zero, columns},
          {up, op.isPacked() ? columns : zero, columns}};
}

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_ROWSLICE_H
