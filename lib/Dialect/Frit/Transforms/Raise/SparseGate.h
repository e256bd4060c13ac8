//===- SparseGate.h - A gate with a statistical cutoff ----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// relu(gate - (mean + multiplier * deviation)), in the roundings that
// gelu_and_mul_sparse has.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_SPARSEGATE_H
#define FRIT_TRANSFORMS_RAISE_SPARSEGATE_H

#include "GatedProduct.h"

namespace mlir::frit {

struct SparseGate {
  /// The step that does not fit; empty if all do.
  std::string mismatch;
  ElementWalker::Expr gate = nullptr;
  double stdMultiplier = 1;
  int64_t correction = 0;
  Rounding rounding = Rounding::Stepwise;
  RaiseTerms terms;
};

/// What `product` has below its relu. `fidelity` decides between a multiplier
/// and what it was before the graph rounded it.
SparseGate matchSparseGate(const GatedProduct &product, const ReluForm &relu,
                           ElementWalker &elements, Fidelity fidelity);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_SPARSEGATE_H
