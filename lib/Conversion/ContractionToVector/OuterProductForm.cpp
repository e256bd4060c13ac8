//===- OuterProductForm.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions whose right-hand side is contiguous along n. Each output element
// is the sum, over blocks of k, of one chain of FMAs a block: the same bits for
// any number of rows.
//
// Few rows: the time is that of reading the right-hand side, which is streamed
// through in wide strips of a few k. Many rows: a block of it is widened into a
// buffer that serves all rows, in the order in which the innermost loop reads
// it.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "Widening.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

/// The length of a chain of FMAs.
static constexpr int64_t kChain = 128;
/// Rows of a tile. With the registers of columns below and one for the
/// left-hand side it fills the registers of the vector set.
static constexpr int64_t kTileRows = 6;
/// How many k ahead of a block's widening the right-hand side is prefetched:
/// its rows are short pieces, one to a page, that the hardware does not
/// foresee.
static constexpr int64_t kPrefetchDistance = 12;
/// Columns of a strip.
static constexpr int64_t kStripColumns = 1024;
/// What a parallel task of the form for many rows covers.
static constexpr int64_t kTaskColumns = 256;
static constexpr int64_t kTaskRows = 256;

namespace {
class OuterProductForm {
public:
  OuterProductForm(VectorEmitter &e, const Contraction &c)
      : e(e), c(c), numRows(c.getSize(e, c.m)), numColumns(c.getSize(e, c.n)),
        length(c.getSize(e, c.k)) {}

  /// For `numTileRows` rows or fewer.
  void emitFewRows(int64_t numTileRows);
  void emitManyRows();

private:
  int64_t getTileRegisters() const { return e.getLanes() >= 16 ? 4 : 2; }
  int64_t getTileColumns() const { return getTileRegisters() * e.getLanes(); }

  SmallVector<Value> getRows(Value begin, Value end, int64_t count);
  Value loadLhs(SmallVector<Value> loops, Value row, Value k);
  void
  forEachRegister(Value begin, Value end,
                  llvm::function_ref<void(Value column, Value count)> body);
  void addToOutput(const SmallVector<Value> &loops, ArrayRef<Value> rows,
                   Value column, ArrayRef<Value> sums, Value count);

  void emitStrip(const SmallVector<Value> &loops, ArrayRef<Value> rows,
                 Value begin, Value end, Value k, int64_t depth, Value partial);
  void emitPacking(SmallVector<Value> loops, Value begin, Value end, Value k,
                   Value kEnd, Value packed);
  void emitTile(const SmallVector<Value> &loops, ArrayRef<Value> rows,
                Value block, Value column, Value numLeft, Value k, Value kEnd,
                Value packed);

  VectorEmitter &e;
  const Contraction &c;
  Value numRows, numColumns, length;
};
} // namespace

/// `count` rows from `begin` on; beyond `end` the last one is repeated.
SmallVector<Value> OuterProductForm::getRows(Value begin, Value end,
                                             int64_t count) {
  SmallVector<Value> rows;
  Value last = e.sub(end, e.index(1));
  for (int64_t i = 0; i < count; ++i)
    rows.push_back(e.min(e.add(begin, i), last));
  return rows;
}

Value OuterProductForm::loadLhs(SmallVector<Value> loops, Value row, Value k) {
  c.setRow(loops, row);
  loops[c.k] = k;
  return e.broadcast(e.loadScalar(c.lhs.memref, c.lhs.at(loops)));
}

/// Calls `body` for each register of the columns [begin, end); `count` is null
/// in a full one.
void OuterProductForm::forEachRegister(
    Value begin, Value end,
    llvm::function_ref<void(Value column, Value count)> body) {
  Value fullEnd = e.add(begin, e.roundDown(e.sub(end, begin), e.getLanes()));
  e.loop(begin, fullEnd, e.getLanes(),
         [&](Value column) { body(column, Value()); });
  e.ifThen(e.less(fullEnd, end), [&] { body(fullEnd, e.sub(end, fullEnd)); });
}

/// Adds a register of each row to the output. All loads come before the stores,
/// for the sake of repeated rows.
void OuterProductForm::addToOutput(const SmallVector<Value> &loops,
                                   ArrayRef<Value> rows, Value column,
                                   ArrayRef<Value> sums, Value count) {
  SmallVector<SmallVector<Value>> places;
  SmallVector<Value> results;
  for (auto [row, sum] : llvm::zip(rows, sums)) {
    SmallVector<Value> point = loops;
    c.setRow(point, row);
    point[c.n] = column;
    places.push_back(c.out.at(point));
    results.push_back(arith::AddFOp::create(
        e.getBuilder(), e.load(c.out.memref, places.back(), count), sum));
  }
  for (auto [place, result] : llvm::zip(places, results))
    e.store(result, c.out.memref, place, count);
}

//===----------------------------------------------------------------------===//
// Few rows
//===----------------------------------------------------------------------===//

/// Adds the products of `depth` values of k to the partial sums of a strip.
void OuterProductForm::emitStrip(const SmallVector<Value> &loops,
                                 ArrayRef<Value> rows, Value begin, Value end,
                                 Value k, int64_t depth, Value partial) {
  SmallVector<SmallVector<Value>> lhs(depth);
  for (int64_t i = 0; i < depth; ++i)
    for (Value row : rows)
      lhs[i].push_back(loadLhs(loops, row, e.add(k, i)));
  forEachRegister(begin, end, [&](Value column, Value count) {
    Value place = e.sub(column, begin);
    SmallVector<Value> sums;
    for (size_t row = 0; row < rows.size(); ++row)
      sums.push_back(e.load(partial, {e.index(row), place}));
    SmallVector<Value> point = loops;
    point[c.n] = column;
    for (int64_t i = 0; i < depth; ++i) {
      point[c.k] = e.add(k, i);
      Value rhs = e.load(c.rhs.memref, c.rhs.at(point), count);
      for (auto [row, sum] : llvm::enumerate(sums))
        sum = e.fma(lhs[i][row], rhs, sum);
    }
    for (auto [row, sum] : llvm::enumerate(sums))
      e.store(sum, partial, {e.index(row), place});
  });
}

void OuterProductForm::emitFewRows(int64_t numTileRows) {
  int64_t depth = numTileRows == 1 ? 8 : 4;
  Value columnTasks = e.ceilDiv(numColumns, kStripColumns);
  Value divisor = e.max(columnTasks, e.index(1));
  // None where there is no row at all.
  Value tasks = e.mul(columnTasks, e.min(numRows, e.index(1)));
  e.parallel(e.mul(c.getNumOuter(e), tasks), [&](Value task) {
    SmallVector<Value> loops = c.getOuterLoops(e, e.div(task, divisor));
    Value begin = e.mul(e.rem(task, divisor), kStripColumns);
    Value end = e.min(e.add(begin, kStripColumns), numColumns);
    SmallVector<Value> rows = getRows(e.index(0), numRows, numTileRows);
    Value partial = e.stackBuffer({numTileRows, kStripColumns}, e.getSumType());
    e.loop(e.index(0), length, kChain, [&](Value k) {
      Value kEnd = e.min(e.add(k, kChain), length);
      Value fullEnd = e.add(k, e.roundDown(e.sub(kEnd, k), depth));
      for (int64_t row = 0; row < numTileRows; ++row)
        e.loop(e.index(0), e.index(kStripColumns), e.getLanes(),
               [&](Value place) {
                 e.store(e.zero(), partial, {e.index(row), place});
               });
      e.loop(k, fullEnd, depth, [&](Value k) {
        emitStrip(loops, rows, begin, end, k, depth, partial);
      });
      e.loop(fullEnd, kEnd, 1, [&](Value k) {
        emitStrip(loops, rows, begin, end, k, 1, partial);
      });
      forEachRegister(begin, end, [&](Value column, Value count) {
        SmallVector<Value> sums;
        for (int64_t row = 0; row < numTileRows; ++row)
          sums.push_back(e.load(partial, {e.index(row), e.sub(column, begin)}));
        addToOutput(loops, rows, column, sums, count);
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Many rows
//===----------------------------------------------------------------------===//

/// Widens the columns [begin, end) for k up to `kEnd` into the buffer.
void OuterProductForm::emitPacking(SmallVector<Value> loops, Value begin,
                                   Value end, Value k, Value kEnd,
                                   Value packed) {
  Value size = e.index(getTileColumns());
  e.loop(k, kEnd, 1, [&](Value step) {
    forEachRegister(begin, end, [&](Value column, Value count) {
      loops[c.n] = column;
      loops[c.k] =
          e.min(e.add(step, kPrefetchDistance), e.sub(length, e.index(1)));
      memref::PrefetchOp::create(e.getBuilder(), c.rhs.memref, c.rhs.at(loops),
                                 /*isWrite=*/false,
                                 /*localityHint=*/3, /*isDataCache=*/true);
      loops[c.k] = step;
      Value distance = e.sub(column, begin);
      e.store(e.load(c.rhs.memref, c.rhs.at(loops), count), packed,
              {e.div(distance, size), e.sub(step, k), e.rem(distance, size)});
    });
  });
}

/// Multiplies some rows by one block of the buffer; `numLeft` is null where all
/// its columns exist.
void OuterProductForm::emitTile(const SmallVector<Value> &loops,
                                ArrayRef<Value> rows, Value block, Value column,
                                Value numLeft, Value k, Value kEnd,
                                Value packed) {
  int64_t numRegisters = getTileRegisters();
  SmallVector<Value> sums(rows.size() * numRegisters, e.zero());
  sums = e.loop(k, kEnd, 1, sums, [&](Value step, ValueRange in) {
    SmallVector<Value> sums(in), rhs;
    for (int64_t j = 0; j < numRegisters; ++j)
      rhs.push_back(
          e.load(packed, {block, e.sub(step, k), e.index(j * e.getLanes())}));
    for (auto [i, row] : llvm::enumerate(rows)) {
      Value lhs = loadLhs(loops, row, step);
      for (int64_t j = 0; j < numRegisters; ++j) {
        Value &sum = sums[i * numRegisters + j];
        sum = e.fma(lhs, rhs[j], sum);
      }
    }
    return sums;
  });
  for (int64_t j = 0; j < numRegisters; ++j) {
    SmallVector<Value> registers;
    for (size_t i = 0; i < rows.size(); ++i)
      registers.push_back(sums[i * numRegisters + j]);
    Value offset = e.index(j * e.getLanes()), count;
    if (numLeft)
      count =
          e.min(e.sub(e.max(numLeft, offset), offset), e.index(e.getLanes()));
    addToOutput(loops, rows, e.add(column, offset), registers, count);
  }
}

void OuterProductForm::emitManyRows() {
  int64_t tileColumns = getTileColumns();
  Value rowTasks = e.ceilDiv(numRows, kTaskRows);
  Value columnTasks = e.ceilDiv(numColumns, kTaskColumns);
  Value tasks = e.mul(rowTasks, columnTasks);
  Value rowDivisor = e.max(rowTasks, e.index(1));
  Value divisor = e.max(tasks, e.index(1));
  e.parallel(e.mul(c.getNumOuter(e), tasks), [&](Value task) {
    SmallVector<Value> loops = c.getOuterLoops(e, e.div(task, divisor));
    Value inner = e.rem(task, divisor);
    Value begin = e.mul(e.div(inner, rowDivisor), kTaskColumns);
    Value end = e.min(e.add(begin, kTaskColumns), numColumns);
    Value fullEnd = e.add(begin, e.roundDown(e.sub(end, begin), tileColumns));
    Value rowBegin = e.mul(e.rem(inner, rowDivisor), kTaskRows);
    Value rowEnd = e.min(e.add(rowBegin, kTaskRows), numRows);
    Value packed =
        e.stackBuffer({llvm::divideCeilSigned(kTaskColumns, tileColumns),
                       kChain, tileColumns},
                      e.getSumType());
    e.loop(e.index(0), length, kChain, [&](Value k) {
      Value kEnd = e.min(e.add(k, kChain), length);
      emitPacking(loops, begin, end, k, kEnd, packed);
      auto emitTiles = [&](Value column, Value numLeft) {
        Value block = e.div(e.sub(column, begin), e.index(tileColumns));
        e.loop(rowBegin, rowEnd, kTileRows, [&](Value row) {
          emitTile(loops, getRows(row, rowEnd, kTileRows), block, column,
                   numLeft, k, kEnd, packed);
        });
      };
      e.loop(begin, fullEnd, tileColumns,
             [&](Value column) { emitTiles(column, Value()); });
      e.ifThen(e.less(fullEnd, end),
               [&] { emitTiles(fullEnd, e.sub(end, fullEnd)); });
    });
  });
}

void frit::emitOuterProductForm(VectorEmitter &e, const Contraction &c) {
  Contraction widened = c;
  Value scratch = emitWidened(e, c.lhs.memref);
  if (scratch)
    widened.lhs.memref = scratch;
  OuterProductForm form(e, widened);
  Value numRows = c.getSize(e, c.m);
  if (c.m < 0) {
    form.emitFewRows(1);
  } else {
    e.ifThenElse(
        e.less(numRows, e.index(2)), [&] { form.emitFewRows(1); },
        [&] {
          e.ifThenElse(
              e.less(numRows, e.index(kTileRows + 1)),
              [&] { form.emitFewRows(kTileRows); },
              [&] { form.emitManyRows(); });
        });
  }
  if (scratch)
    memref::DeallocOp::create(e.getBuilder(), scratch);
}
