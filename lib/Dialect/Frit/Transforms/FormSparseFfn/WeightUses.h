//===- WeightUses.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights that are stored with their axes exchanged, and what reads them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_FORMSPARSEFFN_WEIGHTUSES_H
#define FRIT_TRANSFORMS_FORMSPARSEFFN_WEIGHTUSES_H

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace mlir::frit {

/// Whether all that reads a matrix of weights can as well read it with its axes
/// exchanged: matmuls, also through copies. Otherwise `reason`, to follow
/// "they", is why not.
LogicalResult checkReadEitherWay(Value weights, std::string &reason);

/// Lets all that reads `weights` read `transposed`, which is the same matrix
/// with its axes exchanged, and may be the same value after its type was
/// changed. The insertion point is behind it and before all readers.
void replaceByTransposed(Value weights, Value transposed,
                         RewriterBase &rewriter);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_FORMSPARSEFFN_WEIGHTUSES_H
