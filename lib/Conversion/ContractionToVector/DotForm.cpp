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

/// From so many left-hand rows of a task on, and so many bytes of a right-hand
/// one, k is taken in parts: the task's right-hand rows, which each tile reads,
/// do not stay in a near cache whole.
static constexpr int64_t kManyRows = 64;
static constexpr int64_t kLongRowBytes = 32768;

/// Adds the products of a tile's rows and columns to the output.
static void addTile(VectorEmitter &e, const Contraction &c,
                    SmallVector<Value> loops, ArrayRef<Value> rows,
                    ArrayRef<Value> columns, ArrayRef<Value> products) {
  ImplicitLocOpBuilder &b = e.getBuilder();
  SmallVector<SmallVector<Value>> places;
  for (Value row : rows)
    for (Value column : columns) {
      c.setRow(loops, row);
      loops[c.n] = column;
      places.push_back(c.out.at(loops));
    }
  SmallVector<Value> sums;
  for (auto [product, place] : llvm::zip(products, places))
    sums.push_back(arith::AddFOp::create(
        b, memref::LoadOp::create(b, c.out.memref, place), product));
  for (auto [sum, place] : llvm::zip(sums, places))
    memref::StoreOp::create(b, sum, c.out.memref, place);
}

void frit::emitDotForm(VectorEmitter &e, const Contraction &c) {
  Value numRows = c.getSize(e, c.m), numColumns = c.getSize(e, c.n);
  Value rowTasks = e.ceilDiv(numRows, kDotTaskLhsRows);
  Value columnTasks = e.ceilDiv(numColumns, kDotTaskRhsRows);
  Value tasks = e.mul(rowTasks, columnTasks);
  // No division by zero where there is no task.
  Value one = e.index(1);
  Value rowDivisor = e.max(rowTasks, one), divisor = e.max(tasks, one);
  e.parallel(e.mul(c.getNumOuter(e), tasks), [&](Value task) {
    SmallVector<Value> loops = c.getOuterLoops(e, e.div(task, divisor));
    Value inner = e.rem(task, divisor);
    Value begin = e.mul(e.div(inner, rowDivisor), kDotTaskRhsRows);
    Value end = e.min(e.add(begin, kDotTaskRhsRows), numColumns);
    Value rowBegin = e.mul(e.rem(inner, rowDivisor), kDotTaskLhsRows);
    Value rowEnd = e.min(e.add(rowBegin, kDotTaskLhsRows), numRows);
    loops[c.k] = e.index(0);
    auto getRow = [&](const ContractionOperand &operand) {
      return VectorRow{operand.memref, operand.at(loops),
                       operand.map.getNumResults() - 1};
    };
    auto getLhs = [&](Value row) {
      c.setRow(loops, row);
      return getRow(c.lhs);
    };
    auto getRhs = [&](Value column) {
      loops[c.n] = column;
      return getRow(c.rhs);
    };
    auto add = [&](ArrayRef<Value> rows, ArrayRef<Value> columns,
                   ArrayRef<Value> products) {
      addTile(e, c, loops, rows, columns, products);
    };
    RowRange rowRange{rowBegin, rowEnd}, columnRange{begin, end};
    Value length = c.getSize(e, c.k);
    int64_t longRow =
        8 * kLongRowBytes / c.rhs.getElementType().getIntOrFloatBitWidth();
    auto isAtLeast = [&](Value value, int64_t least) {
      return e.compare(arith::CmpIPredicate::uge, value, e.index(least));
    };
    Value inParts = arith::AndIOp::create(
        e.getBuilder(), isAtLeast(e.sub(rowEnd, rowBegin), kManyRows),
        isAtLeast(length, longRow));
    e.ifThenElse(
        inParts,
        [&] {
          emitBlockedDotTiles(e, rowRange, columnRange, length, getLhs, getRhs,
                              add);
        },
        [&] {
          emitDotTiles(e, rowRange, columnRange, length, getLhs, getRhs, add);
        });
  });
}
