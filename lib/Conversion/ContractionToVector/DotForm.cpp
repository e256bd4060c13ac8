//===- DotForm.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions of two operands that are contiguous along k: tiles of dot
// products. A single row streams through the right-hand side once.
//
//===----------------------------------------------------------------------===//

#include "../Utils/DotProducts.h"
#include "Contraction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

/// What a parallel task covers, and the rows that are multiplied together.
static constexpr int64_t kTaskColumns = 32;
static constexpr int64_t kTaskRows = 64;
static constexpr int64_t kTileRows = 4;

/// One tile: the products of some rows and of columns from `column` on.
static void emitTile(VectorEmitter &e, const Contraction &c,
                     SmallVector<Value> loops, ArrayRef<Value> rows,
                     Value column, Value columnEnd) {
  int64_t numColumns = getNumDotColumns(e, rows.size());
  auto getRow = [&](const ContractionOperand &operand) {
    return VectorRow{operand.memref, operand.at(loops),
                     operand.map.getNumResults() - 1};
  };
  loops[c.k] = e.index(0);
  SmallVector<VectorRow> lhs, rhs;
  for (Value row : rows) {
    c.setRow(loops, row);
    lhs.push_back(getRow(c.lhs));
  }
  SmallVector<Value> columns;
  Value last = e.sub(columnEnd, e.index(1));
  for (int64_t j = 0; j < numColumns; ++j) {
    columns.push_back(e.min(e.add(column, j), last));
    loops[c.n] = columns.back();
    rhs.push_back(getRow(c.rhs));
  }
  SmallVector<Value> sums = emitDotProducts(e, lhs, rhs, c.getSize(e, c.k));

  // All loads come before the stores: rows and columns at the end repeat.
  ImplicitLocOpBuilder &b = e.getBuilder();
  SmallVector<SmallVector<Value>> places;
  for (Value row : rows)
    for (Value column : columns) {
      c.setRow(loops, row);
      loops[c.n] = column;
      places.push_back(c.out.at(loops));
    }
  for (auto [sum, place] : llvm::zip(sums, places))
    sum = arith::AddFOp::create(
        b, memref::LoadOp::create(b, c.out.memref, place), sum);
  for (auto [sum, place] : llvm::zip(sums, places))
    memref::StoreOp::create(b, sum, c.out.memref, place);
}

void frit::emitDotForm(VectorEmitter &e, const Contraction &c) {
  Value numRows = c.getSize(e, c.m), numColumns = c.getSize(e, c.n);
  Value rowTasks = e.ceilDiv(numRows, kTaskRows);
  Value columnTasks = e.ceilDiv(numColumns, kTaskColumns);
  Value tasks = e.mul(rowTasks, columnTasks);
  // No division by zero where there is no task.
  Value one = e.index(1);
  Value rowDivisor = e.max(rowTasks, one), divisor = e.max(tasks, one);
  e.parallel(e.mul(c.getNumOuter(e), tasks), [&](Value task) {
    SmallVector<Value> loops = c.getOuterLoops(e, e.div(task, divisor));
    Value inner = e.rem(task, divisor);
    Value begin = e.mul(e.div(inner, rowDivisor), kTaskColumns);
    Value end = e.min(e.add(begin, kTaskColumns), numColumns);
    Value rowBegin = e.mul(e.rem(inner, rowDivisor), kTaskRows);
    Value rowEnd = e.min(e.add(rowBegin, kTaskRows), numRows);
    Value last = e.sub(rowEnd, one);
    auto emitColumns = [&](ArrayRef<Value> rows) {
      e.loop(begin, end, getNumDotColumns(e, rows.size()),
             [&](Value column) { emitTile(e, c, loops, rows, column, end); });
    };
    e.loop(rowBegin, rowEnd, kTileRows, [&](Value row) {
      e.ifThenElse(
          e.compare(arith::CmpIPredicate::eq, row, last),
          [&] { emitColumns(row); },
          [&] {
            SmallVector<Value> rows;
            for (int64_t i = 0; i < kTileRows; ++i)
              rows.push_back(e.min(e.add(row, i), last));
            emitColumns(rows);
          });
    });
  });
}
