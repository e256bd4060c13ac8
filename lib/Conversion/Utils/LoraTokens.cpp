//===- LoraTokens.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the loops over runs and tiles of tokens.
//
//===----------------------------------------------------------------------===//

#include "LoraTokens.h"

using namespace mlir;
using namespace mlir::frit;

LoraTokens::LoraTokens(VectorEmitter &emitter,
                       const LoraTokenOperands &operands, Value numAdapters)
    : e(emitter), ids(operands.ids), order(operands.order),
      numAdapters(numAdapters) {
  Value starts = operands.starts;
  if (!order) {
    count = e.dim(ids, 0);
    return;
  }
  // What lies outside the groups belongs to no adapter and is not visited: an
  // engine need not have filled it.
  first = e.loadIndex(starts, e.index(0));
  count =
      e.sub(e.loadIndex(starts, e.sub(e.dim(starts, 0), e.index(1))), first);
}

Value LoraTokens::getToken(Value position) const {
  return order ? e.loadIndex(order, e.add(first, position)) : position;
}

Value LoraTokens::getRunEnd(Value begin, Value end, Value adapter) const {
  ImplicitLocOpBuilder &b = e.getBuilder();
  Type indexType = b.getIndexType();
  auto loop = scf::WhileOp::create(b, TypeRange(indexType),
                                   ValueRange(e.add(begin, 1)));
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, indexType, b.getLoc());
  Value position = before->getArgument(0);
  auto same = scf::IfOp::create(b, TypeRange(b.getI1Type()),
                                e.less(position, end), /*withElseRegion=*/true);
  scf::ConditionOp::create(b, same.getResult(0), position);
  b.setInsertionPointToStart(same.thenBlock());
  Value next = e.loadIndex(ids, getToken(position));
  scf::YieldOp::create(b, e.compare(arith::CmpIPredicate::eq, next, adapter));
  b.setInsertionPointToStart(same.elseBlock());
  scf::YieldOp::create(
      b, arith::ConstantOp::create(b, b.getBoolAttr(false)).getResult());
  Block *after = b.createBlock(&loop.getAfter(), {}, indexType, b.getLoc());
  scf::YieldOp::create(b, e.add(after->getArgument(0), 1));
  return loop.getResult(0);
}

void LoraTokens::forEachPlace(
    Value begin, Value end,
    llvm::function_ref<Value(Value position)> body) const {
  ImplicitLocOpBuilder &b = e.getBuilder();
  Type indexType = b.getIndexType();
  auto loop = scf::WhileOp::create(b, TypeRange(indexType), ValueRange(begin));
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, indexType, b.getLoc());
  scf::ConditionOp::create(b, e.less(before->getArgument(0), end),
                           before->getArguments());
  Block *after = b.createBlock(&loop.getAfter(), {}, indexType, b.getLoc());
  scf::YieldOp::create(b, body(after->getArgument(0)));
}

void LoraTokens::forEachRun(
    Value begin, Value end,
    llvm::function_ref<void(Value begin, Value end, Value adapter)> body)
    const {
  forEachPlace(begin, end, [&](Value runBegin) {
    Value adapter = e.loadIndex(ids, getToken(runBegin));
    Value runEnd = getRunEnd(runBegin, end, adapter);
    // Unsigned, so that a negative id is none as well.
    e.ifThen(e.less(adapter, numAdapters),
             [&] { body(runBegin, runEnd, adapter); });
    return runEnd;
  });
}

void LoraTokens::forEachTile(
    Value begin, Value end,
    llvm::function_ref<void(Value position, ArrayRef<Value> tokens)> body)
    const {
  Value last = e.sub(end, e.index(1));
  e.loop(begin, end, kTile, [&](Value position) {
    e.ifThenElse(
        e.compare(arith::CmpIPredicate::eq, position, last),
        [&] { body(position, getToken(position)); },
        [&] { body(position, getTile(position, end)); });
  });
}

void LoraTokens::forEachShortRun(
    Value begin, Value end, int64_t size,
    llvm::function_ref<void(Value adapter, ArrayRef<Value> tokens)> body)
    const {
  ImplicitLocOpBuilder &b = e.getBuilder();
  forEachPlace(begin, end, [&](Value position) {
    SmallVector<Value> tokens = getTile(position, end, size);
    Value adapter = e.loadIndex(ids, tokens.front());
    Value isSame, count = e.index(1);
    for (int64_t i = 1; i < size; ++i) {
      Value next = e.loadIndex(ids, tokens[i]);
      Value isNext = arith::AndIOp::create(
          b, e.less(e.add(position, i), end),
          e.compare(arith::CmpIPredicate::eq, next, adapter));
      isSame = isSame ? arith::AndIOp::create(b, isSame, isNext) : isNext;
      tokens[i] = e.select(isSame, tokens[i], tokens[i - 1]);
      count = e.select(isSame, e.index(i + 1), count);
    }
    // Unsigned, so that a negative id is none as well.
    e.ifThen(e.less(adapter, numAdapters), [&] {
      if (size == 1)
        return body(adapter, tokens);
      e.ifThenElse(
          e.compare(arith::CmpIPredicate::eq, count, e.index(1)),
          [&] { body(adapter, tokens.front()); },
          [&] { body(adapter, tokens); });
    });
    return e.add(position, count);
  });
}

SmallVector<Value> LoraTokens::getTile(Value begin, Value end,
                                       int64_t size) const {
  Value last = e.sub(end, e.index(1));
  SmallVector<Value> tokens;
  for (int64_t i = 0; i < size; ++i)
    tokens.push_back(getToken(e.min(e.add(begin, i), last)));
  return tokens;
}
