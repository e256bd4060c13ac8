//===- RowKernel.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a thread's loads, stores and sums.
//
//===----------------------------------------------------------------------===//

#include "RowKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::frit {

RowKernel::RowKernel(NumericsBuilder &numerics, ImplicitLocOpBuilder &builder,
                     const TeamShape &shape, bool isWide, Value columns,
                     Value thread, Type elementType)
    : numerics(numerics), builder(builder), emit(builder, shape.pieceColumns),
      shape(shape), isWide(isWide), elementType(elementType), columns(columns),
      thread(thread),
      pieces(emit.div(columns, emit.index(shape.pieceColumns))) {}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

RowKernel::Batch RowKernel::buildBatch(Value first) {
  Batch batch;
  std::optional<int64_t> numPieces = getConstantIntValue(pieces);
  std::optional<int64_t> begin = getConstantIntValue(first);
  int64_t batchPieces = shape.batch * shape.teamSize;
  Value last = emit.sub(pieces, emit.index(1));
  for (int64_t i = 0; i < shape.batch; ++i) {
    Value piece = emit.add(emit.add(first, i * shape.teamSize), thread);
    bool isFull = numPieces && *numPieces % batchPieces == 0;
    if (numPieces && begin)
      isFull |= *begin + (i + 1) * shape.teamSize <= *numPieces;
    Value isInside;
    if (!isFull) {
      // What is outside is loaded from the last piece: no branch.
      isInside = emit.less(piece, pieces);
      piece = emit.min(piece, last);
    }
    batch.columns.push_back(emit.mul(piece, shape.pieceColumns));
    batch.isInside.push_back(isInside);
  }
  return batch;
}

SmallVector<Value> RowKernel::load(Value row, const Batch &batch) {
  SmallVector<Value> &values = held[row];
  if (shape.holdsRow && !values.empty())
    return values;
  return values = llvm::map_to_vector(batch.columns, [&](Value column) {
           return loadPiece(emit, row, column, shape.pieceColumns, isWide);
         });
}

void RowKernel::store(Value row, const Batch &batch, ValueRange values) {
  for (auto [column, isInside, value] :
       llvm::zip_equal(batch.columns, batch.isInside, values)) {
    if (isInside)
      emit.ifThen(isInside, [&, column = column, value = value] {
        storePiece(emit, value, row, column, isWide);
      });
    else
      storePiece(emit, value, row, column, isWide);
  }
}

SmallVector<Value> RowKernel::forBatches(
    ValueRange inits,
    llvm::function_ref<SmallVector<Value>(const Batch &, ValueRange)> body) {
  if (getConstantIntValue(pieces) == 0)
    return inits;
  if (shape.holdsRow)
    return body(buildBatch(emit.index(0)), inits);
  return emit.loop(emit.index(0), pieces, shape.batch * shape.teamSize, inits,
                   [&](Value first, ValueRange values) {
                     return body(buildBatch(first), values);
                   });
}

bool RowKernel::hasRest() const {
  std::optional<int64_t> size = getConstantIntValue(columns);
  return !size || *size % shape.pieceColumns != 0;
}

std::pair<Value, Value> RowKernel::buildRest() {
  Value begin = emit.mul(pieces, shape.pieceColumns);
  Value column = emit.add(begin, thread);
  return {emit.less(column, columns), column};
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Value RowKernel::sumBatch(ValueRange loaded, const Batch &batch,
                          Terms accumulate) {
  constexpr size_t numChains = 2;
  auto type = VectorType::get(shape.pieceColumns, builder.getF32Type());
  SmallVector<Value> chains(std::min(numChains, loaded.size()),
                            numerics.constant(0, type));
  for (auto [i, piece] : llvm::enumerate(loaded)) {
    Value &chain = chains[i % numChains];
    Value next = accumulate(numerics.extend(piece), chain);
    chain =
        batch.isInside[i] ? emit.select(batch.isInside[i], next, chain) : next;
  }
  return chains.size() == 1 ? chains[0]
                            : numerics.addTerm(chains[1], chains[0]);
}

Value RowKernel::sumTeam(Value value, Value exchange) {
  value = sumLanes(numerics, emit, value, warpSize);
  if (!exchange)
    return value;
  Value warp = emit.index(warpSize);
  Value lane = emit.rem(thread, warp);
  emit.ifThen(emit.compare(arith::CmpIPredicate::eq, lane, emit.index(0)), [&] {
    memref::StoreOp::create(builder, value, exchange, emit.div(thread, warp));
  });
  gpu::BarrierOp::create(builder);
  int64_t numWarps = shape.getNumWarps();
  value = memref::LoadOp::create(builder, exchange,
                                 emit.rem(lane, emit.index(numWarps)));
  return sumLanes(numerics, emit, value, numWarps);
}

Value RowKernel::sum(Value row, Value exchange, Terms accumulate) {
  auto type = VectorType::get(shape.pieceColumns, builder.getF32Type());
  Value vector;
  if (shape.holdsRow) {
    forBatches({}, [&](const Batch &batch, ValueRange) {
      vector = sumBatch(load(row, batch), batch, accumulate);
      return SmallVector<Value>();
    });
  } else {
    CompensatedSum zero = numerics.emptySum(type);
    SmallVector<Value> state =
        forBatches({zero.sum, zero.excess, zero.plain}, [&](const Batch &batch,
                                                            ValueRange state) {
          CompensatedSum next = numerics.addCompensated(
              {state[0], state[1], state[2]},
              sumBatch(load(row, batch), batch, accumulate));
          return SmallVector<Value>{next.sum, next.excess, next.plain};
        });
    vector = numerics.finishSum({state[0], state[1], state[2]});
  }
  Value total = numerics.constant(0, builder.getF32Type());
  if (vector) {
    total = sumElements(numerics, emit, vector);
  }
  if (hasRest()) {
    auto [isInside, column] = buildRest();
    auto branch = scf::IfOp::create(
        builder, isInside,
        [&, column = column](OpBuilder &, Location) {
          Value element = memref::LoadOp::create(builder, row, column);
          scf::YieldOp::create(builder,
                               accumulate(numerics.extend(element), total));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(builder, total); });
    total = branch.getResult(0);
  }
  return sumTeam(total, exchange);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void RowKernel::map(ValueRange inputs, Value out,
                    llvm::function_ref<Value(ValueRange elements)> compute) {
  forBatches({}, [&](const Batch &batch, ValueRange) {
    // All loads come before the first store, as `out` may be an input.
    auto loaded = llvm::map_to_vector(
        inputs, [&](Value row) { return load(row, batch); });
    SmallVector<Value> results;
    for (int64_t i = 0; i < shape.batch; ++i)
      results.push_back(compute(llvm::map_to_vector(
          loaded, [&](ArrayRef<Value> values) { return values[i]; })));
    store(out, batch, results);
    return SmallVector<Value>();
  });
  if (!hasRest())
    return;
  auto [isInside, column] = buildRest();
  emit.ifThen(isInside, [&, column = column] {
    Value result = compute(llvm::map_to_vector(inputs, [&](Value row) -> Value {
      return memref::LoadOp::create(builder, row, column);
    }));
    memref::StoreOp::create(builder, result, out, column);
  });
}

} // namespace mlir::frit
