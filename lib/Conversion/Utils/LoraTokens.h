//===- LoraTokens.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How LoRA code walks over tokens. Positions are places in `order` where the op
// is grouped, and the tokens themselves otherwise; a run is a range of
// positions of one adapter. The adapter always comes from `ids`, so that a
// grouping only makes runs long and never changes a result.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_LORATOKENS_H
#define FRIT_LIB_CONVERSION_UTILS_LORATOKENS_H

#include "LoraCode.h"

namespace mlir::frit {

class LoraTokens {
public:
  /// Tokens that are multiplied together.
  static constexpr int64_t kTile = 4;

  LoraTokens(VectorEmitter &emitter, const LoraTokenOperands &operands,
             Value numAdapters);

  /// The number of positions.
  Value getCount() const { return count; }

  /// Calls `body` for each maximal run in the positions [begin, end) whose
  /// adapter exists. Tokens without one belong to no run.
  void
  forEachRun(Value begin, Value end,
             llvm::function_ref<void(Value begin, Value end, Value adapter)>
                 body) const;

  /// Calls `body` with the tokens of each tile of a run: twice at compile time,
  /// for `kTile` tokens and for a single one. Where a tile has fewer tokens
  /// left, its last one is repeated: what is computed and stored for it is the
  /// same. `position` is that of the first token.
  void
  forEachTile(Value begin, Value end,
              llvm::function_ref<void(Value position, ArrayRef<Value> tokens)>
                  body) const;

  /// Calls `body` for each maximal run in the few positions [begin, end) whose
  /// adapter exists, with the run's tokens: `size` of them, the last one
  /// repeated where they are fewer, or a single one. At compile time once for
  /// each, and once where `size` is 1. No run may have more than `size`.
  ///
  /// The ids of all positions are loaded without waiting for one another.
  void forEachShortRun(
      Value begin, Value end, int64_t size,
      llvm::function_ref<void(Value adapter, ArrayRef<Value> tokens)> body)
      const;

  /// The tokens of `size` positions from `begin` on; the last one before `end`
  /// is repeated where they are fewer.
  SmallVector<Value> getTile(Value begin, Value end,
                             int64_t size = kTile) const;

private:
  /// Calls `body` with a position from `begin` on until it is `end`; it returns
  /// the next one.
  void forEachPlace(Value begin, Value end,
                    llvm::function_ref<Value(Value position)> body) const;
  Value getToken(Value position) const;
  Value getRunEnd(Value begin, Value end, Value adapter) const;

  VectorEmitter &e;
  Value ids, order, first, count, numAdapters;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_LORATOKENS_H
