//===- LoraExpand.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expanding half. Rows of B are contiguous over r and short, rows of y over
// n and long: a block of B is transposed into a stack buffer, where n is the
// vector dimension, and serves all tokens of a run. A sum is one chain over r
// for each element; where the ranks do not fit into the buffer, it goes on in
// the next block from a second buffer.
//
//===----------------------------------------------------------------------===//

#include "LoraEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

/// What a parallel task covers, and how many ranks the buffer holds.
static constexpr int64_t kTaskPositions = 64;
static constexpr int64_t kTaskColumns = 256;
static constexpr int64_t kBufferRanks = 64;
/// Registers of adjacent columns that are multiplied together.
static constexpr int64_t kUnroll = 2;

namespace {
/// The code for one slice, in one parallel task.
class ExpandSlice {
public:
  ExpandSlice(VectorEmitter &e, NumericsBuilder &numerics,
              const LoraExpandCode &code, Value slice, Value b,
              Value columnOffset)
      : e(e), numerics(numerics), code(code), slice(slice), b(b),
        columnOffset(columnOffset), numColumns(e.dim(b, 1)) {}

  /// Columns [begin, begin + kTaskColumns) of the positions' tokens.
  void emitTask(const LoraTokens &tokens, Value positionBegin,
                Value positionEnd, Value begin, Value packed, Value partial);

private:
  struct Ranks {
    Value begin, end;
    /// Whether these are the first and the last ranks of the sum.
    Value isFirst, isLast;
  };
  int64_t getBlockColumns() const { return kUnroll * e.getLanes(); }

  /// Where the buffer holds a column and a rank.
  struct Place {
    Value block, rank, column;
  };
  Place getPlace(Value column, Value begin, Value rank) {
    Value distance = e.sub(column, begin);
    Value size = e.index(getBlockColumns());
    return {e.div(distance, size), rank, e.rem(distance, size)};
  }

  void emitPacking(Value adapter, Value begin, Value end, const Ranks &ranks,
                   Value packed);
  void emitTransposed(Value adapter, Value column, Value rank, int64_t numRanks,
                      const Place &place, Value packed);
  void emitCopied(Value adapter, Value begin, Value end, const Ranks &ranks,
                  Value columnBegin, Value rankBegin, Value packed);
  void emitTile(ArrayRef<Value> tokens, ArrayRef<Value> next, Value tile,
                Value begin, Value end, const Ranks &ranks, Value coefficient,
                Value packed, Value partial);
  void emitPrefetch(Value token, Value column);
  void emitBlock(ArrayRef<Value> tokens, ArrayRef<Value> next, Value tile,
                 Value column, Value block, Value numLeft, const Ranks &ranks,
                 Value coefficient, Value packed, Value partial);
  SmallVector<Value> emitSums(ArrayRef<Value> tokens, Value block,
                              const Ranks &ranks, Value packed);
  void emitResults(ArrayRef<Value> tokens, ArrayRef<Value> sums, Value column,
                   Value numLeft, Value coefficient);

  VectorEmitter &e;
  NumericsBuilder &numerics;
  const LoraExpandCode &code;
  Value slice, b, columnOffset, numColumns;
};
} // namespace

/// Transposes `lanes` columns of B, from `column` on, for `numRanks` ranks from
/// `rank` on: squares side by side.
void ExpandSlice::emitTransposed(Value adapter, Value column, Value rank,
                                 int64_t numRanks, const Place &place,
                                 Value packed) {
  // The places of the rows within a view do not depend on the column, so that
  // their addresses are each one addition.
  ImplicitLocOpBuilder &builder = e.getBuilder();
  OpFoldResult one = builder.getIndexAttr(1);
  Value view = memref::SubViewOp::create(
      builder, b, ArrayRef<OpFoldResult>{adapter, column, rank},
      ArrayRef<OpFoldResult>{one, builder.getIndexAttr(e.getLanes()),
                             builder.getIndexAttr(numRanks)},
      ArrayRef<OpFoldResult>{one, one, one});
  Value zero = e.index(0);
  SmallVector<Value> rows;
  for (int64_t i = 0; i < numRanks; ++i) {
    SmallVector<SmallVector<Value>> pieces;
    for (int64_t square = 0; square < e.getLanes(); square += numRanks)
      pieces.push_back({zero, e.index(square + i), zero});
    rows.push_back(e.loadPieces(view, pieces));
  }
  e.transpose(rows);
  for (auto [i, row] : llvm::enumerate(rows))
    e.store(row, packed, {place.block, e.add(place.rank, i), place.column});
}

/// Copies columns of B where they, or the ranks, do not fill a square.
void ExpandSlice::emitCopied(Value adapter, Value begin, Value end,
                             const Ranks &ranks, Value columnBegin,
                             Value rankBegin, Value packed) {
  // Ranks outermost: most often there are none left.
  e.loop(rankBegin, e.sub(ranks.end, ranks.begin), 1, [&](Value rank) {
    e.loop(columnBegin, end, 1, [&](Value column) {
      Place place = getPlace(column, begin, rank);
      memref::StoreOp::create(
          e.getBuilder(),
          e.loadScalar(b, {adapter, column, e.add(ranks.begin, rank)}), packed,
          ValueRange{place.block, place.rank, place.column});
    });
  });
}

/// Fills the buffer with the columns [begin, end) of B for some ranks: as many
/// as can be in squares of a register's length, and then in smaller ones. The
/// rest has loops of its own, so that addresses here take few registers.
void ExpandSlice::emitPacking(Value adapter, Value begin, Value end,
                              const Ranks &ranks, Value packed) {
  constexpr int64_t kSmallestSquare = 4;
  int64_t lanes = e.getLanes();
  Value numRanks = e.sub(ranks.end, ranks.begin);
  Value fullEnd = e.add(begin, e.roundDown(e.sub(end, begin), lanes));
  // The last square may share ranks with the one before. Of fewer ranks than it
  // has there is none.
  Value hasSquare = e.less(e.index(kSmallestSquare - 1), numRanks);
  Value last = e.sub(e.max(numRanks, e.index(kSmallestSquare)),
                     e.index(kSmallestSquare));
  Value inSquares = e.select(hasSquare, numRanks, e.index(0));
  e.loop(begin, fullEnd, lanes, [&](Value column) {
    auto emitSquare = [&](Value rank, int64_t square) {
      emitTransposed(adapter, column, e.add(ranks.begin, rank), square,
                     getPlace(column, begin, rank), packed);
    };
    Value done = e.roundDown(inSquares, lanes);
    e.loop(e.index(0), done, lanes,
           [&](Value rank) { emitSquare(rank, lanes); });
    for (int64_t square = lanes / 2; square > kSmallestSquare; square /= 2) {
      Value next = e.roundDown(inSquares, square);
      e.ifThen(e.less(done, next), [&] { emitSquare(done, square); });
      done = next;
    }
    e.loop(done, inSquares, kSmallestSquare,
           [&](Value rank) { emitSquare(e.min(rank, last), kSmallestSquare); });
  });
  emitCopied(adapter, begin, fullEnd, ranks, begin, inSquares, packed);
  emitCopied(adapter, begin, end, ranks, fullEnd, e.index(0), packed);
}

/// The sums of a block over the ranks in the buffer, tokens outermost.
SmallVector<Value> ExpandSlice::emitSums(ArrayRef<Value> tokens, Value block,
                                         const Ranks &ranks, Value packed) {
  ImplicitLocOpBuilder &builder = e.getBuilder();
  builder.setLoc(numerics.getFmaLoc());
  SmallVector<Value> zeros(tokens.size() * kUnroll, e.zero());
  SmallVector<Value> sums =
      e.loop(ranks.begin, ranks.end, 1, zeros, [&](Value rank, ValueRange in) {
        SmallVector<Value> sums(in), weights;
        Value packedRank = e.sub(rank, ranks.begin);
        for (int64_t j = 0; j < kUnroll; ++j)
          weights.push_back(
              e.load(packed, {block, packedRank, e.index(j * e.getLanes())}));
        for (auto [t, token] : llvm::enumerate(tokens)) {
          Value h = e.broadcast(e.loadScalar(code.h, {slice, token, rank}));
          for (int64_t j = 0; j < kUnroll; ++j) {
            Value &sum = sums[t * kUnroll + j];
            sum = e.fma(h, weights[j], sum);
          }
        }
        return sums;
      });
  builder.setLoc(numerics.getStrictLoc());
  return sums;
}

/// Rounds sums and stores them; `numLeft` is null in a full block.
void ExpandSlice::emitResults(ArrayRef<Value> tokens, ArrayRef<Value> sums,
                              Value column, Value numLeft, Value coefficient) {
  Value factor = coefficient ? e.broadcast(coefficient) : Value();
  Type outType = cast<MemRefType>(code.out.getType()).getElementType();
  Type weightType = cast<MemRefType>(b.getType()).getElementType();
  for (int64_t j = 0; j < kUnroll; ++j) {
    Value first = e.add(e.add(columnOffset, column), j * e.getLanes());
    Value count;
    if (numLeft) {
      Value begin = e.index(j * e.getLanes());
      count = e.min(e.sub(e.max(numLeft, begin), begin), e.index(e.getLanes()));
    }
    // All loads come before the stores, for the sake of repeated tokens.
    SmallVector<Value> results;
    for (auto [t, token] : llvm::enumerate(tokens)) {
      Value previous = code.accumulate
                           ? e.loadElements(code.out, {token, first}, count)
                           : Value();
      results.push_back(numerics.loraResult(sums[t * kUnroll + j], factor,
                                            previous, code.rounding, weightType,
                                            outType));
    }
    for (auto [token, result] : llvm::zip(tokens, results))
      e.store(result, code.out, {token, first}, count);
  }
}

/// Fetches a block of a row of the destination early: the rows of a run may lie
/// anywhere, where the hardware does not foresee them.
void ExpandSlice::emitPrefetch(Value token, Value column) {
  constexpr int64_t kLineBits = 512;
  int64_t elements =
      kLineBits / cast<MemRefType>(code.out.getType()).getElementTypeBitWidth();
  for (int64_t i = 0; i < getBlockColumns(); i += elements)
    memref::PrefetchOp::create(
        e.getBuilder(), code.out,
        ValueRange{token, e.add(e.add(columnOffset, column), i)},
        /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
}

/// `next` are the tokens that come after these.
void ExpandSlice::emitBlock(ArrayRef<Value> tokens, ArrayRef<Value> next,
                            Value tile, Value column, Value block,
                            Value numLeft, const Ranks &ranks,
                            Value coefficient, Value packed, Value partial) {
  ImplicitLocOpBuilder &builder = e.getBuilder();
  size_t numSums = tokens.size() * kUnroll;
  auto place = [&](size_t sum) {
    return SmallVector<Value>{e.add(tile, sum / kUnroll), block,
                              e.index(sum % kUnroll * e.getLanes())};
  };
  for (Value token : next)
    emitPrefetch(token, column);
  SmallVector<Value> sums = emitSums(tokens, block, ranks, packed);
  auto total = scf::IfOp::create(
      builder, SmallVector<Type>(numSums, e.getVectorType()), ranks.isFirst,
      /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(total.thenBlock());
    scf::YieldOp::create(builder, sums);
    builder.setInsertionPointToStart(total.elseBlock());
    for (size_t i = 0; i < numSums; ++i)
      sums[i] = arith::AddFOp::create(builder, numerics.getFmaLoc(),
                                      e.load(partial, place(i)), sums[i]);
    scf::YieldOp::create(builder, sums);
  }
  sums = total.getResults();
  e.ifThenElse(
      ranks.isLast,
      [&] { emitResults(tokens, sums, column, numLeft, coefficient); },
      [&] {
        for (size_t i = 0; i < numSums; ++i)
          e.store(sums[i], partial, place(i));
      });
}

/// Multiplies the buffer by a tile of tokens, whose place in the task is
/// `tile`.
void ExpandSlice::emitTile(ArrayRef<Value> tokens, ArrayRef<Value> next,
                           Value tile, Value begin, Value end,
                           const Ranks &ranks, Value coefficient, Value packed,
                           Value partial) {
  int64_t size = getBlockColumns();
  Value fullEnd = e.add(begin, e.roundDown(e.sub(end, begin), size));
  auto getBlock = [&](Value column) {
    return e.div(e.sub(column, begin), e.index(size));
  };
  e.loop(begin, fullEnd, size, [&](Value column) {
    emitBlock(tokens, next, tile, column, getBlock(column), Value(), ranks,
              coefficient, packed, partial);
  });
  e.ifThen(e.less(fullEnd, end), [&] {
    emitBlock(tokens, next, tile, fullEnd, getBlock(fullEnd),
              e.sub(end, fullEnd), ranks, coefficient, packed, partial);
  });
}

void ExpandSlice::emitTask(const LoraTokens &tokens, Value positionBegin,
                           Value positionEnd, Value begin, Value packed,
                           Value partial) {
  Value end = e.min(e.add(begin, kTaskColumns), numColumns);
  Value maxRank = e.dim(b, 2);
  tokens.forEachRun(
      positionBegin, positionEnd,
      [&](Value runBegin, Value runEnd, Value adapter) {
        Value coefficient =
            code.isScaled ? code.adapters.getCoefficient(e, numerics, adapter)
                          : Value();
        Value rank = code.adapters.getRank(e, slice, adapter, maxRank);
        // One round even at rank 0: results are rounded and stored all the
        // same.
        Value rankEnd = e.max(rank, e.index(1));
        e.loop(e.index(0), rankEnd, kBufferRanks, [&](Value rankBegin) {
          Value next = e.add(rankBegin, kBufferRanks);
          Ranks ranks{
              rankBegin, e.min(next, rank),
              e.compare(arith::CmpIPredicate::eq, rankBegin, e.index(0)),
              e.compare(arith::CmpIPredicate::uge, next, rankEnd)};
          emitPacking(adapter, begin, end, ranks, packed);
          tokens.forEachTile(
              runBegin, runEnd, [&](Value position, ArrayRef<Value> tile) {
                SmallVector<Value> next;
                if (tile.size() > 1)
                  next = tokens.getTile(e.add(position, LoraTokens::kTile),
                                        runEnd);
                emitTile(tile, next, e.sub(position, positionBegin), begin, end,
                         ranks, coefficient, packed, partial);
              });
        });
      });
}

void frit::emitVectorCode(const LoraExpandCode &code, VectorEmitter &e,
                          NumericsBuilder &numerics, const LoraTokens &tokens) {
  // Tasks are numbered slice by slice for each block of positions.
  SmallVector<Value> columnOffsets, taskOffsets;
  Value column = e.index(code.offset), columnTasks = e.index(0);
  for (Value weights : code.b) {
    columnOffsets.push_back(column);
    taskOffsets.push_back(columnTasks);
    Value numColumns = e.dim(weights, 1);
    column = e.add(column, numColumns);
    columnTasks = e.add(columnTasks, e.ceilDiv(numColumns, kTaskColumns));
  }
  Value positionTasks = e.ceilDiv(tokens.getCount(), kTaskPositions);
  Value divisor = e.max(columnTasks, e.index(1));
  int64_t blockColumns = kUnroll * e.getLanes();

  e.parallel(e.mul(positionTasks, columnTasks), [&](Value task) {
    Value begin = e.mul(e.div(task, divisor), kTaskPositions);
    Value end = e.min(e.add(begin, kTaskPositions), tokens.getCount());
    Value columnTask = e.rem(task, divisor);
    Value packed =
        e.stackBuffer({kTaskColumns / blockColumns, kBufferRanks, blockColumns},
                      e.getSumType());
    Value partial = e.stackBuffer({kTaskPositions + LoraTokens::kTile,
                                   kTaskColumns / blockColumns, blockColumns},
                                  e.getSumType());
    // The last slice that begins at or before the task.
    Value slice = e.index(0), weights = code.b.front(),
          taskOffset = taskOffsets[0], columnOffset = columnOffsets[0];
    for (size_t i = 1; i < code.b.size(); ++i) {
      Value isLater =
          e.compare(arith::CmpIPredicate::uge, columnTask, taskOffsets[i]);
      slice = e.select(isLater, e.index(i), slice);
      weights = e.select(isLater, code.b[i], weights);
      taskOffset = e.select(isLater, taskOffsets[i], taskOffset);
      columnOffset = e.select(isLater, columnOffsets[i], columnOffset);
    }
    ExpandSlice(e, numerics, code, slice, weights, columnOffset)
        .emitTask(tokens, begin, end,
                  e.mul(e.sub(columnTask, taskOffset), kTaskColumns), packed,
                  partial);
  });
}
