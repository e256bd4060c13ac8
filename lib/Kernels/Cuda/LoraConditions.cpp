//===- LoraConditions.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fused LoRA kernels ask of an op.
//
//===----------------------------------------------------------------------===//

#include "LoraConditions.h"

#include "CudaKernels.h"
#include "LoraOperands.h"

#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace mlir;
using namespace mlir::frit;

using Kind = KernelRequirement::Kind;

/// What the kernels count in 32 bits, with room for their last steps.
static constexpr int64_t kMaxSize = int64_t(1) << 30;

std::optional<int64_t> frit::getStatic(const KernelShape &shape,
                                       StringRef name) {
  return shape.getExtents()[*shape.lookup(name)].getStaticSize();
}

KernelCondition frit::hasWeights(bool isF32) {
  std::string needs =
      isF32 ? "weights of f32" : "weights of the activations' type";
  return {"weights", needs, [=](KernelOpInterface op, const KernelShape &) {
            Type weights = LoraOperands::of(op).getWeightType();
            if (weights.isF32() == isF32)
              return KernelFinding::met();
            return KernelFinding::notMet(llvm::formatv(
                "needs {0}, but they are {1} beside {2}", needs,
                getTypeName(weights), getTypeName(op.getKernelElementType())));
          }};
}

/// The most tokens that a tile is for in this op.
static std::optional<int64_t> getMaxTokens(const LoraTile &tile,
                                           KernelOpInterface op,
                                           const KernelShape &shape) {
  LoraOperands operands = LoraOperands::of(op);
  return tile.getMaxTokens(getStatic(shape, tile.readsIds ? "L" : "G"),
                           static_cast<int64_t>(operands.getNumSlices()),
                           operands.isGrouped() && !tile.readsIds);
}

KernelCondition frit::hasTokens(const LoraTile &tile,
                                LoraTileFunction getTile) {
  std::string needs =
      tile.residentBlocks ? "T small enough that all blocks run at once" : "";
  if (tile.mostTokens)
    needs +=
        llvm::formatv("{0}T to be {1} {2}{3}", needs.empty() ? "" : ", and ",
                      tile.readsIds ? "33 to" : "at most", *tile.mostTokens,
                      tile.readsIds ? "" : ", or 32 without a grouping");
  auto check = [getTile = std::move(getTile)](KernelOpInterface op,
                                              const KernelShape &shape) {
    LoraTile tile = getTile(op);
    AffineExpr tokens = shape.getSymbol("T", op.getContext());
    KernelFinding finding;
    std::optional<int64_t> most = getMaxTokens(tile, op, shape);
    if (most && *most < 1)
      return KernelFinding::notMet(
          "needs all blocks to run at once, but those of one token do not");
    if (most)
      finding.requirements.push_back(
          {tokens, Kind::AtMost, *most,
           llvm::formatv("T to be at most {0}", *most)});
    if (!tile.readsIds)
      return finding;
    // Of fewer tokens other kernels read the ids without any grouping.
    int64_t least = LoraTile::getWindow(/*isGrouped=*/false) + 1;
    if (most && *most < least)
      return KernelFinding::notMet(llvm::formatv(
          "needs T to be at least {0}, but at most {1} for all blocks to run "
          "at once",
          least, *most));
    finding.requirements.push_back(
        requireAtLeast(shape, "T", least, op.getContext()));
    return finding;
  };
  return {"tokens", needs, check};
}

KernelCondition frit::hasMoreTokens(const LoraTile &tile) {
  std::string needs =
      llvm::formatv("T to be more than {0} blocks in clusters of {1} are for",
                    *tile.residentBlocks, tile.blocks);
  auto check = [tile](KernelOpInterface op, const KernelShape &shape) {
    int64_t least = *getMaxTokens(tile, op, shape) + 1;
    KernelFinding finding;
    finding.requirements = {requireAtLeast(shape, "T", least, op.getContext())};
    return finding;
  };
  return {"more tokens", needs, check};
}

KernelCondition frit::hasRank(int64_t least, int64_t most, StringRef reason) {
  auto check = [=, reason = reason.str()](KernelOpInterface op,
                                          const KernelShape &shape) {
    KernelFinding finding;
    finding.requirements = {
        requireAtLeast(shape, "R", least, op.getContext()),
        {shape.getSymbol("R", op.getContext()), Kind::AtMost, most,
         llvm::formatv("R to be at most {0}{1}", most, reason)}};
    return finding;
  };
  return {"rank", llvm::formatv("R to be {0} to {1}", least, most), check};
}

KernelCondition frit::hasSizes() {
  auto check = [](KernelOpInterface op, const KernelShape &shape) {
    bool isGrouped = LoraOperands::of(op).isGrouped();
    // No requirement: a batch-invariant choice may not ask for T. An unknown
    // number of tokens is grouped, and a grouping has 31 bits for it.
    std::optional<int64_t> tokens = getStatic(shape, "T");
    if (tokens && *tokens > kMaxSize)
      return KernelFinding::notMet(
          llvm::formatv("needs T to be at most 2^30, but T is {0}", *tokens));
    KernelFinding finding;
    for (const KernelExtent &extent : shape.getExtents())
      if (StringRef(extent.name).starts_with("N") || extent.name == "K" ||
          (isGrouped && extent.name == "G"))
        finding.requirements.push_back(
            {shape.getSymbol(extent.name, op.getContext()), Kind::AtMost,
             kMaxSize, llvm::formatv("{0} to be at most 2^30", extent.name)});
    return finding;
  };
  return {"sizes", "T, K, G and each N to be at most 2^30", check};
}
