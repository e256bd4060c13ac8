//===- LoraDataChecks.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of the data of the LoRA ops at run time: adapters and true ranks, then
// the grouping. They stand behind the checks of the sizes, and the order makes
// later ones safe: nothing is read outside of a shape.
//
//===----------------------------------------------------------------------===//

#include "RuntimeChecks.h"

using namespace mlir;
using namespace mlir::frit;

/// Every true rank is in [0, R].
template <typename LoraOp>
static void checkRanks(LoraOp op, CheckBuilder &checks,
                       const NamedDim &maxRank) {
  Value ranks = op.getRanks();
  if (!ranks)
    return;
  Value limit = checks.sizeOf(maxRank);
  auto checkRank = [&](ValueRange indices) {
    Value rank = checks.readIndex(ranks, indices);
    Value isValid = arith::AndIOp::create(
        checks.b, checks.loc, checks.isAtMost(checks.constant(0), rank),
        checks.isAtMost(rank, limit));
    checks.check(isValid, "an element of 'ranks' is negative or exceeds " +
                              maxRank.str());
  };
  Value zero = checks.constant(0);
  checks.forEach(zero, checks.sizeOf(ranks, 0), [&](Value i) {
    if (cast<ShapedType>(ranks.getType()).getRank() == 1)
      return checkRank(i);
    checks.forEach(zero, checks.sizeOf(ranks, 1),
                   [&](Value j) { checkRank({i, j}); });
  });
}

/// `order` is a permutation of the tokens, `starts` cuts it into groups, and
/// each token of a group has the group's adapter.
template <typename LoraOp>
static void checkGrouping(LoraOp op, CheckBuilder &checks,
                          const NamedDim &adapters) {
  Value zero = checks.constant(0), one = checks.constant(1);
  Value numGroups = checks.sizeOf(getGroups(op, adapters));
  OpBuilder &b = checks.b;
  Location loc = checks.loc;
  Value numTokens = checks.sizeOf(op.getIds(), 0);
  Value numAdapters = checks.sizeOf(adapters);
  auto readToken = [&](Value position) {
    return checks.readIndex(op.getOrder(), position);
  };
  checks.forEach(zero, numTokens, [&](Value position) {
    checks.check(checks.isBelow(readToken(position), numTokens),
                 "an element of 'order' is no token");
  });
  Value sumOfOrder = checks.sumOfHashes(numTokens, readToken);
  Value sumOfTokens =
      checks.sumOfHashes(numTokens, [](Value token) { return token; });
  checks.check(checks.isEqual(sumOfOrder, sumOfTokens),
               "a token occurs twice in 'order'");

  auto readId = [&](Value position) {
    return checks.readIndex(op.getIds(), readToken(position));
  };
  StringRef disagrees = "'order' and 'starts' disagree with 'ids'";
  checks.check(checks.isEqual(checks.readIndex(op.getStarts(), zero), zero),
               "'starts' does not begin with 0");
  checks.forEach(zero, numGroups, [&](Value group) {
    Value begin = checks.readIndex(op.getStarts(), group);
    Value next = arith::AddIOp::create(b, loc, group, one);
    Value end = checks.readIndex(op.getStarts(), next);
    Value isRange = arith::AndIOp::create(b, loc, checks.isAtMost(begin, end),
                                          checks.isAtMost(end, numTokens));
    checks.check(isRange, "'starts' decreases or exceeds the number of tokens");
    Value adapter =
        op.getActive() ? checks.readIndex(op.getActive(), group) : group;
    // A group without adapter holds tokens without one.
    Value isAdapter = checks.isBelow(adapter, numAdapters);
    if (op.getActive())
      checks.check(
          arith::OrIOp::create(b, loc, isAdapter,
                               checks.isEqual(adapter, checks.constant(-1))),
          "an element of 'active' is neither an adapter nor -1");
    checks.forEach(begin, end, [&](Value position) {
      Value id = readId(position);
      Value agrees = arith::SelectOp::create(
          b, loc, isAdapter, checks.isEqual(id, adapter),
          checks.isNot(checks.isBelow(id, numAdapters)));
      checks.check(agrees, disagrees);
    });
  });
  Value rest = checks.readIndex(op.getStarts(), numGroups);
  checks.forEach(rest, numTokens, [&](Value position) {
    checks.check(checks.isNot(checks.isBelow(readId(position), numAdapters)),
                 disagrees);
  });
}

/// Every id is below the number of adapters, and every true rank in its range.
template <typename LoraOp>
static void checkAdapters(LoraOp op, CheckBuilder &checks,
                          const NamedDim &adapters, const NamedDim &maxRank) {
  Value numAdapters = checks.sizeOf(adapters);
  checks.forEach(
      checks.constant(0), checks.sizeOf(op.getIds(), 0), [&](Value token) {
        Value id = checks.readIndex(op.getIds(), token);
        checks.check(checks.compare(arith::CmpIPredicate::slt, id, numAdapters),
                     "an element of 'ids' is not below " + adapters.str());
      });
  checkRanks(op, checks, maxRank);
}

/// What depends on the data: adapters, ranks and the grouping.
template <typename LoraOp>
static void checkData(LoraOp op, CheckBuilder &checks, const NamedDim &adapters,
                      const NamedDim &maxRank) {
  checkAdapters(op, checks, adapters, maxRank);
  if (op.isGrouped())
    checkGrouping(op, checks, adapters);
}

void frit::generateDataChecks(LoraMatmulOp op, CheckBuilder &checks) {
  checkData(op, checks, {"A0", op.getA(0), 0}, {"A0", op.getA(0), 1});
}

void frit::generateDataChecks(LoraShrinkOp op, CheckBuilder &checks) {
  checkData(op, checks, {"A0", op.getA(0), 0}, {"A0", op.getA(0), 1});
}

void frit::generateDataChecks(LoraExpandOp op, CheckBuilder &checks) {
  checkData(op, checks, {"B0", op.getB(0), 0}, {"B0", op.getB(0), 2});
}

void frit::generateDataChecks(LoraGeluAndMulSparseOp op, CheckBuilder &checks) {
  checkData(op, checks, {"B0", op.getB(0), 0}, {"B0", op.getB(0), 2});
}

void frit::generateDataChecks(SparseFfnOp op, CheckBuilder &checks) {
  if (!op.getIds())
    return;
  NamedDim adapters = getAdapters(op);
  checkAdapters(op, checks, adapters, {adapters.name, adapters.value, 1});
}

/// True where `order` and `starts` are the results of one frit.lora_group.
template <typename LoraOp> static bool hasComputedGrouping(LoraOp op) {
  auto group = op.getOrder().template getDefiningOp<LoraGroupOp>();
  return group && op.getStarts().getDefiningOp() == group;
}

template <typename LoraOp>
static void checkGroupingBounds(LoraOp op, CheckBuilder &checks) {
  if (!op.isGrouped() || hasComputedGrouping(op))
    return;
  Value zero = checks.constant(0);
  Value last = arith::SubIOp::create(checks.b, checks.loc,
                                     checks.sizeOf(op.getStarts(), 0),
                                     checks.constant(1));
  Value numTokens = checks.sizeOf(op.getIds(), 0);
  Value begin = checks.readIndex(op.getStarts(), zero);
  Value end = checks.readIndex(op.getStarts(), last);
  checks.check(checks.isAtMost(zero, begin),
               "'starts' begins with a negative number");
  checks.check(checks.isAtMost(begin, end),
               "'starts' ends below where it begins");
  checks.check(checks.isAtMost(end, numTokens),
               "'starts' exceeds the number of tokens");
  // What lies outside the groups is not read by the op either.
  checks.forEach(begin, end, [&](Value position) {
    checks.check(
        checks.isBelow(checks.readIndex(op.getOrder(), position), numTokens),
        "an element of 'order' is no token");
  });
}

void frit::generateGroupingChecks(LoraMatmulOp op, CheckBuilder &checks) {
  checkGroupingBounds(op, checks);
}

void frit::generateGroupingChecks(LoraShrinkOp op, CheckBuilder &checks) {
  checkGroupingBounds(op, checks);
}

void frit::generateGroupingChecks(LoraExpandOp op, CheckBuilder &checks) {
  checkGroupingBounds(op, checks);
}

void frit::generateGroupingChecks(LoraGeluAndMulSparseOp op,
                                  CheckBuilder &checks) {
  checkGroupingBounds(op, checks);
}
