//===- RowElement.h - Elements of rows --------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors as rows: one axis has the columns, and all others, in their order,
// are the rows. Matmuls by weights keep the rows, so that a chain of them can
// be walked one tensor after the other, whatever the reshapes of rows between.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_ROWELEMENT_H
#define FRIT_TRANSFORMS_RAISE_ROWELEMENT_H

#include "ElementWalker.h"

#include <memory>

namespace mlir::frit {

/// A tensor whose axis `columnAxis` has the columns.
struct RowTensor {
  Value tensor;
  int64_t columnAxis = 0;

  /// The last axis of a tensor has its columns.
  static RowTensor ofLastAxis(Value tensor);
  /// The tensor before all reshapes and casts that change rows alone.
  RowTensor strip() const;
  bool operator==(const RowTensor &other) const {
    return tensor == other.tensor && columnAxis == other.columnAxis;
  }
  RankedTensorType getType() const {
    return cast<RankedTensorType>(tensor.getType());
  }
  Type getElementType() const { return getType().getElementType(); }
};

/// An expression of an element of a tensor, in terms of its indices.
struct RowElement {
  std::shared_ptr<ElementWalker> walker;
  ElementWalker::Expr expr = nullptr;
  int64_t columnAxis = 0;

  /// The element of a tensor at its own indices, reshapes of rows seen through.
  static RowElement of(RowTensor tensor);
  RowElement with(ElementWalker::Expr other) const {
    return {walker, other, columnAxis};
  }
  /// The index of the column: a dim, or 0 where there is one column.
  AffineExpr getColumn() const { return walker->getIdentity()[columnAxis]; }
  Extent getColumns() const { return walker->getShape()[columnAxis]; }

  /// The tensor that the expression is an element of, in the same row and,
  /// along one axis, at index `column`; none if it is no such element.
  std::optional<RowTensor> getRowTensor(AffineExpr column) const;
  /// The tensor that the expression is an element of, at an index that is the
  /// row; none if it is no such element.
  Value getRowVector() const;
  /// Whether a tensor that has an element of this row has no other rows, and
  /// `columns` columns, so that it can be read whole. Both were found by
  /// indices, which do not say where a tensor ends.
  bool isCoveredBy(RowTensor tensor, const Extent &columns) const;
  /// The same of the rows alone, where all axes but `columnAxis` are rows.
  bool hasRowsOf(Value tensor, int64_t columnAxis) const;
  /// Expands until the node is no element of a tensor, or cannot be expanded.
  void peel();
};

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_ROWELEMENT_H
