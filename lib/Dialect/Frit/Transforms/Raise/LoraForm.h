//===- LoraForm.h - A branch as the op computes it --------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which attributes of frit.lora_matmul give what a branch computes: each
// `rounding` and `intermediate` has its places for roundings and for the
// factor.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_LORAFORM_H
#define FRIT_TRANSFORMS_RAISE_LORAFORM_H

#include "LoraBranch.h"
#include "Raiser.h"

#include "frit/Dialect/Frit/IR/Frit.h"

namespace mlir::frit {

/// A branch in the terms of the op.
struct LoraForm {
  RowTensor x;
  MatmulWeight a, b;
  LoraRounding rounding = LoraRounding::Final;
  Intermediate intermediate = Intermediate::F32;
  float scale = 1.0f;
  /// A tensor of an f32 for each adapter, which multiplies the scale; null if
  /// there is none.
  Value scales;

  /// Whether what the op adds to its destination is rounded before, to a type
  /// narrower than f32.
  bool roundsDelta() const {
    return rounding == LoraRounding::Sum ||
           (rounding == LoraRounding::Stepwise && !b.getElementType().isF32());
  }
};

/// The form of a branch that is added to a destination of `type`, at what
/// fidelity; none where no fidelity up to `fidelity` has one. `terms` then says
/// why, or `reason` where none at all does.
std::optional<LoraForm> chooseLoraForm(const LoraBranch &branch, Type type,
                                       Fidelity fidelity, RaiseTerms &terms,
                                       std::string &reason);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_LORAFORM_H
