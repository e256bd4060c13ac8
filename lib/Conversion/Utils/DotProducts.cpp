//===- DotProducts.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits tiles of dot products: one register of partial sums for each pair of
// rows, whose lanes are added up at the end. The loop over k has full steps
// without masks, then the steps that hold the partial block.
//
//===----------------------------------------------------------------------===//

#include "DotProducts.h"

#include <algorithm>
#include <utility>

using namespace mlir;
using namespace mlir::frit;

/// Steps over k that are added up by one chain. The sums of chains are another
/// chain, so that the error of a long row stays small in the worst case too.
static constexpr int64_t kChain = 32;

SmallVector<Value> VectorRow::at(VectorEmitter &e, Value element) const {
  SmallVector<Value> indices = first;
  indices[dim] = e.add(indices[dim], element);
  return indices;
}

Type VectorRow::getElementType() const {
  return cast<MemRefType>(memref.getType()).getElementType();
}

int64_t frit::getNumDotColumns(const VectorEmitter &e, int64_t numLhs) {
  // As many sums as hide the latency of an FMA, and no more than the registers
  // of the narrower vector sets hold.
  if (numLhs == 1)
    return 8;
  return e.getLanes() >= 16 ? 4 : 2;
}

static void addProducts(VectorEmitter &e, ArrayRef<Value> lhs,
                        ArrayRef<Value> rhs, MutableArrayRef<Value> sums) {
  for (auto [i, row] : llvm::enumerate(lhs))
    for (auto [j, column] : llvm::enumerate(rhs)) {
      Value &sum = sums[i * rhs.size() + j];
      sum = e.fma(row, column, sum);
    }
}

static SmallVector<Value> addUp(VectorEmitter &e, ValueRange sums,
                                ValueRange more) {
  SmallVector<Value> result;
  for (auto [sum, term] : llvm::zip(sums, more))
    result.push_back(arith::AddFOp::create(e.getBuilder(), sum, term));
  return result;
}

/// The elements of k in a full step, and whether they are taken in pairs. Lanes
/// may hold any k, as long as both sides agree: pairs of bf16 are split without
/// moving elements between lanes.
static std::pair<int64_t, bool>
getStep(const VectorEmitter &e, const VectorRow &lhs, const VectorRow &rhs) {
  bool pairs = e.getSumType().isF32() && lhs.getElementType().isBF16() &&
               rhs.getElementType().isBF16();
  return {pairs ? 2 * e.getLanes() : e.getLanes(), pairs};
}

/// The sums over the full steps [begin, end): one chain.
static SmallVector<Value> emitDotChain(VectorEmitter &e,
                                       ArrayRef<VectorRow> lhs,
                                       ArrayRef<VectorRow> rhs, Value begin,
                                       Value end) {
  auto [step, pairs] = getStep(e, lhs[0], rhs[0]);
  auto load = [&](ArrayRef<VectorRow> rows, Value k) {
    return llvm::map_to_vector(rows, [&](const VectorRow &row) {
      return e.load(row.memref, row.at(e, k));
    });
  };
  auto loadPairs = [&](ArrayRef<VectorRow> rows, Value k) {
    std::pair<SmallVector<Value>, SmallVector<Value>> result;
    for (const VectorRow &row : rows) {
      auto [even, odd] = e.loadPairs(row.memref, row.at(e, k));
      result.first.push_back(even);
      result.second.push_back(odd);
    }
    return result;
  };
  SmallVector<Value> zeros(lhs.size() * rhs.size(), e.zero());
  return e.loop(begin, end, step, zeros,
                [&, pairs = pairs](Value k, ValueRange in) {
                  SmallVector<Value> sums(in);
                  if (!pairs) {
                    addProducts(e, load(lhs, k), load(rhs, k), sums);
                    return sums;
                  }
                  auto [lhsEven, lhsOdd] = loadPairs(lhs, k);
                  auto [rhsEven, rhsOdd] = loadPairs(rhs, k);
                  addProducts(e, lhsEven, rhsEven, sums);
                  addProducts(e, lhsOdd, rhsOdd, sums);
                  return sums;
                });
}

SmallVector<Value> frit::emitFullDotSteps(VectorEmitter &e,
                                          ArrayRef<VectorRow> lhs,
                                          ArrayRef<VectorRow> rhs,
                                          Value length) {
  int64_t step = getStep(e, lhs[0], rhs[0]).first;
  Value fullEnd = e.roundDown(length, step);
  SmallVector<Value> zeros(lhs.size() * rhs.size(), e.zero());
  return e.loop(e.index(0), fullEnd, kChain * step, zeros,
                [&](Value k, ValueRange sums) {
                  Value chainEnd = e.min(e.add(k, kChain * step), fullEnd);
                  return addUp(e, sums, emitDotChain(e, lhs, rhs, k, chainEnd));
                });
}

SmallVector<Value> frit::emitDotRest(VectorEmitter &e, ArrayRef<VectorRow> lhs,
                                     ArrayRef<VectorRow> rhs, Value length,
                                     ValueRange fullSteps) {
  int64_t lanes = e.getLanes();
  Value fullEnd = e.roundDown(length, getStep(e, lhs[0], rhs[0]).first);
  SmallVector<Value> zeros(lhs.size() * rhs.size(), e.zero());
  auto emitStep = [&](Value k, ValueRange in) {
    SmallVector<Value> sums(in);
    Value count = e.min(e.sub(length, k), e.index(lanes));
    auto load = [&](ArrayRef<VectorRow> rows) {
      return llvm::map_to_vector(rows, [&](const VectorRow &row) {
        return e.load(row.memref, row.at(e, k), count);
      });
    };
    addProducts(e, load(lhs), load(rhs), sums);
    return sums;
  };
  SmallVector<Value> sums =
      addUp(e, fullSteps, e.loop(fullEnd, length, lanes, zeros, emitStep));
  return llvm::map_to_vector(sums,
                             [&](Value sum) { return e.horizontalSum(sum); });
}

SmallVector<Value> frit::emitDotProducts(VectorEmitter &e,
                                         ArrayRef<VectorRow> lhs,
                                         ArrayRef<VectorRow> rhs,
                                         Value length) {
  return emitDotRest(e, lhs, rhs, length,
                     emitFullDotSteps(e, lhs, rhs, length));
}

/// Left-hand rows that are multiplied together.
static constexpr int64_t kTileRows = 4;

void frit::emitDotTiles(
    VectorEmitter &e, RowRange lhsRows, RowRange rhsRows, Value length,
    llvm::function_ref<VectorRow(Value)> getLhs,
    llvm::function_ref<VectorRow(Value)> getRhs,
    llvm::function_ref<void(ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                            ArrayRef<Value> sums)>
        store) {
  Value one = e.index(1);
  Value lastLhs = e.sub(lhsRows.end, one), lastRhs = e.sub(rhsRows.end, one);
  auto emitRows = [&](ArrayRef<Value> lhs) {
    int64_t numRhs = getNumDotColumns(e, lhs.size());
    e.loop(rhsRows.begin, rhsRows.end, numRhs, [&](Value first) {
      SmallVector<Value> rhs;
      for (int64_t j = 0; j < numRhs; ++j)
        rhs.push_back(e.min(e.add(first, j), lastRhs));
      store(lhs, rhs,
            emitDotProducts(e, llvm::map_to_vector(lhs, getLhs),
                            llvm::map_to_vector(rhs, getRhs), length));
    });
  };
  e.loop(lhsRows.begin, lhsRows.end, kTileRows, [&](Value row) {
    e.ifThenElse(
        e.compare(arith::CmpIPredicate::eq, row, lastLhs),
        [&] { emitRows(row); },
        [&] {
          SmallVector<Value> lhs;
          for (int64_t i = 0; i < kTileRows; ++i)
            lhs.push_back(e.min(e.add(row, i), lastLhs));
          emitRows(lhs);
        });
  });
}

/// What the right-hand rows of a block may take of the innermost cache.
static constexpr int64_t kBlockBytes = 32768;

namespace {
/// The partial sums of all pairs of a task's rows.
class PartialSums {
public:
  PartialSums(VectorEmitter &e, RowRange lhsRows, RowRange rhsRows)
      : e(e), lhsRows(lhsRows), rhsRows(rhsRows),
        numRhs(getNumDotColumns(e, kTileRows)),
        buffer(e.stackBuffer({kDotTaskLhsRows, kDotTaskRhsRows, e.getLanes()},
                             e.getSumType())) {
    static_assert(kDotTaskLhsRows % kTileRows == 0);
  }

  /// Calls `body` for the tiles of all left-hand rows and some right-hand ones,
  /// with the sums of each. What it returns, if anything, is kept.
  void forEachTile(RowRange columns,
                   llvm::function_ref<SmallVector<Value>(
                       ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                       llvm::function_ref<SmallVector<Value>()> getSums)>
                       body) {
    e.loop(lhsRows.begin, lhsRows.end, kTileRows, [&](Value row) {
      e.loop(columns.begin, columns.end, numRhs, [&](Value column) {
        SmallVector<SmallVector<Value>> places;
        for (int64_t i = 0; i < kTileRows; ++i)
          for (int64_t j = 0; j < numRhs; ++j)
            places.push_back({e.add(e.sub(row, lhsRows.begin), i),
                              e.add(e.sub(column, rhsRows.begin), j),
                              e.index(0)});
        SmallVector<Value> sums =
            body(getIndices(row, kTileRows, lhsRows),
                 getIndices(column, numRhs, rhsRows), [&] {
                   return llvm::map_to_vector(places, [&](ValueRange place) {
                     return e.load(buffer, place);
                   });
                 });
        for (auto [sum, place] : llvm::zip(sums, places))
          e.store(sum, buffer, place);
      });
    });
  }

private:
  /// `count` rows from `first` on; beyond the range the last one is repeated.
  SmallVector<Value> getIndices(Value first, int64_t count, RowRange range) {
    SmallVector<Value> indices;
    Value last = e.sub(range.end, e.index(1));
    for (int64_t i = 0; i < count; ++i)
      indices.push_back(e.min(e.add(first, i), last));
    return indices;
  }

  VectorEmitter &e;
  RowRange lhsRows, rhsRows;
  int64_t numRhs;
  Value buffer;
};
} // namespace

void frit::emitBlockedDotTiles(
    VectorEmitter &e, RowRange lhsRows, RowRange rhsRows, Value length,
    llvm::function_ref<VectorRow(Value)> getLhs,
    llvm::function_ref<VectorRow(Value)> getRhs,
    llvm::function_ref<void(ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                            ArrayRef<Value> sums)>
        store) {
  VectorRow first = getRhs(rhsRows.begin);
  int64_t step = getStep(e, getLhs(lhsRows.begin), first).first;
  int64_t chain = kChain * step;
  int64_t chainBytes =
      chain * first.getElementType().getIntOrFloatBitWidth() / 8;
  int64_t blockRows =
      std::clamp<int64_t>(kBlockBytes / chainBytes, kTileRows, kDotTaskRhsRows);
  Value fullEnd = e.roundDown(length, step);
  PartialSums partial(e, lhsRows, rhsRows);

  partial.forEachTile(
      rhsRows, [&](ArrayRef<Value> lhs, ArrayRef<Value> rhs, auto) {
        return SmallVector<Value>(lhs.size() * rhs.size(), e.zero());
      });
  e.loop(e.index(0), fullEnd, chain, [&](Value k) {
    Value chainEnd = e.min(e.add(k, chain), fullEnd);
    e.loop(rhsRows.begin, rhsRows.end, blockRows, [&](Value block) {
      RowRange columns{block, e.min(e.add(block, blockRows), rhsRows.end)};
      partial.forEachTile(
          columns, [&](ArrayRef<Value> lhs, ArrayRef<Value> rhs, auto getSums) {
            SmallVector<Value> sums =
                emitDotChain(e, llvm::map_to_vector(lhs, getLhs),
                             llvm::map_to_vector(rhs, getRhs), k, chainEnd);
            return addUp(e, getSums(), sums);
          });
    });
  });
  partial.forEachTile(
      rhsRows, [&](ArrayRef<Value> lhs, ArrayRef<Value> rhs, auto getSums) {
        store(lhs, rhs,
              emitDotRest(e, llvm::map_to_vector(lhs, getLhs),
                          llvm::map_to_vector(rhs, getRhs), length, getSums()));
        return SmallVector<Value>();
      });
}
