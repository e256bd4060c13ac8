//===- ActivationForm.h - Activation functions in graphs --------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GELU, SiLU and relu in the spellings of exporters and of hand.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_ACTIVATIONFORM_H
#define FRIT_TRANSFORMS_RAISE_ACTIVATIONFORM_H

#include "Raiser.h"

#include "frit/Dialect/Frit/IR/Frit.h"

namespace mlir::frit {

/// An activation function of one value.
struct ActivationForm {
  Activation activation;
  ElementWalker::Expr input;
  /// Why it is no such function after all; empty if it is.
  std::string mismatch;
  RaiseTerms terms;
};

/// The activation that an expression is, or almost is.
std::optional<ActivationForm> matchActivation(ElementWalker &walker,
                                              ElementWalker::Expr expr);

/// max(input, 0).
struct ReluForm {
  ElementWalker::Expr input;
  /// Why it is something else; empty if it is a relu.
  std::string mismatch;
  /// Whether a NaN comes out as 0.
  bool dropsNaN = false;
};

/// The relu that an expression is, or almost is: any select by a compare, and
/// any maximum or minimum, is taken for an attempt at one.
std::optional<ReluForm> matchRelu(ElementWalker &walker,
                                  ElementWalker::Expr expr);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_ACTIVATIONFORM_H
