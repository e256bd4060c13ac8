//===- DecomposeLoraGroup.cpp ---------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The native form of lora_group: a counting sort, which is stable.
//
//===----------------------------------------------------------------------===//

#include "ShapedBuilder.h"

#include "frit/Dialect/Frit/Transforms/Decompose.h"
#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

namespace {
/// i32 arithmetic on elements that count tokens.
class GroupBuilder {
public:
  GroupBuilder(LoraGroupOp op, OpBuilder &builder)
      : op(op), builder(builder), loc(getOriginLoc(op, FpMode::Strict)),
        shaped(builder, loc), zero(shaped.index(0)), one(shaped.index(1)),
        tokens(shaped.index(shaped.dim(op.getIds(), 0))),
        numStarts(shaped.index(shaped.dim(op.getStarts(), 0))),
        groups(arith::SubIOp::create(builder, loc, numStarts, one)) {}

  SmallVector<Value> build();

private:
  Value i32(int32_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }
  Value add(Value lhs, Value rhs) {
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  }
  Value toIndex(Value value) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      value);
  }
  /// The group of a token: its id, or the number of groups where there is none.
  Value groupOf(Value token);
  /// starts[i] = where group i starts.
  Value buildStarts();
  /// order, from a copy of starts that is consumed.
  Value buildOrder(Value starts);

  LoraGroupOp op;
  OpBuilder &builder;
  Location loc;
  ShapedBuilder shaped;
  Value zero, one, tokens, numStarts, groups;
};
} // namespace

Value GroupBuilder::groupOf(Value token) {
  Value id = toIndex(shaped.load(op.getIds(), token));
  // A negative id is a huge unsigned one, so it also becomes the last group.
  return arith::MinUIOp::create(builder, loc, id, groups);
}

Value GroupBuilder::buildStarts() {
  Value zeros = shaped.fill(op.getStarts(), i32(0));
  // Group g is counted in element g + 1; tokens without one are not counted.
  Value counts =
      shaped
          .loop(zero, tokens, zeros,
                [&](Value token, ValueRange dests) -> SmallVector<Value> {
                  Value group = groupOf(token);
                  Value hasGroup = arith::CmpIOp::create(
                      builder, loc, arith::CmpIPredicate::ult, group, groups);
                  return {shaped.ifThen(hasGroup, dests[0], [&](Value dest) {
                    Value slot = add(group, one);
                    Value count = add(shaped.load(dest, slot), i32(1));
                    return shaped.store(count, dest, slot);
                  })};
                })
          .front();
  return shaped
      .loop(one, numStarts, counts,
            [&](Value slot, ValueRange dests) -> SmallVector<Value> {
              Value before = arith::SubIOp::create(builder, loc, slot, one);
              Value start = add(shaped.load(dests[0], before),
                                shaped.load(dests[0], slot));
              return {shaped.store(start, dests[0], slot)};
            })
      .front();
}

Value GroupBuilder::buildOrder(Value starts) {
  Value next = shaped.create(starts.getType(), shaped.dims(starts),
                             builder.getI32Type());
  next = shaped.copy(starts, next);
  Value order =
      shaped
          .loop(zero, tokens, {op.getOrder(), next},
                [&](Value token, ValueRange dests) -> SmallVector<Value> {
                  Value group = groupOf(token);
                  Value place = shaped.load(dests[1], group);
                  Value number = arith::IndexCastOp::create(
                      builder, loc, builder.getI32Type(), token);
                  Value order = shaped.store(number, dests[0], toIndex(place));
                  Value next =
                      shaped.store(add(place, i32(1)), dests[1], group);
                  return {order, next};
                })
          .front();
  shaped.release(next);
  return order;
}

SmallVector<Value> GroupBuilder::build() {
  Value starts = buildStarts();
  Value order = buildOrder(starts);
  return op.hasTensorSemantics() ? SmallVector<Value>{order, starts}
                                 : SmallVector<Value>{};
}

SmallVector<Value> frit::decompose(LoraGroupOp op, OpBuilder &builder,
                                   const DecomposeOptions &options) {
  return GroupBuilder(op, builder).build();
}
