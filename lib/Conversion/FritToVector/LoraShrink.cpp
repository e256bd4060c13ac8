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

/// Steps over k that are added up by one chain. The sums of chains are another
/// chain, so that the error of a long row stays small in the worst case too.
static constexpr int64_t kChain = 32;

namespace {
/// The code for one slice and one run of an adapter.
class ShrinkRun {
public:
  ShrinkRun(VectorEmitter &e, NumericsBuilder &numerics,
            const LoraShrinkCode &code, unsigned slice, Value adapter)
      : e(e), numerics(numerics), code(code), slice(slice), adapter(adapter),
        a(code.a[slice]) {}

  /// Ranks [begin, end) of the given tokens.
  void emitTile(ArrayRef<Value> tokens, Value begin, Value end,
                Value coefficient);

private:
  /// The sums of products of tokens and ranks, tokens outermost.
  SmallVector<Value> emitSums(ArrayRef<Value> tokens, ArrayRef<Value> ranks);
  void addProducts(ArrayRef<Value> x, ArrayRef<Value> a,
                   MutableArrayRef<Value> sums);

  VectorEmitter &e;
  NumericsBuilder &numerics;
  const LoraShrinkCode &code;
  unsigned slice;
  Value adapter, a;
};
} // namespace

static Type elementType(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

void ShrinkRun::addProducts(ArrayRef<Value> x, ArrayRef<Value> a,
                            MutableArrayRef<Value> sums) {
  for (auto [t, row] : llvm::enumerate(x))
    for (auto [r, weights] : llvm::enumerate(a)) {
      Value &sum = sums[t * a.size() + r];
      sum = e.fma(row, weights, sum);
    }
}

SmallVector<Value> ShrinkRun::emitSums(ArrayRef<Value> tokens,
                                       ArrayRef<Value> ranks) {
  // Lanes may hold any k, as long as x and A agree: pairs of bf16 are split
  // without moving elements between lanes.
  bool pairs = elementType(code.x).isBF16() && elementType(a).isBF16();
  int64_t lanes = e.getLanes(), step = pairs ? 2 * lanes : lanes;
  Value end = e.dim(code.x, 1), fullEnd = e.roundDown(end, step);
  SmallVector<Value> zeros(tokens.size() * ranks.size(), e.zero());

  auto emitFullStep = [&](Value k, ValueRange in) {
    SmallVector<Value> sums(in), xs, as, xsOdd, asOdd;
    auto load = [&](Value memref, ValueRange indices, SmallVector<Value> &even,
                    SmallVector<Value> &odd) {
      if (!pairs)
        return even.push_back(e.load(memref, indices));
      auto [first, second] = e.loadPairs(memref, indices);
      even.push_back(first);
      odd.push_back(second);
    };
    for (Value token : tokens)
      load(code.x, {token, k}, xs, xsOdd);
    for (Value rank : ranks)
      load(a, {adapter, rank, k}, as, asOdd);
    addProducts(xs, as, sums);
    addProducts(xsOdd, asOdd, sums);
    return sums;
  };
  auto emitPartialStep = [&](Value k, ValueRange in) {
    SmallVector<Value> sums(in), xs, as;
    Value count = e.min(e.sub(end, k), e.index(lanes));
    for (Value token : tokens)
      xs.push_back(e.load(code.x, {token, k}, count));
    for (Value rank : ranks)
      as.push_back(e.load(a, {adapter, rank, k}, count));
    addProducts(xs, as, sums);
    return sums;
  };
  auto addUp = [&](ValueRange sums, ValueRange more) {
    return llvm::map_to_vector(llvm::zip(sums, more), [&](auto pair) -> Value {
      return arith::AddFOp::create(e.getBuilder(), std::get<0>(pair),
                                   std::get<1>(pair));
    });
  };

  SmallVector<Value> sums = e.loop(
      e.index(0), fullEnd, kChain * step, zeros, [&](Value k, ValueRange sums) {
        Value blockEnd = e.min(e.add(k, kChain * step), fullEnd);
        return addUp(sums, e.loop(k, blockEnd, step, zeros, emitFullStep));
      });
  sums = addUp(sums, e.loop(fullEnd, end, lanes, zeros, emitPartialStep));
  return llvm::map_to_vector(sums,
                             [&](Value sum) { return e.horizontalSum(sum); });
}

void ShrinkRun::emitTile(ArrayRef<Value> tokens, Value begin, Value end,
                         Value coefficient) {
  ImplicitLocOpBuilder &b = e.getBuilder();
  // As many sums as hide the latency of an FMA, and no more than the registers
  // of the narrower vector sets hold.
  int64_t numRanks = tokens.size() == 1 ? 8 : e.getLanes() >= 16 ? 4 : 2;
  Value last = e.sub(end, e.index(1));
  e.loop(begin, end, numRanks, [&](Value first) {
    SmallVector<Value> ranks;
    for (int64_t i = 0; i < numRanks; ++i)
      ranks.push_back(e.min(e.add(first, i), last));
    b.setLoc(numerics.getFmaLoc());
    SmallVector<Value> sums = emitSums(tokens, ranks);
    b.setLoc(numerics.getStrictLoc());
    Value sliceIndex = e.index(slice);
    for (auto [t, token] : llvm::enumerate(tokens))
      for (auto [r, rank] : llvm::enumerate(ranks)) {
        Value h = code.finish(sums[t * ranks.size() + r], coefficient);
        memref::StoreOp::create(b, h, code.out,
                                ValueRange{sliceIndex, token, rank});
      }
  });
}

void LoraShrinkCode::emit(VectorEmitter &e, NumericsBuilder &numerics,
                          const LoraTokens &tokens) const {
  Value maxRank = e.dim(a.front(), 1);
  Value few = e.less(tokens.getCount(), e.index(kFewPositions + 1));
  Value isLong = e.less(e.index(kLongRow), e.dim(x, 1));
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
      Value coefficient = adapters.getCoefficient(e, numerics, adapter);
      for (unsigned slice = 0; slice < a.size(); ++slice) {
        Value rankEnd =
            e.min(taskRankEnd, adapters.getRank(e, slice, adapter, maxRank));
        ShrinkRun run(e, numerics, *this, slice, adapter);
        tokens.forEachTile(begin, end, [&](Value, ArrayRef<Value> tile) {
          run.emitTile(tile, rankBegin, rankEnd, coefficient);
        });
      }
    });
  });
}
