//===- LoraWindows.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses how many positions a block is given.
//
//===----------------------------------------------------------------------===//

#include "LoraKernels.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::frit {

LoraWindows::LoraWindows(VectorEmitter &emit, const LoraTokenOperands &tokens,
                         Value parts, int64_t blockThreads) {
  /// Tokens that share what a thread loads of the weights.
  constexpr int64_t largestTile = 8;
  /// Threads that keep a large GPU busy: about 512 for each multiprocessor of
  /// an H100. Where there are fewer tokens, sharing weights costs more time
  /// than it saves.
  constexpr int64_t busyThreads = 1 << 16;

  Value positions = emit.dim(tokens.order ? tokens.order : tokens.ids, 0);
  size = emit.min(emit.max(emit.ceilDiv(emit.mul(positions, parts),
                                        busyThreads / blockThreads),
                           emit.index(1)),
                  emit.index(largestTile));
  count = emit.ceilDiv(positions, size);
  tile = llvm::PowerOf2Ceil(getConstantIntValue(size).value_or(largestTile));
}

void LoraWindows::forEachRun(
    VectorEmitter &emit, const LoraTokens &tokens, Value window,
    llvm::function_ref<void(Value adapter, ArrayRef<Value> tokens)> body)
    const {
  Value begin = emit.mul(window, size);
  Value end = emit.min(emit.add(begin, size), tokens.getCount());
  tokens.forEachShortRun(begin, end, tile, body);
}

} // namespace mlir::frit
