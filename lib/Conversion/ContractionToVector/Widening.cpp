//===- Widening.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars of 16 bits take several instructions to become a broadcast register;
// the left-hand side of many outer products is converted beforehand.
//
//===----------------------------------------------------------------------===//

#include "Widening.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

/// Elements that are worth a task.
static constexpr int64_t kTaskElements = 16384;

Value frit::emitWidened(VectorEmitter &e, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getElementType() == e.getSumType())
    return {};
  ImplicitLocOpBuilder &b = e.getBuilder();
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, b.getLoc(), memref);
  Value result = memref::AllocOp::create(b, sizes, e.getSumType());
  int64_t rank = type.getRank();
  Value numRows = e.index(1), length = e.dim(memref, rank - 1);
  for (int64_t i = 0; i + 1 < rank; ++i)
    numRows = e.mul(numRows, e.dim(memref, i));
  Value taskRows = e.div(e.index(kTaskElements), e.max(length, e.index(1)));
  taskRows = e.max(taskRows, e.index(1));
  Value tasks = e.div(e.add(numRows, e.sub(taskRows, e.index(1))), taskRows);
  bool isVector = type.isLastDimUnitStride();

  e.parallel(tasks, [&](Value task) {
    Value begin = e.mul(task, taskRows);
    Value end = e.min(e.add(begin, taskRows), numRows);
    e.loop(begin, end, 1, [&](Value row) {
      SmallVector<Value> indices(rank, e.index(0));
      for (int64_t i = rank - 2; i >= 0; --i) {
        Value size = e.dim(memref, i);
        indices[i] = e.rem(row, size);
        row = e.div(row, size);
      }
      Value fullEnd = isVector ? e.roundDown(length, e.getLanes()) : e.index(0);
      e.loop(e.index(0), fullEnd, e.getLanes(), [&](Value column) {
        indices[rank - 1] = column;
        e.store(e.load(memref, indices), result, indices);
      });
      e.loop(fullEnd, length, 1, [&](Value column) {
        indices[rank - 1] = column;
        memref::StoreOp::create(b, e.loadScalar(memref, indices), result,
                                indices);
      });
    });
  });
  return result;
}
