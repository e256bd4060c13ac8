//===- LoraKernels.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two halves of a LoRA matmul as GPU kernels. A block takes a few
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

/// A warp computes one rank of a block's tokens: its lanes share the sum over
/// k.
void buildKernel(const LoraShrinkCode &code, NumericsBuilder &numerics,
                 ImplicitLocOpBuilder &builder);

/// A thread computes one column of a block's tokens.
void buildKernel(const LoraExpandCode &code, NumericsBuilder &numerics,
                 ImplicitLocOpBuilder &builder);

/// Positions of a block: a tile of one adapter is computed at once.
constexpr int64_t blockPositions = LoraTokens::kTile;

/// The number of positions that blocks are launched for. How many of them hold
/// tokens is known to the device alone.
inline Value getNumPositions(VectorEmitter &emit,
                             const LoraTokenOperands &tokens) {
  return emit.dim(tokens.order ? tokens.order : tokens.ids, 0);
}

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOSIMT_LORAKERNELS_H
