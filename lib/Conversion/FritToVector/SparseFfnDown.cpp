//===- SparseFfnDown.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over the active columns. Where the weights of a column are contiguous,
// only those of active columns are read, a block of outputs at a time; where
// they are not, whole rows are.
//
//===----------------------------------------------------------------------===//

#include "SparseFfnCode.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

/// Registers of sums in a block of outputs; blocks of a parallel task.
static constexpr int64_t kBlockRegisters = 8;
static constexpr int64_t kTaskBlocks = 4;
/// How many active columns ahead weights are fetched. They lie anywhere, where
/// the hardware does not foresee them.
static constexpr int64_t kPrefetchDistance = 4;

/// Steps of a register over columns that are added up by one chain, and rows
/// that are multiplied together.
static constexpr int64_t kChain = 32;
static constexpr int64_t kRowsTogether = 4;

static Value isNotZero(ImplicitLocOpBuilder &b, Value value) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value, zero);
}

//===----------------------------------------------------------------------===//
// Weights contiguous along columns
//===----------------------------------------------------------------------===//

SmallVector<Value> frit::emitActiveDots(const SparseFfnEmitter &f,
                                        const VectorRow &activation,
                                        ArrayRef<VectorRow> rows,
                                        Value columns) {
  VectorEmitter &e = f.e;
  ImplicitLocOpBuilder &b = e.getBuilder();
  b.setLoc(f.numerics.getFmaLoc());
  int64_t lanes = e.getLanes();
  SmallVector<Value> zeros(rows.size(), e.zero());
  auto addStep = [&](Value column, Value count, ValueRange in) {
    Value y = e.load(activation.memref, activation.at(e, column), count);
    Value isActive = isNotZero(b, y);
    SmallVector<Value> sums;
    for (auto [row, sum] : llvm::zip(rows, in)) {
      Value weight = e.load(row.memref, row.at(e, column), count);
      weight = arith::SelectOp::create(b, isActive, weight, e.zero());
      sums.push_back(e.fma(y, weight, sum));
    }
    return sums;
  };
  auto addUp = [&](ValueRange sums, ValueRange more) {
    SmallVector<Value> result;
    for (auto [sum, term] : llvm::zip(sums, more))
      result.push_back(arith::AddFOp::create(b, sum, term));
    return result;
  };
  Value fullEnd = e.roundDown(columns, lanes);
  SmallVector<Value> sums =
      e.loop(e.index(0), fullEnd, kChain * lanes, zeros,
             [&](Value begin, ValueRange sums) {
               Value end = e.min(e.add(begin, kChain * lanes), fullEnd);
               return addUp(sums, e.loop(begin, end, lanes, zeros,
                                         [&](Value column, ValueRange in) {
                                           return addStep(column, Value(), in);
                                         }));
             });
  sums =
      addUp(sums, e.loop(fullEnd, columns, lanes, zeros,
                         [&](Value column, ValueRange in) {
                           return addStep(column, e.sub(columns, column), in);
                         }));
  for (Value &sum : sums)
    sum = e.horizontalSum(sum);
  b.setLoc(f.numerics.getStrictLoc());
  return sums;
}

static void emitDownOfRows(const SparseFfnEmitter &f, Value activation,
                           Value down, Value out) {
  VectorEmitter &e = f.e;
  ImplicitLocOpBuilder &b = e.getBuilder();
  Value width = e.dim(out, 1), columns = e.dim(activation, 1);
  Value tasks = e.ceilDiv(width, kDotTaskRhsRows);
  e.parallel(tasks, [&](Value task) {
    Value begin = e.mul(task, kDotTaskRhsRows);
    Value end = e.min(e.add(begin, kDotTaskRhsRows), width);
    Value last = e.sub(end, e.index(1));
    e.loop(e.index(0), e.dim(out, 0), 1, [&](Value token) {
      e.loop(begin, end, kRowsTogether, [&](Value first) {
        SmallVector<Value> places;
        SmallVector<VectorRow> rows;
        for (int64_t i = 0; i < kRowsTogether; ++i) {
          places.push_back(e.min(e.add(first, i), last));
          rows.push_back({down, {places.back(), e.index(0)}, 1});
        }
        SmallVector<Value> sums = emitActiveDots(
            f, {activation, {token, e.index(0)}, 1}, rows, columns);
        for (auto [place, sum] : llvm::zip(places, sums))
          memref::StoreOp::create(b,
                                  f.numerics.truncate(sum, f.getElementType()),
                                  out, ValueRange{token, place});
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Weights contiguous along outputs
//===----------------------------------------------------------------------===//

namespace {
/// A block of adjacent outputs of one token.
class OutputBlock {
public:
  /// `count` is null where all of the block's `numRegisters` are full; else
  /// there is one register, of so many outputs.
  OutputBlock(const SparseFfnEmitter &f, Value activation, Value down,
              const ActiveColumns &active, Value first, int64_t numRegisters,
              Value count)
      : f(f), e(f.e), b(e.getBuilder()), activation(activation), down(down),
        active(active), first(first), numRegisters(numRegisters), count(count) {
  }

  void emit(Value token, Value out) {
    SmallVector<Value> zeros(numRegisters, e.zero());
    Value numRanges = e.ceilDiv(e.dim(activation, 1), ActiveColumns::kRange);
    b.setLoc(f.numerics.getFmaLoc());
    SmallVector<Value> sums = e.loop(
        e.index(0), numRanges, 1, zeros, [&](Value range, ValueRange in) {
          Value begin = e.loadIndex(active.starts, range);
          Value end = e.loadIndex(active.starts, e.add(range, 1));
          SmallVector<Value> more =
              e.loop(begin, end, 1, zeros, [&](Value position, ValueRange in) {
                return emitColumn(token, position, in);
              });
          SmallVector<Value> sums;
          for (auto [sum, term] : llvm::zip(in, more))
            sums.push_back(arith::AddFOp::create(b, sum, term));
          return sums;
        });
    b.setLoc(f.numerics.getStrictLoc());
    for (int64_t i = 0; i < numRegisters; ++i)
      e.store(f.numerics.truncate(sums[i], f.getElementType()), out,
              {token, e.add(first, i * e.getLanes())}, count);
  }

private:
  /// Adds the products of one active column, whose y may be zero all the same.
  SmallVector<Value> emitColumn(Value token, Value position, ValueRange in) {
    Value column = e.loadIndex(active.list, position);
    emitPrefetch(position);
    Value y = e.loadScalar(activation, {token, column});
    auto branch = scf::IfOp::create(b, in.getTypes(), isNotZero(b, y),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    Value factor = e.broadcast(y);
    SmallVector<Value> sums;
    for (int64_t i = 0; i < numRegisters; ++i) {
      Value weight =
          e.load(down, {column, e.add(first, i * e.getLanes())}, count);
      sums.push_back(e.fma(factor, weight, in[i]));
    }
    scf::YieldOp::create(b, sums);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, in);
    return SmallVector<Value>(branch.getResults());
  }

  void emitPrefetch(Value position) {
    constexpr int64_t kLineBits = 512;
    Value last = e.sub(active.getCount(e), e.index(1));
    Value column = e.loadIndex(active.list,
                               e.min(e.add(position, kPrefetchDistance), last));
    int64_t lineElements =
        kLineBits / f.getElementType().getIntOrFloatBitWidth();
    for (int64_t i = 0; i < numRegisters * e.getLanes(); i += lineElements)
      memref::PrefetchOp::create(b, down, ValueRange{column, e.add(first, i)},
                                 /*isWrite=*/false, /*localityHint=*/3,
                                 /*isDataCache=*/true);
  }

  const SparseFfnEmitter &f;
  VectorEmitter &e;
  ImplicitLocOpBuilder &b;
  Value activation, down;
  ActiveColumns active;
  Value first;
  int64_t numRegisters;
  Value count;
};
} // namespace

static void emitDownOfColumns(const SparseFfnEmitter &f, Value activation,
                              Value down, const ActiveColumns &active,
                              Value out) {
  VectorEmitter &e = f.e;
  int64_t lanes = e.getLanes(), blockSize = kBlockRegisters * lanes;
  int64_t taskSize = kTaskBlocks * blockSize;
  Value width = e.dim(out, 1);
  e.parallel(e.ceilDiv(width, taskSize), [&](Value task) {
    Value begin = e.mul(task, taskSize);
    Value end = e.min(e.add(begin, taskSize), width);
    // Tokens share weights: those of one block stay in a cache.
    auto emitBlock = [&](Value first, int64_t numRegisters, Value count) {
      e.loop(e.index(0), e.dim(out, 0), 1, [&](Value token) {
        OutputBlock(f, activation, down, active.ofToken(e, token), first,
                    numRegisters, count)
            .emit(token, out);
      });
    };
    Value size = e.sub(end, begin);
    Value blocksEnd = e.add(begin, e.roundDown(size, blockSize));
    Value fullEnd = e.add(begin, e.roundDown(size, lanes));
    e.loop(begin, blocksEnd, blockSize,
           [&](Value first) { emitBlock(first, kBlockRegisters, Value()); });
    e.loop(blocksEnd, fullEnd, lanes,
           [&](Value first) { emitBlock(first, 1, Value()); });
    e.ifThen(e.less(fullEnd, end),
             [&] { emitBlock(fullEnd, 1, e.sub(end, fullEnd)); });
  });
}

void frit::emitDown(const SparseFfnEmitter &f, Value activation,
                    const ActiveColumns &active, Value out) {
  SparseFfnOp op = f.op;
  Value down = withUnitInnerStride(f.getBuilder(), op.getDown());
  if (op.getDownLayout() == DownLayout::Dh)
    emitDownOfColumns(f, activation, down, active, out);
  else
    emitDownOfRows(f, activation, down, out);
}
