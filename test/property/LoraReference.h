//===- LoraReference.h ---------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the LoRA ops compute in float64, with the bound that their description
// allows; independent of the code that is tested.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_LORAREFERENCE_H
#define FRIT_TEST_PROPERTY_LORAREFERENCE_H

#include "Buffer.h"

#include <optional>

namespace mlir::frit::test {

/// Operands and attributes that all LoRA ops have. Pointers are null where the
/// op has no such operand.
struct LoraCase {
  enum class Rounding { Final, Sum, Stepwise };

  /// [T, K]; of lora_matmul and lora_shrink.
  const Buffer *x = nullptr;
  /// [S, T, R]; of lora_expand.
  const Buffer *h = nullptr;
  const Buffer *ids = nullptr;
  /// One for each slice, [L, R, K].
  std::vector<const Buffer *> a;
  /// One for each slice, [L, N, R].
  std::vector<const Buffer *> b;
  const Buffer *scales = nullptr;
  const Buffer *ranks = nullptr;
  int64_t numAdapters = 0;
  int64_t maxRank = 0;
  float scale = 1;
  int64_t offset = 0;
  bool isElementIntermediate = false;
  Rounding rounding = Rounding::Final;
  bool accumulate = true;

  /// The adapter of a token; none where the token has none.
  std::optional<int64_t> getAdapter(int64_t token) const;
  int64_t getRank(int64_t slice, int64_t adapter) const;
  double getCoefficient(int64_t adapter) const;
};

/// What the destination of an op must hold, element by element.
struct LoraExpectation {
  struct Element {
    /// Not the op's: the bits stay.
    bool isUntouched = true;
    double value = 0;
    double bound = 0;
  };
  std::vector<Element> elements;

  /// Returns what is wrong with the destination, or nothing.
  std::string check(const Buffer &before, const Buffer &after) const;
};

/// Of lora_matmul (x given) or lora_expand (h given); `before` is the
/// destination [T, M].
LoraExpectation expectExpanded(const LoraCase &test, const Buffer &before);

/// Of lora_shrink; `before` is the destination [S, T, R].
LoraExpectation expectShrunk(const LoraCase &test, const Buffer &before);

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_LORAREFERENCE_H
