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
// up its lanes at the end. The loop over k is there for each number of ranks
// that a tile can have; what follows it is short and serves all.
//
//===----------------------------------------------------------------------===//

#include "../Utils/DotProducts.h"
#include "LoraEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <algorithm>
#include <cassert>
#include <optional>

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
  /// `sums` is a buffer that getSumsShape describes.
  ShrinkRun(VectorEmitter &e, NumericsBuilder &numerics,
            const LoraShrinkCode &code, Value slice, Value a, Value adapter,
            Value sums)
      : e(e), numerics(numerics), code(code), slice(slice), a(a),
        adapter(adapter), sums(sums) {}

  /// Ranks [begin, end) of the given tokens; `begin` is a multiple of
  /// kTaskRanks.
  void emitTile(ArrayRef<Value> tokens, Value begin, Value end,
                Value coefficient);

  /// A register for each pair of a tile.
  static SmallVector<int64_t> getSumsShape(const VectorEmitter &e) {
    return {
        std::max(getNumDotColumns(e, 1),
                 LoraTokens::kTile * getNumDotColumns(e, LoraTokens::kTile)),
        e.getLanes()};
  }

private:
  SmallVector<int64_t> getCounts(int64_t numRanks) const;
  VectorRow getWeights(Value rank) const {
    return {a, {adapter, rank, e.index(0)}, 2};
  }
  Value getLength() const { return e.dim(code.x, 1); }

  VectorEmitter &e;
  NumericsBuilder &numerics;
  const LoraShrinkCode &code;
  Value slice, a, adapter, sums;
};
} // namespace

/// How many ranks a tile of at most `numRanks` can have: fewer only as the last
/// ones of all.
SmallVector<int64_t> ShrinkRun::getCounts(int64_t numRanks) const {
  std::optional<int64_t> rank = code.adapters.getStaticRank(e.dim(a, 1));
  if (!rank)
    return llvm::to_vector(llvm::seq_inclusive<int64_t>(1, numRanks));
  SmallVector<int64_t> counts;
  if (*rank % numRanks != 0)
    counts.push_back(*rank % numRanks);
  if (*rank >= numRanks || *rank == 0)
    counts.push_back(numRanks);
  return counts;
}

void ShrinkRun::emitTile(ArrayRef<Value> tokens, Value begin, Value end,
                         Value coefficient) {
  ImplicitLocOpBuilder &b = e.getBuilder();
  int64_t numRanks = getNumDotColumns(e, tokens.size());
  assert(kTaskRanks % numRanks == 0 && "tiles of tasks are tiles of all ranks");
  SmallVector<VectorRow> rows;
  for (Value token : tokens)
    rows.push_back({code.x, {token, e.index(0)}, 1});
  SmallVector<int64_t> counts = getCounts(numRanks);
  // Where the buffer holds a sum of a rank of the tile.
  auto place = [&](size_t token, Value rank) {
    return SmallVector<Value>{e.add(rank, token * numRanks), e.index(0)};
  };
  e.loop(begin, end, numRanks, [&](Value first) {
    Value numLeft = e.min(e.sub(end, first), e.index(numRanks));
    b.setLoc(numerics.getFmaLoc());
    e.switchOver(numLeft, counts, [&](int64_t count) {
      SmallVector<VectorRow> weights;
      for (int64_t i = 0; i < count; ++i)
        weights.push_back(getWeights(e.add(first, i)));
      SmallVector<Value> full = emitFullDotSteps(e, rows, weights, getLength());
      for (auto [i, sum] : llvm::enumerate(full))
        e.store(sum, sums, place(i / count, e.index(i % count)));
    });
    b.setLoc(numerics.getStrictLoc());
    e.loop(e.index(0), numLeft, 1, [&](Value i) {
      Value rank = e.add(first, i);
      b.setLoc(numerics.getFmaLoc());
      SmallVector<Value> full;
      for (size_t t = 0; t < tokens.size(); ++t)
        full.push_back(e.load(sums, place(t, i)));
      SmallVector<Value> total =
          emitDotRest(e, rows, getWeights(rank), getLength(), full);
      b.setLoc(numerics.getStrictLoc());
      for (auto [token, sum] : llvm::zip(tokens, total))
        memref::StoreOp::create(b, code.finish(sum, coefficient), code.out,
                                ValueRange{slice, token, rank});
    });
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

  std::optional<int64_t> products = 0;
  for (Value a : code.a) {
    auto type = cast<ShapedType>(a.getType());
    products = addTaskProducts(products, kTaskPositions, type.getDimSize(1),
                               type.getDimSize(2));
  }
  auto emitTask = [&](Value task) {
    Value begin = e.mul(e.div(task, rankTasks), kTaskPositions);
    Value end = e.min(e.add(begin, kTaskPositions), tokens.getCount());
    Value rankBegin = e.mul(e.rem(task, rankTasks), taskRanks);
    Value taskRankEnd = e.add(rankBegin, taskRanks);
    Value sums = e.stackBuffer(ShrinkRun::getSumsShape(e), e.getSumType());
    tokens.forEachRun(begin, end, [&](Value begin, Value end, Value adapter) {
      Value coefficient =
          code.isScaled ? code.adapters.getCoefficient(e, numerics, adapter)
                        : Value();
      auto emitSlice = [&](Value slice) {
        Value weights = selectSlice(e, slice, code.a);
        Value rankEnd = e.min(
            taskRankEnd, code.adapters.getRank(e, slice, adapter, maxRank));
        ShrinkRun run(e, numerics, code, slice, weights, adapter, sums);
        tokens.forEachTile(begin, end, [&](Value, ArrayRef<Value> tile) {
          run.emitTile(tile, rankBegin, rankEnd, coefficient);
        });
      };
      if (code.a.size() == 1)
        return emitSlice(e.index(0));
      e.loop(e.index(0), e.index(code.a.size()), 1, emitSlice);
    });
  };
  e.parallel(e.mul(positionTasks, rankTasks), emitTask, products);
}
