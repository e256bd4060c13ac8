//===- LoraKernels.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two halves of a LoRA matmul as GPU kernels. A block takes a window of
// positions; each token's sums run over k and r in an order that depends on
// their number and the element types alone, so a token's bits depend on its own
// row and adapter alone.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOSIMT_LORAKERNELS_H
#define FRIT_LIB_CONVERSION_FRITTOSIMT_LORAKERNELS_H

#include "../Utils/LoraTokens.h"
#include "Pieces.h"

namespace mlir::frit {

/// A block computes a few ranks of its tokens: all its threads share the sums
/// over k.
void buildKernel(const LoraShrinkCode &code, NumericsBuilder &numerics,
                 ImplicitLocOpBuilder &builder);

/// A thread computes a few columns of a block's tokens.
void buildKernel(const LoraExpandCode &code, NumericsBuilder &numerics,
                 ImplicitLocOpBuilder &builder);

/// The positions that the blocks of a launch are given.
struct LoraWindows {
  /// For blocks of so many threads, `parts` of which share a window. Code for
  /// the host.
  LoraWindows(VectorEmitter &emit, const LoraTokenOperands &tokens, Value parts,
              int64_t blockThreads);

  /// Calls `body` for each run of the block's window, as
  /// LoraTokens::forEachShortRun does. `window` is the number of the window.
  void
  forEachRun(VectorEmitter &emit, const LoraTokens &tokens, Value window,
             llvm::function_ref<void(Value adapter, ArrayRef<Value> tokens)>
                 body) const;

  /// How many windows there are. How many of them hold tokens is known to the
  /// device alone.
  Value count;
  /// Positions of each.
  Value size;
  /// The most of them that are computed at once, a power of two.
  int64_t tile;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOSIMT_LORAKERNELS_H
