//===- LaunchHistory.h - What the kernels ahead may still write -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fused kernels start beside the one ahead of them and wait for it themselves.
// As each lets the next one start only once it has waited itself, all that
// comes before the kernel ahead is complete by then: what that one kernel does
// not write may be read before the wait. Of an op of several launches the last
// one need not have waited, if the one before it has: what both write is the
// op's results, which are looked at, and its workspace, which no other op has.
// Nothing writes to constants.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOGPU_LAUNCHHISTORY_H
#define FRIT_LIB_CONVERSION_FRITTOGPU_LAUNCHHISTORY_H

#include "frit/Dialect/Frit/IR/Frit.h"

namespace mlir::frit {

/// The launches that were made of ops, in the order of the stream.
class LaunchHistory {
public:
  /// `launch` is the last one of `op`, which is about to be erased. Where
  /// `mayBeSkipped`, it may have no block, and then never reaches the stream.
  void record(Operation *launch, KernelOpInterface op, bool mayBeSkipped);

  /// Whether, when a kernel for `op` starts in its place, nothing can still
  /// write its operands, but for those at `positions`.
  bool isCompleteBefore(KernelOpInterface op,
                        ArrayRef<unsigned> positions) const;

private:
  struct Past {
    /// The buffers that it writes; none where that is not known.
    std::optional<SmallVector<Value, 2>> written;
    bool mayBeSkipped;
  };
  enum class Outcome {
    /// The kernel ahead may still write one of the buffers.
    Unsafe,
    /// It is found, and does not.
    Safe,
    /// It comes before all that was looked at.
    Open,
  };

  /// Looks back from `last` to the start of its block.
  Outcome lookBack(Operation *last, ArrayRef<Value> buffers) const;

  DenseMap<Operation *, Past> launches;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOGPU_LAUNCHHISTORY_H
