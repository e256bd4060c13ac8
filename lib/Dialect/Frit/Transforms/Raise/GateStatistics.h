//===- GateStatistics.h - Mean and deviation of a row -----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mean and the standard deviation of the rows of a gate, in any inner
// precision, with the variance taken in one pass or two.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_GATESTATISTICS_H
#define FRIT_TRANSFORMS_RAISE_GATESTATISTICS_H

#include "Raiser.h"

#include <string>

namespace mlir::frit {

/// A statistic of the rows of a gate.
struct RowStatistic {
  /// Why it is something else; empty if it is the statistic.
  std::string mismatch;
  /// The narrowest type that the value went through after it was computed.
  Type rounded;
  /// What is subtracted from the size of a row in the variance's divisor.
  int64_t correction = 0;
  RaiseTerms terms;
};

/// The mean of `gate` over the last axis of the root. None if the
/// expression has no sum in it.
std::optional<RowStatistic> matchRowMean(ElementWalker &walker,
                                         ElementWalker::Expr expr,
                                         ElementWalker::Expr gate);

/// The standard deviation of `gate` over the last axis of the root. None if the
/// expression is no square root.
std::optional<RowStatistic> matchRowDeviation(ElementWalker &walker,
                                              ElementWalker::Expr expr,
                                              ElementWalker::Expr gate);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_GATESTATISTICS_H
