//===- RowSum.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the blocked sum over a row.
//
//===----------------------------------------------------------------------===//

#include "Columns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

namespace {

/// Independent chains of additions, enough to hide an addition's latency.
constexpr int64_t numChains = 4;
/// Additions in a chain before its sum is added to the compensated sum.
constexpr int64_t chainLength = 8;

/// Builds the parts of one row's sum.
class RowSum {
public:
  RowSum(NumericsBuilder &numerics, Value row,
         function_ref<Value(Value, Value)> accumulate)
      : numerics(numerics), builder(numerics.getBuilder()),
        loc(numerics.getFmaLoc()), row(row), accumulate(accumulate) {}

  Value buildIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// Accumulates `length` columns from `begin` on, a multiple of chains *
  /// width, in `chains` chains, 1 or an even number; returns their sum.
  Value buildChains(Value begin, Value length, int64_t chains, int64_t width) {
    Type f32 = builder.getF32Type();
    Type type = width == 1 ? f32 : VectorType::get(width, f32);
    SmallVector<Value> zeros(chains, numerics.constant(0, type));
    auto loop = scf::ForOp::create(
        builder, loc, buildIndex(0), length, buildIndex(chains * width), zeros,
        [&](OpBuilder &builder, Location loc, Value index, ValueRange sums) {
          Value column = builder.createOrFold<arith::AddIOp>(loc, begin, index);
          auto at = [&](int64_t offset) {
            return builder.createOrFold<arith::AddIOp>(loc, column,
                                                       buildIndex(offset));
          };
          SmallVector<Value> next;
          for (int64_t chain = 0; chain + 1 < chains; chain += 2) {
            auto [first, second] =
                loadColumnPair(numerics, row, at(chain * width), width);
            next.push_back(accumulate(first, sums[chain]));
            next.push_back(accumulate(second, sums[chain + 1]));
          }
          if (chains == 1)
            next.push_back(
                accumulate(loadColumns(numerics, row, column, width), sums[0]));
          scf::YieldOp::create(builder, loc, next);
        });
    SmallVector<Value> sums(loop.getResults());
    for (size_t size = sums.size() / 2; size > 0; size /= 2)
      for (size_t i = 0; i < size; ++i)
        sums[i] = numerics.addTerm(sums[i + size], sums[i]);
    return sums.front();
  }

  /// The compensated sum of the columns [0, end), in blocks of full chains.
  CompensatedSum buildBlocks(Value end, int64_t lanes) {
    Value block = buildIndex(numChains * lanes * chainLength);
    CompensatedSum zero =
        numerics.emptySum(VectorType::get(lanes, builder.getF32Type()));
    auto loop = scf::ForOp::create(
        builder, loc, buildIndex(0), end, block,
        ValueRange{zero.sum, zero.excess, zero.plain},
        [&](OpBuilder &builder, Location loc, Value begin, ValueRange state) {
          CompensatedSum next = numerics.addCompensated(
              {state[0], state[1], state[2]},
              buildChains(begin, block, numChains, lanes));
          scf::YieldOp::create(builder, loc,
                               ValueRange{next.sum, next.excess, next.plain});
        });
    return {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
  }

  /// The sum of a vector's elements, by halves.
  Value buildHorizontalSum(Value vector) {
    auto half = [&](Value vector, int64_t offset, int64_t size) {
      return vector::ExtractStridedSliceOp::create(builder, loc, vector, offset,
                                                   size, 1);
    };
    int64_t size = cast<VectorType>(vector.getType()).getDimSize(0);
    for (size /= 2; size > 0; size /= 2)
      vector =
          numerics.addTerm(half(vector, size, size), half(vector, 0, size));
    return vector::ExtractOp::create(builder, loc, vector, int64_t(0));
  }

private:
  NumericsBuilder &numerics;
  OpBuilder &builder;
  Location loc;
  Value row;
  function_ref<Value(Value, Value)> accumulate;
};

} // namespace

Value buildRowSum(NumericsBuilder &numerics, Value row, Value columns,
                  int64_t lanes,
                  function_ref<Value(Value elements, Value sum)> accumulate) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getFmaLoc();
  RowSum sum(numerics, row, accumulate);
  auto split = [&](Value length, int64_t multiple) {
    Value rest = builder.createOrFold<arith::RemUIOp>(loc, length,
                                                      sum.buildIndex(multiple));
    return std::pair(builder.createOrFold<arith::SubIOp>(loc, length, rest),
                     rest);
  };
  // Full blocks, of a length that is known; then full chains, full vectors and
  // scalars.
  auto [blocksEnd, blocksRest] =
      split(columns, numChains * lanes * chainLength);
  auto [chainsLength, chainsRest] = split(blocksRest, numChains * lanes);
  auto [vectorsLength, scalarsLength] = split(chainsRest, lanes);
  auto add = [&](Value lhs, Value rhs) {
    return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  };
  Value chainsEnd = add(blocksEnd, chainsLength);
  Value vectorsEnd = add(chainsEnd, vectorsLength);

  CompensatedSum state = sum.buildBlocks(blocksEnd, lanes);
  state = numerics.addCompensated(
      state, sum.buildChains(blocksEnd, chainsLength, numChains, lanes));
  state = numerics.addCompensated(
      state, sum.buildChains(chainsEnd, vectorsLength, 1, lanes));
  Value total = sum.buildHorizontalSum(numerics.finishSum(state));
  return numerics.addTerm(sum.buildChains(vectorsEnd, scalarsLength, 1, 1),
                          total);
}

} // namespace mlir::frit
