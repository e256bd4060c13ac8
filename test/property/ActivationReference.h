//===- ActivationReference.h ---------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the gated activations compute, written from their description in float64
// and with every rounding as a step, independent of the code that is tested.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_ACTIVATIONREFERENCE_H
#define FRIT_TEST_PROPERTY_ACTIVATIONREFERENCE_H

#include "Buffer.h"

namespace mlir::frit::test {

/// Counts over many rows, for limits that no single row can exceed.
struct ActivationTally {
  int64_t rows = 0;
  /// Rows whose cutoff another summation order could round otherwise.
  int64_t nearTies = 0;
  int64_t nonzeros = 0;
  /// Elements whose activation is one step from the reference.
  int64_t offByOne = 0;
};

struct SparseConfig {
  ElementType type;
  float multiplier = 1;
  bool isErf = false;
  bool isStepwise = true;
  int64_t correction = 0;
  /// Where the gate is zero, an up that is not finite says nothing of the
  /// result.
  bool assumesFiniteUp = false;
};

enum class GatedActivation { Silu, GeluTanh, GeluErf };

/// Checks one row of gelu_and_mul_sparse. Returns what is wrong, or nothing.
std::string checkSparseRow(const SparseConfig &config,
                           llvm::ArrayRef<double> gate,
                           llvm::ArrayRef<double> up,
                           llvm::ArrayRef<double> result,
                           ActivationTally &tally);

/// Checks one row of act_and_mul.
std::string checkGatedRow(ElementType type, GatedActivation activation,
                          llvm::ArrayRef<double> gate,
                          llvm::ArrayRef<double> up,
                          llvm::ArrayRef<double> result,
                          ActivationTally &tally);

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_ACTIVATIONREFERENCE_H
