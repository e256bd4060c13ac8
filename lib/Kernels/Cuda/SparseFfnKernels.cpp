//===- SparseFfnKernels.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// frit.sparse_ffn of few tokens by the kernels of kernels/SparseFfn: the gate,
// the active rows of up and down, and the sum of the blocks' shares; with LoRAs
// the rank vectors of gate and up before them. An entry, with LoRA and without,
// for each number of tokens that the kernels are made for.
//
//===----------------------------------------------------------------------===//

#include "LoraConditions.h"
#include "SparseFfnPlan.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::frit;

/// Ranks that the kernels count to.
static constexpr int64_t kMostRanks = 1 << 20;

static KernelCondition hasNoLora() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    auto ffn = cast<SparseFfnOp>(op.getOperation());
    constexpr StringLiteral kNames[] = {"the gate", "up", "down"};
    for (auto [projection, name] : llvm::enumerate(kNames))
      if (ffn.hasLora(projection))
        return KernelFinding::notMet(
            llvm::formatv("needs an op without LoRA, but {0} has one", name));
    return KernelFinding::met();
  };
  return {"lora", "an op without LoRA", check};
}

static KernelCondition hasSomeLora() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    if (cast<SparseFfnOp>(op.getOperation()).getAnyA())
      return KernelFinding::met();
    return KernelFinding::notMet("needs an op with LoRA, but there is none");
  };
  return {"lora", "an op with LoRA", check};
}

static KernelCondition hasDownByColumns() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    if (cast<SparseFfnOp>(op.getOperation()).getDownLayout() == DownLayout::Dh)
      return KernelFinding::met();
    return KernelFinding::notMet("needs down_layout dh, but it is hd");
  };
  return {"down_layout", "down_layout dh", check};
}

/// How many blocks share a row of x follows from H. The grids follow from d.
static KernelCondition hasWidths() {
  auto check = [](KernelOpInterface op, const KernelShape &shape) {
    std::optional<int64_t> width = getStatic(shape, "H");
    if (!width || *width < 1)
      return KernelFinding::notMet(llvm::formatv(
          "needs H to be known and at least 1, but it is {0}",
          width ? std::to_string(*width) : "known only at run time"));
    KernelFinding finding;
    finding.requirements.push_back(
        requireAtLeast(shape, "d", 1, op.getContext()));
    return finding;
  };
  return {"widths", "H to be known and at least 1, and d to be at least 1",
          check};
}

/// x and one row of up and of down are in shared memory.
static KernelCondition hasShortRows(int64_t tokens) {
  std::string needs =
      llvm::formatv("shared memory for {0} rows of H elements: {1} bytes",
                    tokens + 2, kSparseFfnRowsBytes);
  auto check = [=](KernelOpInterface op, const KernelShape &shape) {
    AffineExpr row =
        (shape.getSymbol("H", op.getContext()) * getSparseFfnElementBytes(op))
            .ceilDiv(16) *
        16;
    KernelFinding finding;
    finding.requirements.push_back({row * (tokens + 2),
                                    KernelRequirement::Kind::AtMost,
                                    kSparseFfnRowsBytes, needs});
    return finding;
  };
  return {"rows", needs, check};
}

/// Tokens that read few rows in common.
static constexpr int64_t kFewTokens = 4;
static constexpr double kLeastMultiplier = 1.5;

/// Each token reads the rows of its own active columns, of which more tokens
/// would share most if they were many.
static KernelCondition hasFewActive() {
  std::string needs =
      llvm::formatv("std_multiplier to be at least {0:F1}", kLeastMultiplier);
  auto check = [=](KernelOpInterface op, const KernelShape &) {
    double multiplier = cast<SparseFfnOp>(op.getOperation())
                            .getStdMultiplier()
                            .convertToDouble();
    if (multiplier >= kLeastMultiplier)
      return KernelFinding::met();
    return KernelFinding::notMet(
        llvm::formatv("needs {0}, but it is {1:F4}", needs, multiplier));
  };
  return {"active", needs, check};
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// What is left are the gate's weights and the adapters: the launches of the
/// rows and of the sum begin once the gate's has waited.
static SmallVector<unsigned> getOperandsAfterWait(KernelOpInterface op) {
  auto ffn = cast<SparseFfnOp>(op.getOperation());
  return {ffn.getXMutable().getOperandNumber(),
          ffn.getUpMutable().getOperandNumber(),
          ffn.getDownMutable().getOperandNumber(),
          ffn.getOutMutable().getOperandNumber()};
}

static StringRef getFormName(SparseFfnRows form) {
  switch (form) {
  case SparseFfnRows::Ranges:
    return "tile";
  case SparseFfnRows::Dealt:
    return "dealt";
  case SparseFfnRows::Grouped:
    return "grouped";
  }
  llvm_unreachable("unknown form");
}

static void addEntry(KernelTable &table, SparseFfnTile tile, bool hasLora,
                     int64_t priority) {
  KernelEntry entry{llvm::formatv("cuda.sparse_ffn_{0}{1}{2}",
                                  hasLora ? "lora_" : "",
                                  getFormName(tile.form), tile.most),
                    "frit.sparse_ffn",
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(90),
                    {"f32", "f16", "bf16"},
                    priority};
  entry.conditions = {hasLora ? hasSomeLora() : hasNoLora(), hasDownByColumns(),
                      hasWidths(), hasShortRows(tile.rows)};
  if (tile.isDealt())
    entry.conditions.push_back(KernelCondition::atMost(
        "columns", "d", getSparseFfnDealtColumns(tile)));
  if (tile.isDealt() && tile.most > kFewTokens)
    entry.conditions.push_back(hasFewActive());
  entry.conditions.push_back(KernelCondition::atMost("tokens", "T", tile.most));
  if (hasLora)
    entry.conditions.push_back(KernelCondition::atMost(
        "rank", "R", tile.isDealt() ? kSparseFfnDealtRanks : kMostRanks));
  entry.params = [tile](KernelOpInterface op) {
    return getSparseFfnParams(tile, op);
  };
  entry.estimate =
      tile.isDealt() ? estimateDealtSparseFfnOnCuda : estimateSparseFfnOnCuda;
  std::vector<KernelStep> steps = getSparseFfnSteps(tile, hasLora);
  entry.launchPlan = steps.front().launchPlan;
  entry.argumentPlan = steps.front().argumentPlan;
  entry.function = steps.front().function;
  entry.laterSteps.assign(steps.begin() + 1, steps.end());
  // With LoRAs of more tokens a gate beside the kernels ahead takes their room
  // and is no faster.
  if (!hasLora || (tile.isDealt() && tile.most <= 2))
    entry.operandsAfterWait = getOperandsAfterWait;
  entry.workspace = [=](const KernelPlanSizes &sizes) {
    return getSparseFfnWorkspace(tile, hasLora, sizes);
  };
  entry.images =
      findImages({"sparse_ffn_f32", "sparse_ffn_f16", "sparse_ffn_bf16"});
  (void)table.add(std::move(entry));
}

void frit::addSparseFfnKernels(KernelTable &table) {
  int64_t priority = 52;
  for (bool hasLora : {false, true}) {
    for (int64_t tokens : {1, 2, 4})
      addEntry(table, {tokens, 8, 1, SparseFfnRows::Dealt}, hasLora,
               --priority);
    for (int64_t tokens : {4, 8, 16})
      addEntry(
          table,
          {tokens, std::max<int64_t>(tokens, 8), 1, SparseFfnRows::Grouped},
          hasLora, --priority);
    for (int64_t tokens : {1, 2, 4, 8})
      if (!hasLora || tokens != 2)
        addEntry(table, {tokens, 8, tokens}, hasLora, --priority);
    addEntry(table, {16, 16, 8}, hasLora, --priority);
  }
}
