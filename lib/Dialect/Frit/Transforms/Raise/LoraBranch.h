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
#include "MatmulElement.h"

namespace mlir::frit {

/// A tensor that could be x, and the steps between it and the first matmul.
struct LoraInput {
  RowTensor tensor;
  SmallVector<LoraStep> steps;
};

struct LoraBranch {
  /// The nearest to the first matmul is first.
  SmallVector<LoraInput> inputs;
  /// Weights as narrow as they are stored, and as they are multiplied.
  MatmulWeight a, b;
  std::optional<MatmulWeight> wideA, wideB;
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
