//===- LoraSteps.h - Roundings and factors of a branch ----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a graph does to the elements between two matmuls of a low-rank branch:
// where it rounds, and where it multiplies by one number.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_LORASTEPS_H
#define FRIT_TRANSFORMS_RAISE_LORASTEPS_H

#include "RowElement.h"

#include <string>

namespace mlir::frit {

/// A number that a tensor is multiplied by.
struct LoraFactor {
  /// What the graph multiplies by.
  double value = 1.0;
  /// What it was before the graph rounded it; `value` where it did not.
  double source = 1.0;
  /// A tensor that has the number at run time, or null: one f32 element, or
  /// one for each adapter.
  Value tensor;
  /// Where each row has the factor of its adapter: the index into `tensor`.
  std::optional<RowElement> adapter = {};

  bool isRounded() const { return value != source; }
  /// Whether a product with it is exact and commutes with every rounding where
  /// no result overflows or is subnormal.
  bool isPowerOfTwo() const;
};

/// The factor that an expression is; none where it is no single number, and no
/// number of the row's adapter.
std::optional<LoraFactor> matchFactor(const RowElement &element);

/// A rounding to `type`, or a product with `factor` that is rounded to `type`.
struct LoraStep {
  enum class Kind { Round, Scale };
  Kind kind;
  Type type;
  LoraFactor factor;
};

/// A condition on the row: where it does not hold, the element is 0.
struct LoraMask {
  ElementWalker::Expr condition;
  /// Whether the element is 0 where the condition holds instead.
  bool isInverted;
};

/// Walks from an element back over roundings and factors, and puts them in
/// front of `steps`, so that they stand in the order of execution. What is
/// neither is named in `blocker`, and passed by the operand that leads to a
/// sum, so as to find out what was meant.
class LoraStepWalker {
public:
  /// `steps` and `blocker` outlive the walker.
  LoraStepWalker(SmallVectorImpl<LoraStep> &steps, std::string &blocker)
      : steps(steps), blocker(blocker) {}

  /// Takes one step back from an expression that is no element of a tensor.
  /// Null where there is none: at a sum, at a constant.
  ElementWalker::Expr step(const RowElement &element);
  /// The condition of a step that selects zero; null if it is no such step.
  static std::optional<LoraMask> matchMask(ElementWalker &walker,
                                           ElementWalker::Expr expr);
  /// What comes before the steps rounds to `type`.
  void addRound(Type type);

private:
  void addScale(LoraFactor factor, Type type);
  void block(const Twine &reason);

  SmallVectorImpl<LoraStep> &steps;
  std::string &blocker;
};

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_LORASTEPS_H
