//===- TensorAccess.h - Indices through moves of elements -------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element of what a tensor op moves, as an element of what it moves from.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_TENSORACCESS_H
#define FRIT_TRANSFORMS_RAISE_TENSORACCESS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

namespace mlir::frit {

/// An element of a tensor.
struct TensorAccess {
  Value tensor;
  SmallVector<AffineExpr> indices;
};

/// The element that the element `indices` of a tensor was moved from, where the
/// tensor comes from tensor.cast, extract_slice with static offsets and
/// strides, collapse_shape or expand_shape; none otherwise.
std::optional<TensorAccess> getMovedFrom(Value tensor,
                                         ArrayRef<AffineExpr> indices);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_TENSORACCESS_H
