//===- LoraSizeChecks.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of the sizes of the LoRA ops at run time.
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

/// A grouping has a place for each token and a range for each group.
template <typename LoraOp>
static void checkGroupingSizes(LoraOp op, CheckBuilder &checks,
                               const NamedDim &adapters) {
  if (!op.isGrouped())
    return;
  NamedDim starts{"starts", op.getStarts(), 0};
  checks.checkSame({"order", op.getOrder(), 0}, {"ids", op.getIds(), 0});
  NamedDim groups = getGroups(op, adapters);
  if (!groups.isDynamic() && !starts.isDynamic())
    return;
  Value end = arith::AddIOp::create(checks.b, checks.loc, checks.sizeOf(groups),
                                    checks.constant(1));
  checks.check(checks.isEqual(checks.sizeOf(starts), end),
               starts.str() + " is not " + groups.str() + " plus 1");
}

void frit::generateSizeChecks(LoraMatmulOp op, CheckBuilder &checks) {
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
  checkGroupingSizes(op, checks, {"A0", op.getA(0), 0});
}

void frit::generateSizeChecks(LoraShrinkOp op, CheckBuilder &checks) {
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
  checkGroupingSizes(op, checks, {"A0", op.getA(0), 0});
}

void frit::generateSizeChecks(LoraExpandOp op, CheckBuilder &checks) {
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
  checkGroupingSizes(op, checks, {"B0", op.getB(0), 0});
}

void frit::generateSizeChecks(LoraGeluAndMulSparseOp op, CheckBuilder &checks) {
  checkCommonSizes(op, checks, {"h", op.getH(), 1}, {"out", op.getOut(), 0},
                   {"B0", "B1"});
  NamedDim y{"y", op.getY(), 1}, out{"out", op.getOut(), 1};
  checks.checkSame({"ids", op.getIds(), 0}, {"y", op.getY(), 0});
  checks.checkSize({"h", op.getH(), 0}, op.getNumSlices(),
                   "the number of slices");
  for (auto [name, b] :
       llvm::zip(ArrayRef<StringRef>{"B0", "B1"}, op.getWeights())) {
    checks.checkSame({name.str(), b, 2}, {"h", op.getH(), 2});
    checks.checkSame({name.str(), b, 1}, out);
  }
  if (y.isDynamic() || out.isDynamic()) {
    Value columns = checks.sizeOf(out);
    Value twice = arith::AddIOp::create(checks.b, checks.loc, columns, columns);
    checks.check(checks.isEqual(checks.sizeOf(y), twice),
                 y.str() + " and twice " + out.str() + " differ");
  }
  checkGroupingSizes(op, checks, {"B0", op.getB(0), 0});
}
