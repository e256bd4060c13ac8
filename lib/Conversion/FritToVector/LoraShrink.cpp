//===- LoraShrink.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shrinking half. Rows of x and of A are both contiguous over k, so a tile
// of tokens x ranks keeps one register of partial sums for each pair and adds
// up its lanes at the end.
//
//===----------------------------------------------------------------------===//

#include "../Utils/DotProducts.h"
#include "LoraEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

/// Positions of a parallel task, and ranks of one where tokens are too few to
/// occupy the threads.
static constexpr int64_t kTaskPositions = 16;
static constexpr int64_t kTaskRanks = 8;
/// Up to here tasks also split ranks, if rows are long enough to be worth it.
static constexpr int64_t kFewPositions = 4 * kTaskPositions;
static constexpr int64_t kLongRow = 512;

namespace {
/// The code for one slice and one run of an adapter.
class ShrinkRun {
public:
  ShrinkRun(VectorEmitter &e, NumericsBuilder &numerics,
            const LoraShrinkCode &code, Value slice, Value a, Value adapter)
      : e(e), numerics(numerics), code(code), slice(slice), a(a),
        adapter(adapter) {}

  /// Ranks [begin, end) of the given tokens.
  void emitTile(ArrayRef<Value> tokens, Value begin, Value end,
                Value coefficient);

private:
  VectorEmitter &e;
  NumericsBuilder &numerics;
  const LoraShrinkCode &code;
  Value slice, a, adapter;
};
} // namespace

void ShrinkRun::emitTile(ArrayRef<Value> tokens, Value begin, Value end,
                         Value coefficient) {
  ImplicitLocOpBuilder &b = e.getBuilder();
  int64_t numRanks = getNumDotColumns(e, tokens.size());
  SmallVector<VectorRow> rows;
  for (Value token : tokens)
    rows.push_back({code.x, {token, e.index(0)}, 1});
  Value last = e.sub(end, e.index(1));
  e.loop(begin, end, numRanks, [&](Value first) {
    SmallVector<Value> ranks;
    SmallVector<VectorRow> weights;
    for (int64_t i = 0; i < numRanks; ++i) {
      ranks.push_back(e.min(e.add(first, i), last));
      weights.push_back({a, {adapter, ranks.back(), e.index(0)}, 2});
    }
    b.setLoc(numerics.getFmaLoc());
    SmallVector<Value> sums =
        emitDotProducts(e, rows, weights, e.dim(code.x, 1));
    b.setLoc(numerics.getStrictLoc());
    for (auto [t, token] : llvm::enumerate(tokens))
      for (auto [r, rank] : llvm::enumerate(ranks)) {
        Value h = code.finish(sums[t * ranks.size() + r], coefficient);
        memref::StoreOp::create(b, h, code.out, ValueRange{slice, token, rank});
      }
  });
}

void frit::emitVectorCode(const LoraShrinkCode &code, VectorEmitter &e,
                          NumericsBuilder &numerics, const LoraTokens &tokens) {
  Value maxRank = e.dim(code.a.front(), 1);
  Value few = e.less(tokens.getCount(), e.index(kFewPositions + 1));
  Value isLong = e.less(e.index(kLongRow), e.dim(code.x, 1));
  Value split = arith::AndIOp::create(e.getBuilder(), few, isLong);
  Value rankTasks = e.select(
      split, e.max(e.ceilDiv(maxRank, kTaskRanks), e.index(1)), e.index(1));
  Value taskRanks = e.select(split, e.index(kTaskRanks), maxRank);
  Value positionTasks = e.ceilDiv(tokens.getCount(), kTaskPositions);

  e.parallel(e.mul(positionTasks, rankTasks), [&](Value task) {
    Value begin = e.mul(e.div(task, rankTasks), kTaskPositions);
    Value end = e.min(e.add(begin, kTaskPositions), tokens.getCount());
    Value rankBegin = e.mul(e.rem(task, rankTasks), taskRanks);
    Value taskRankEnd = e.add(rankBegin, taskRanks);
    tokens.forEachRun(begin, end, [&](Value begin, Value end, Value adapter) {
      Value coefficient =
          code.isScaled ? code.adapters.getCoefficient(e, numerics, adapter)
                        : Value();
      auto emitSlice = [&](Value slice) {
        Value weights = selectSlice(e, slice, code.a);
        Value rankEnd = e.min(
            taskRankEnd, code.adapters.getRank(e, slice, adapter, maxRank));
        ShrinkRun run(e, numerics, code, slice, weights, adapter);
        tokens.forEachTile(begin, end, [&](Value, ArrayRef<Value> tile) {
          run.emitTile(tile, rankBegin, rankEnd, coefficient);
        });
      };
      if (code.a.size() == 1)
        return emitSlice(e.index(0));
      e.loop(e.index(0), e.index(code.a.size()), 1, emitSlice);
    });
  });
}
