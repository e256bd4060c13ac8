//===- MatmulElement.h - Matmuls in expressions -----------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element of a matmul is a sum of products; one factor of them is an element
// of a weight, which only the column and the index of the sum say.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_MATMULELEMENT_H
#define FRIT_TRANSFORMS_RAISE_MATMULELEMENT_H

#include "RowElement.h"

#include "mlir/IR/Builders.h"

namespace mlir::frit {

/// A sum of products over one index.
struct SumOfProducts {
  ElementWalker::Expr lhs = nullptr, rhs = nullptr;
  AffineExpr index;
  Extent extent;
  /// The narrowest type that products and sums are rounded to.
  Type type;
  /// Whether the sum is taken in f64.
  bool isWide = false;
  /// Whether nothing is added to the products.
  bool startsFromZero = true;
};

std::optional<SumOfProducts> matchSum(ElementWalker &walker,
                                      ElementWalker::Expr expr);

/// Where a matmul reads its weight: a part of a tensor, `rows` by `columns`.
struct MatmulWeight {
  Value tensor;
  /// The axes of the tensor that rows and columns run along. All others have
  /// one index.
  int64_t rowAxis = 0, columnAxis = 0;
  /// Where the part starts, along each axis of the tensor.
  SmallVector<int64_t> offsets;
  Extent rows, columns;
  /// Where each row of x has its own weight: the adapter, as an index into
  /// `tensor`'s first axis, in terms of `element`'s walker.
  std::optional<RowElement> adapter;

  Type getElementType() const {
    return cast<RankedTensorType>(tensor.getType()).getElementType();
  }
  /// Whether the axes stand the other way round, in a tensor that has both: a
  /// vector is one row as well as one column.
  bool isTransposed() const {
    return rowAxis > columnAxis &&
           (adapter || (rows.size != 1 && columns.size != 1));
  }
  /// Whether each row's weight is known to be a whole one of a stack [L, rows,
  /// columns].
  bool isWholeStack(const ElementWalker &walker) const;
  /// The weight as a tensor [1, rows, columns], or the whole tensor where each
  /// row has its own.
  Value materialize(OpBuilder &builder, Location loc) const;

private:
  /// A tensor with one axis longer than 1, as [1, rows, columns].
  Value reshapeVector(OpBuilder &builder, Location loc, Value part) const;
};

/// Matches an element of a weight in row `row` and column `column`: `narrow` as
/// it is stored, and `wide` as it is multiplied, if that is another tensor.
bool matchWeights(const RowElement &element, AffineExpr row, const Extent &rows,
                  AffineExpr column, const Extent &columns,
                  MatmulWeight &narrow, std::optional<MatmulWeight> &wide);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_MATMULELEMENT_H
