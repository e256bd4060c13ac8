//===- LoraRuntimeChecks.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of the LoRA ops at run time: sizes, then adapters and true ranks, then
// the grouping. The order makes later ones safe: nothing is read outside of a
// shape.
//
//===----------------------------------------------------------------------===//

#include "RuntimeChecks.h"

using namespace mlir;
using namespace mlir::frit;

/// The sizes that all LoRA ops share: tokens, adapters, scales and ranks.
template <typename LoraOp>
static void checkCommonSizes(LoraOp op, CheckBuilder &checks,
                             const NamedDim &tokens, const NamedDim &outTokens,
                             ArrayRef<std::string> weightNames) {
  NamedDim ids{"ids", op.getIds(), 0};
  checks.checkSame(ids, tokens);
  checks.checkSame(ids, outTokens);
  NamedDim adapters{weightNames.front(), op.getWeights().front(), 0};
  for (auto [name, weight] :
       llvm::drop_begin(llvm::zip(weightNames, op.getWeights())))
    checks.checkSame({name, weight, 0}, adapters);
  if (Value scales = op.getScales())
    checks.checkSame({"scales", scales, 0}, adapters);
  if (Value ranks = op.getRanks()) {
    int64_t rank = cast<ShapedType>(ranks.getType()).getRank();
    checks.checkSame({"ranks", ranks, rank - 1}, adapters);
    if (rank == 2)
      checks.checkSize({"ranks", ranks, 0}, op.getNumSlices(),
                       "the number of slices");
  }
}

template <typename ExpandingOp>
static void checkSlicesFit(ExpandingOp op, CheckBuilder &checks) {
  NamedDim width{"out", op.getOut(), 1};
  bool isDynamic = width.isDynamic();
  Value end = checks.constant(op.getOffset());
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    isDynamic |= NamedDim{"", op.getB(slice), 1}.isDynamic();
    end = arith::AddIOp::create(checks.b, checks.loc, end,
                                checks.sizeOf(op.getB(slice), 1));
  }
  if (isDynamic)
    checks.check(checks.isAtMost(end, checks.sizeOf(width)),
                 "'offset' plus the widths of the slices exceeds " +
                     width.str());
}

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
  NamedDim ids{"ids", op.getIds(), 0}, order{"order", op.getOrder(), 0},
      starts{"starts", op.getStarts(), 0};
  checks.checkSame(order, ids);
  NamedDim groups = adapters;
  if (op.getActive())
    groups = {"active", op.getActive(), 0};
  Value zero = checks.constant(0), one = checks.constant(1);
  Value numGroups = checks.sizeOf(groups);
  if (groups.isDynamic() || starts.isDynamic())
    checks.check(checks.isEqual(checks.sizeOf(starts),
                                arith::AddIOp::create(checks.b, checks.loc,
                                                      numGroups, one)),
                 starts.str() + " is not " + groups.str() + " plus 1");

  OpBuilder &b = checks.b;
  Location loc = checks.loc;
  Value numTokens = checks.sizeOf(ids), numAdapters = checks.sizeOf(adapters);
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

/// What depends on the data: adapters, ranks and the grouping.
template <typename LoraOp>
static void checkData(LoraOp op, CheckBuilder &checks, const NamedDim &adapters,
                      const NamedDim &maxRank) {
  Value numAdapters = checks.sizeOf(adapters);
  checks.forEach(
      checks.constant(0), checks.sizeOf(op.getIds(), 0), [&](Value token) {
        Value id = checks.readIndex(op.getIds(), token);
        checks.check(checks.compare(arith::CmpIPredicate::slt, id, numAdapters),
                     "an element of 'ids' is not below " + adapters.str());
      });
  checkRanks(op, checks, maxRank);
  if (op.isGrouped())
    checkGrouping(op, checks, adapters);
}

void frit::generateLoraChecks(LoraMatmulOp op, CheckBuilder &checks) {
  SmallVector<std::string> names;
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    names.push_back("A" + std::to_string(slice));
    names.push_back("B" + std::to_string(slice));
  }
  checkCommonSizes(op, checks, {"x", op.getX(), 0}, {"out", op.getOut(), 0},
                   names);
  NamedDim maxRank{"A0", op.getA(0), 1}, depth{"x", op.getX(), 1};
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    checks.checkSame({names[2 * slice], op.getA(slice), 2}, depth);
    if (slice != 0)
      checks.checkSame({names[2 * slice], op.getA(slice), 1}, maxRank);
    checks.checkSame({names[2 * slice + 1], op.getB(slice), 2}, maxRank);
  }
  checkSlicesFit(op, checks);
  checkData(op, checks, {"A0", op.getA(0), 0}, maxRank);
}

void frit::generateLoraChecks(LoraShrinkOp op, CheckBuilder &checks) {
  SmallVector<std::string> names;
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice)
    names.push_back("A" + std::to_string(slice));
  checkCommonSizes(op, checks, {"x", op.getX(), 0}, {"out", op.getOut(), 1},
                   names);
  NamedDim maxRank{"A0", op.getA(0), 1}, depth{"x", op.getX(), 1};
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
    checks.checkSame({names[slice], op.getA(slice), 2}, depth);
    if (slice != 0)
      checks.checkSame({names[slice], op.getA(slice), 1}, maxRank);
  }
  checks.checkSize({"out", op.getOut(), 0}, op.getNumSlices(),
                   "the number of slices");
  checks.checkSame({"out", op.getOut(), 2}, maxRank);
  checkData(op, checks, {"A0", op.getA(0), 0}, maxRank);
}

void frit::generateLoraChecks(LoraExpandOp op, CheckBuilder &checks) {
  SmallVector<std::string> names;
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice)
    names.push_back("B" + std::to_string(slice));
  checkCommonSizes(op, checks, {"h", op.getH(), 1}, {"out", op.getOut(), 0},
                   names);
  NamedDim maxRank{"B0", op.getB(0), 2};
  for (unsigned slice = 1; slice < op.getNumSlices(); ++slice)
    checks.checkSame({names[slice], op.getB(slice), 2}, maxRank);
  checks.checkSize({"h", op.getH(), 0}, op.getNumSlices(),
                   "the number of slices");
  checks.checkSame({"h", op.getH(), 2}, maxRank);
  checkSlicesFit(op, checks);
  checkData(op, checks, {"B0", op.getB(0), 0}, maxRank);
}
