//===- LoraBranch.h - The low-rank branch of a linear layer -----*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds B A x in the expression of an element: two matmuls by weights, with
// roundings and factors around them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_LORABRANCH_H
#define FRIT_TRANSFORMS_RAISE_LORABRANCH_H

#include "LoraSteps.h"
#include "RowElement.h"

namespace mlir::frit {

/// Where a matmul reads its weight: a part of a tensor, `rows` by `columns`.
struct LoraWeight {
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
  bool isTransposed() const { return rowAxis > columnAxis; }
  /// Whether each row's weight is a whole one of a stack [L, rows, columns].
  bool isWholeStack() const;
  /// The weight as a tensor [1, rows, columns], or the whole tensor where each
  /// row has its own.
  Value materialize(OpBuilder &builder, Location loc) const;
};

/// A tensor that could be x, and the steps between it and the first matmul.
struct LoraInput {
  RowTensor tensor;
  SmallVector<LoraStep> steps;
};

struct LoraBranch {
  /// The nearest to the first matmul is first.
  SmallVector<LoraInput> inputs;
  /// Weights as narrow as they are stored, and as they are multiplied.
  LoraWeight a, b;
  std::optional<LoraWeight> wideA, wideB;
  /// In the order of execution.
  SmallVector<LoraStep> between, after;
  /// The condition that the branch is added on, in terms of the root; absent
  /// where it always is.
  std::optional<LoraMask> mask;
  /// The narrow type that a sum is accumulated in; null if there is none.
  Type sumType;
  /// The first thing that is not part of LoRA; empty if all is.
  std::string blocker;

  void block(StringRef reason) {
    if (blocker.empty())
      blocker = reason.str();
  }
};

/// The branch that computes `delta`; none where there are not two matmuls by
/// weights, whatever stands between them.
std::optional<LoraBranch> matchLoraBranch(RowElement delta);

/// All tensors that `element`, a sum of terms that are rounded or not, has a
/// matmul of. Those that an extension makes of another are there with it.
SmallVector<RowTensor> findMatmulInputs(const RowElement &element);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_LORABRANCH_H
