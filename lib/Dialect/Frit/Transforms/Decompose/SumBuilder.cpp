//===- SumBuilder.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that add up terms accurately.
//
//===----------------------------------------------------------------------===//

#include "SumBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::frit;

/// Terms that are added up plainly. With 8 the bound that SumBuilder documents
/// stays below the tolerance of f32 rows (1e-6 is 16.8 units of 2^-24).
static constexpr int64_t kBlockSize = 8;

Value SumBuilder::widen(Value value) {
  value = numerics.extend(value);
  if (!inF64)
    return value;
  OpBuilder &builder = numerics.getBuilder();
  return arith::ExtFOp::create(builder, numerics.getFmaLoc(),
                               builder.getF64Type(), value);
}

/// Adds the terms [lower, upper) in order.
Value SumBuilder::loop(Value lower, Value upper,
                       function_ref<Value(Value k, Value sum)> addTerm) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getFmaLoc();
  FloatType type =
      inF64 ? FloatType(builder.getF64Type()) : FloatType(builder.getF32Type());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, 0));
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, lower, upper, one, zero);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(
      builder, loc, addTerm(loop.getInductionVar(), loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

Value SumBuilder::build(Value count,
                        function_ref<Value(Value k, Value sum)> addTerm) {
  OpBuilder &builder = numerics.getBuilder();
  Location loc = numerics.getFmaLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  if (inF64)
    return arith::TruncFOp::create(builder, loc, builder.getF32Type(),
                                   loop(zero, count, addTerm));

  Value blockSize = arith::ConstantIndexOp::create(builder, loc, kBlockSize);
  CompensatedSum state = numerics.emptySum(builder.getF32Type());
  auto blocks =
      scf::ForOp::create(builder, loc, zero, count, blockSize,
                         ValueRange{state.sum, state.excess, state.plain});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(blocks.getBody());
    Value lower = blocks.getInductionVar();
    Value rest = arith::SubIOp::create(builder, loc, count, lower);
    Value size = arith::MinSIOp::create(builder, loc, rest, blockSize);
    Value upper = arith::AddIOp::create(builder, loc, lower, size);
    Block::BlockArgListType args = blocks.getRegionIterArgs();
    state = numerics.addCompensated({args[0], args[1], args[2]},
                                    loop(lower, upper, addTerm));
    scf::YieldOp::create(builder, loc,
                         ValueRange{state.sum, state.excess, state.plain});
  }
  return numerics.finishSum(
      {blocks.getResult(0), blocks.getResult(1), blocks.getResult(2)});
}
