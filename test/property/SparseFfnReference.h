//===- SparseFfnReference.h -------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the sparse feed-forward network computes, written from its description
// in float64 and with every rounding as a step, independent of the code that is
// tested. Inputs must be such that the sums of gate, of up and of their LoRAs
// are exact in f32: then it is known to the bit which columns are active.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_SPARSEFFNREFERENCE_H
#define FRIT_TEST_PROPERTY_SPARSEFFNREFERENCE_H

#include "ActivationReference.h"
#include "LoraReference.h"

#include <array>

namespace mlir::frit::test {

/// Operands and attributes. Pointers are null where the op has no such operand.
struct SparseFfnCase {
  SparseConfig gateConfig;
  bool isDh = true;
  bool accumulate = false;
  const Buffer *x = nullptr, *gate = nullptr, *up = nullptr, *down = nullptr;
  const Buffer *ids = nullptr, *scales = nullptr, *ranks = nullptr;
  /// A and B of gate, up and down.
  std::array<const Buffer *, 3> a{}, b{};
  std::array<float, 3> loraScales{1, 1, 1};
  int64_t numAdapters = 0, maxRank = 0;
  bool isElementIntermediate = false;
  LoraCase::Rounding loraRounding = LoraCase::Rounding::Final;
};

/// One token: the activation y of each column, as far as f64 tells.
struct SparseFfnToken {
  struct Column {
    double y = 0;
    /// How far y of the code may be from it.
    double bound = 0;
    bool isActive = false;
  };
  std::vector<Column> columns;
  /// All of the row is NaN.
  bool isNaN = false;
  /// A sum in another order could give another cutoff and other columns.
  bool isNearTie = false;
};

/// Does not look at down, nor at up of columns that are not active.
SparseFfnToken expectActivation(const SparseFfnCase &test, int64_t token);

/// Checks a token's row of the result; `before` is the destination. Returns
/// what is wrong, or nothing.
std::string checkRow(const SparseFfnCase &test, const SparseFfnToken &expected,
                     int64_t token, const Buffer &before, const Buffer &after);

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_SPARSEFFNREFERENCE_H
