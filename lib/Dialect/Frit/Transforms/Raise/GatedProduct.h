//===- GatedProduct.h - Activation times up ---------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The product at the end of a gated activation, and the operands of the op that
// stands for it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_GATEDPRODUCT_H
#define FRIT_TRANSFORMS_RAISE_GATEDPRODUCT_H

#include "ActivationForm.h"
#include "FloatSteps.h"

namespace mlir::frit {

/// activation(...) * up, rounded to the element type of the root.
struct GatedProduct {
  OpResult root;
  Type elementType;
  ElementWalker::Expr activation;
  ElementWalker::Expr up;
  ActivationForm form;
};

/// The gated product that a tensor is.
std::optional<GatedProduct> matchGatedProduct(OpResult root,
                                              ElementWalker &elements);

/// An operand of a gated op: a tensor, or an expression that becomes one.
struct GatedOperand {
  Value tensor;
  ElementWalker::Expr expr = nullptr;
};

/// The inputs of a gated op.
struct GatedOperands {
  /// Gate and up packed, or gate.
  GatedOperand x;
  /// Neither a tensor nor an expression where they are packed.
  GatedOperand up;

  /// Makes tensors of the expressions, and casts tensors to the static sizes of
  /// the root where they differ.
  void materialize(const ElementWalker &elements, Raiser &raiser);
};

/// What a gate and the product's up are elements of. Otherwise says why there
/// is no such tensor, and none that can be computed on its own.
FailureOr<GatedOperands> getGatedOperands(const GatedProduct &product,
                                          ElementWalker::Expr gate,
                                          ElementWalker &elements,
                                          std::string &mismatch);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_GATEDPRODUCT_H
