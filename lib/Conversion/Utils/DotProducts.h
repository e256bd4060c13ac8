//===- DotProducts.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of rows with rows, both contiguous over the summed dimension.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_DOTPRODUCTS_H
#define FRIT_LIB_CONVERSION_UTILS_DOTPRODUCTS_H

#include "VectorEmitter.h"

namespace mlir::frit {

/// A row of a memref along one dimension of stride 1.
struct VectorRow {
  Value memref;
  /// The indices of the row's first element.
  SmallVector<Value> first;
  /// The dimension along which the row runs.
  int64_t dim;

  SmallVector<Value> at(VectorEmitter &e, Value element) const;
  Type getElementType() const;
};

/// Emits sum_k lhs[i][k] * rhs[j][k] for k below `length` and all pairs (i, j),
/// i outermost, as scalars of the emitter's sum type. Rows of one side have the
/// same element type. There must be one row or more on either side; one
/// register is taken for each pair.
///
/// The order of the sum depends on `length`, the element types and the lanes
/// alone, not on how many rows there are.
SmallVector<Value> emitDotProducts(VectorEmitter &e, ArrayRef<VectorRow> lhs,
                                   ArrayRef<VectorRow> rhs, Value length);

/// The two parts of it. The first is what takes the time: the registers of the
/// pairs' partial sums over all steps that are full. The second adds the steps
/// that are left, and the lanes, of pairs one or several at a time.
SmallVector<Value> emitFullDotSteps(VectorEmitter &e, ArrayRef<VectorRow> lhs,
                                    ArrayRef<VectorRow> rhs, Value length);
SmallVector<Value> emitDotRest(VectorEmitter &e, ArrayRef<VectorRow> lhs,
                               ArrayRef<VectorRow> rhs, Value length,
                               ValueRange fullSteps);

/// Indices of rows from `begin` up to `end`.
struct RowRange {
  Value begin, end;
};

/// Emits loops over tiles that cover all pairs of two ranges. `getLhs` and
/// `getRhs` give the row of an index; `store` gets each tile's indices and its
/// sums, left-hand rows outermost. Where a tile reaches beyond a range, the
/// last row is repeated, so `store` loads all that it needs before it stores.
/// A single left-hand row streams through the right-hand side once.
void emitDotTiles(
    VectorEmitter &e, RowRange lhsRows, RowRange rhsRows, Value length,
    llvm::function_ref<VectorRow(Value)> getLhs,
    llvm::function_ref<VectorRow(Value)> getRhs,
    llvm::function_ref<void(ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                            ArrayRef<Value> sums)>
        store);

/// The same sums for many left-hand rows, at most as many on either side as a
/// task has: a part of k at a time for all pairs, which finds it in a near
/// cache. The partial sums take memory of the stack.
void emitBlockedDotTiles(
    VectorEmitter &e, RowRange lhsRows, RowRange rhsRows, Value length,
    llvm::function_ref<VectorRow(Value)> getLhs,
    llvm::function_ref<VectorRow(Value)> getRhs,
    llvm::function_ref<void(ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                            ArrayRef<Value> sums)>
        store);

/// What a parallel task over such tiles covers on either side.
inline constexpr int64_t kDotTaskLhsRows = 64;
inline constexpr int64_t kDotTaskRhsRows = 32;

/// How many right-hand rows make good use of the registers beside `numLhs`
/// left-hand ones (1 or 4).
int64_t getNumDotColumns(const VectorEmitter &e, int64_t numLhs);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_DOTPRODUCTS_H
