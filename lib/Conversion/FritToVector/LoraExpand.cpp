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

#include <algorithm>
#include <optional>

using namespace mlir;
using namespace mlir::frit;

/// What a parallel task covers, and how many ranks the buffer holds.
static constexpr int64_t kTaskPositions = 64;
static constexpr int64_t kTaskColumns = 256;
static constexpr int64_t kBufferRanks = 64;
/// Ranks that are transposed together, at least.
static constexpr int64_t kSmallestSquare = 4;
/// Columns of B, at most, whose addresses are one base and what is added to it.
static constexpr int64_t kViewRows = 8;
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
  void emitTransposed(Value source, Value adapter, Value begin, Value end,
                      const Ranks &ranks, Value rank, int64_t numRanks,
                      Value packed);
  Value emitNarrow(Value adapter, Value begin, Value end, const Ranks &ranks,
                   Value packed);
  void emitCopied(Value adapter, Value begin, Value columnBegin, Value end,
                  const Ranks &ranks, Value packed);
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

/// Transposes columns [begin, end) of `source`, B or a view of it, a multiple
/// of the lanes, for `numRanks` ranks from `rank` of the buffer on: squares
/// side by side.
void ExpandSlice::emitTransposed(Value source, Value adapter, Value begin,
                                 Value end, const Ranks &ranks, Value rank,
                                 int64_t numRanks, Value packed) {
  ImplicitLocOpBuilder &builder = e.getBuilder();
  int64_t lanes = e.getLanes(), viewRows = std::min(kViewRows, lanes);
  e.loop(begin, end, lanes, [&](Value column) {
    OpFoldResult one = builder.getIndexAttr(1);
    SmallVector<Value> views;
    for (int64_t first = 0; first < lanes; first += viewRows) {
      // It is `column + first`. LLVM does not see that, and so does not keep
      // the address of each row in a register, and these on the stack.
      Value row =
          e.min(e.add(column, first), e.sub(end, e.index(lanes - first)));
      views.push_back(memref::SubViewOp::create(
          builder, source,
          ArrayRef<OpFoldResult>{adapter, row, e.add(ranks.begin, rank)},
          ArrayRef<OpFoldResult>{one, builder.getIndexAttr(viewRows),
                                 builder.getIndexAttr(numRanks)},
          ArrayRef<OpFoldResult>{one, one, one}));
    }
    Value zero = e.index(0);
    SmallVector<Value> rows;
    for (int64_t i = 0; i < numRanks; ++i) {
      SmallVector<std::pair<Value, SmallVector<Value>>> pieces;
      for (int64_t row = i; row < lanes; row += numRanks)
        pieces.push_back(
            {views[row / viewRows], {zero, e.index(row % viewRows), zero}});
      rows.push_back(e.loadPieces(pieces));
    }
    e.transpose(rows);
    Place place = getPlace(column, begin, rank);
    for (auto [i, row] : llvm::enumerate(rows))
      e.store(row, packed, {place.block, e.add(place.rank, i), place.column});
  });
}

/// Fills the buffer with columns from `begin` on of a B with fewer ranks than
/// the smallest square and nothing between its rows; returns where it ends.
Value ExpandSlice::emitNarrow(Value adapter, Value begin, Value end,
                              const Ranks &ranks, Value packed) {
  ImplicitLocOpBuilder &builder = e.getBuilder();
  Value maxRank = e.dim(b, 2);
  if (std::optional<int64_t> known = getConstantIntValue(maxRank);
      known && *known >= kSmallestSquare)
    return begin;
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, b);
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  auto getView = [&](ArrayRef<OpFoldResult> inner,
                     ArrayRef<OpFoldResult> innerStrides) -> Value {
    SmallVector<OpFoldResult> sizes{getAsOpFoldResult(e.dim(b, 0))};
    SmallVector<OpFoldResult> viewStrides{strides[0]};
    llvm::append_range(sizes, inner);
    llvm::append_range(viewStrides, innerStrides);
    return memref::ReinterpretCastOp::create(
        builder, metadata.getBaseBuffer(), metadata.getConstifiedMixedOffset(),
        sizes, viewStrides);
  };
  auto is = [&](Value value, Value other) {
    return e.compare(arith::CmpIPredicate::eq, value, other);
  };
  Value isDense =
      is(getValueOrCreateConstantIndexOp(builder, builder.getLoc(), strides[1]),
         maxRank);
  // One rank is one row already. Of two or three, a square takes its last ranks
  // from the rows that follow, which the last column lacks; they are not read.
  Value isRow =
      builder.createOrFold<arith::AndIOp>(isDense, is(maxRank, e.index(1)));
  Value isOverlapping =
      builder.createOrFold<arith::AndIOp>(isDense, e.less(e.index(1), maxRank));
  isOverlapping = builder.createOrFold<arith::AndIOp>(
      isOverlapping, e.less(maxRank, e.index(kSmallestSquare)));
  Value numOverlapping = e.sub(e.max(numColumns, e.index(1)), e.index(1));
  Value limit = e.select(
      isRow, end, e.select(isOverlapping, e.min(end, numOverlapping), begin));
  Value size = e.sub(e.max(limit, begin), begin);
  Value done = e.add(begin, e.roundDown(size, e.getLanes()));

  OpFoldResult one = builder.getIndexAttr(1);
  e.ifThen(isRow, [&] {
    Value row = getView(getAsOpFoldResult(numColumns), one);
    e.loop(begin, done, e.getLanes(), [&](Value column) {
      Place place = getPlace(column, begin, e.index(0));
      e.store(e.load(row, {adapter, column}), packed,
              {place.block, place.rank, place.column});
    });
  });
  e.ifThen(isOverlapping, [&] {
    Value rows = getView({getAsOpFoldResult(numOverlapping),
                          builder.getIndexAttr(kSmallestSquare)},
                         {getAsOpFoldResult(maxRank), one});
    emitTransposed(rows, adapter, begin, done, ranks, e.index(0),
                   kSmallestSquare, packed);
  });
  return done;
}

/// Copies the columns [columnBegin, end) of B.
void ExpandSlice::emitCopied(Value adapter, Value begin, Value columnBegin,
                             Value end, const Ranks &ranks, Value packed) {
  e.loop(e.index(0), e.sub(ranks.end, ranks.begin), 1, [&](Value rank) {
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
/// as can be in squares of a register's length, and then in smaller ones. Each
/// size has loops of its own, so that addresses take few registers.
void ExpandSlice::emitPacking(Value adapter, Value begin, Value end,
                              const Ranks &ranks, Value packed) {
  int64_t lanes = e.getLanes();
  Value numRanks = e.sub(ranks.end, ranks.begin);
  Value fullEnd = e.add(begin, e.roundDown(e.sub(end, begin), lanes));
  auto emitSquares = [&](Value rank, int64_t square) {
    emitTransposed(b, adapter, begin, fullEnd, ranks, rank, square, packed);
  };
  // The last square may share ranks with the one before, or take some that are
  // not read. Where B has fewer ranks than a square there is none.
  Value hasSquare =
      e.less(e.add(ranks.begin, kSmallestSquare - 1), e.dim(b, 2));
  Value last = e.sub(e.max(numRanks, e.index(kSmallestSquare)),
                     e.index(kSmallestSquare));
  Value inSquares = e.select(hasSquare, numRanks, e.index(0));
  Value done = e.roundDown(inSquares, lanes);
  e.loop(e.index(0), done, lanes,
         [&](Value rank) { emitSquares(rank, lanes); });
  for (int64_t square = lanes / 2; square > kSmallestSquare; square /= 2) {
    Value next = e.roundDown(inSquares, square);
    e.ifThen(e.less(done, next), [&] { emitSquares(done, square); });
    done = next;
  }
  e.loop(done, inSquares, kSmallestSquare,
         [&](Value rank) { emitSquares(e.min(rank, last), kSmallestSquare); });
  Value packedEnd = e.select(hasSquare, fullEnd,
                             emitNarrow(adapter, begin, end, ranks, packed));
  emitCopied(adapter, begin, packedEnd, end, ranks, packed);
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

  // Of the largest task. Slices of several widths are cast to one type.
  std::optional<int64_t> products = 0;
  for (Value b : code.b) {
    if (auto castOp = b.getDefiningOp<memref::CastOp>())
      b = castOp.getSource();
    auto type = cast<ShapedType>(b.getType());
    std::optional<int64_t> own = addTaskProducts(
        0, kTaskPositions, std::min(kTaskColumns, type.getDimSize(1)),
        type.getDimSize(2));
    products = own && products ? std::max(own, products) : std::nullopt;
  }
  auto emitTask = [&](Value task) {
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
  };
  e.parallel(e.mul(positionTasks, columnTasks), emitTask, products);
}
