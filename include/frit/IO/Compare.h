//===- Compare.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparing a computed tensor with an expected one.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_COMPARE_H
#define FRIT_IO_COMPARE_H

#include "frit/IO/HostTensor.h"

#include "llvm/Support/JSON.h"

namespace mlir::frit {

/// Two elements agree when |actual - expected| <= absolute + relative *
/// |expected|, when they are equal (infinities too), or when both are NaN.
struct Tolerance {
  double absolute = 0;
  double relative = 0;

  /// The defaults of torch.testing.assert_close (PyTorch 2): f64 1e-7 and
  /// 1e-7, f32 1e-5 and 1.3e-6, f16 1e-5 and 1e-3, bf16 1e-5 and 1.6e-2
  /// (absolute and relative); integers must be equal.
  static Tolerance getDefault(ElementType type);
};

struct CompareOptions {
  Tolerance tolerance;
  /// Also demand that an element is zero exactly where the expected one is,
  /// by value: -0 is zero.
  bool exactZeroMask = false;
};

/// What a comparison found. Indices are logical row-major positions, -1 where
/// nothing was found. Errors are taken over elements that are finite in both
/// tensors.
struct Comparison {
  TensorSpec spec;
  CompareOptions options;

  int64_t numElements = 0;
  /// Elements beyond the tolerance; NaN against a number and unequal
  /// infinities count.
  int64_t numMismatched = 0;
  int64_t firstMismatch = -1;
  /// Elements of different value, tolerance or not.
  int64_t numUnequal = 0;
  /// Elements that are NaN in just one of the tensors.
  int64_t numNanMismatched = 0;
  /// Elements that are zero in just one of the tensors, and zeros of each.
  int64_t numZeroMismatched = 0;
  int64_t firstZeroMismatch = -1;
  int64_t numZerosActual = 0;
  int64_t numZerosExpected = 0;

  double maxAbsoluteError = 0;
  int64_t maxAbsoluteIndex = -1;
  /// |actual - expected| / |expected| over elements whose expected value is
  /// not zero.
  double maxRelativeError = 0;
  int64_t maxRelativeIndex = -1;
  /// Steps between neighbouring values of the type; 0 for integers.
  uint64_t maxUlps = 0;
  int64_t maxUlpsIndex = -1;

  bool matches() const {
    return numMismatched == 0 &&
           !(options.exactZeroMask && numZeroMismatched != 0);
  }
};

/// Compares two tensors of one type and shape; others are an error with both.
llvm::Expected<Comparison> compareTensors(const HostTensor &actual,
                                          const HostTensor &expected,
                                          const CompareOptions &options);

/// Prints the comparison for a reader: one line if it matches, else also what
/// is wrong and the first elements that are, with both values. The tensors are
/// those that were compared; `name` opens the text.
void printComparison(llvm::raw_ostream &stream, llvm::StringRef name,
                     const Comparison &comparison, const HostTensor &actual,
                     const HostTensor &expected);

/// The comparison as data. Figures that JSON cannot hold (infinity) are
/// strings.
llvm::json::Object toJson(const Comparison &comparison);

} // namespace mlir::frit

#endif // FRIT_IO_COMPARE_H
