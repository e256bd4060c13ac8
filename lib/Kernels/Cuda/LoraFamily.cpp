//===- LoraFamily.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries of the LoRA kernels that are made for some batches and ranks.
//
//===----------------------------------------------------------------------===//

#include "LoraFamily.h"

#include "CudaKernels.h"
#include "LoraConditions.h"
#include "LoraOperands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <utility>

using namespace mlir;
using namespace mlir::frit;

using Kind = KernelRequirement::Kind;

LoraFamily frit::getLoraFamily(StringRef name, StringRef image, int64_t tokens,
                               int64_t minRank, int64_t maxRank,
                               ArrayRef<LoraFamily::Cluster> clusters) {
  LoraFamily family;
  family.name = name.str();
  family.image = image;
  family.elementTypes = {"bf16"};
  family.tokens = tokens;
  family.minRank = minRank;
  family.maxRank = maxRank;
  llvm::append_range(family.clusters, clusters);
  return family;
}

SmallVector<LoraFamily::Cluster, 6>
frit::getLoraClusters(ArrayRef<int64_t> sizes, int64_t residentBlocks) {
  SmallVector<LoraFamily::Cluster, 6> clusters;
  for (int64_t blocks : sizes)
    clusters.push_back({blocks, residentBlocks});
  return clusters;
}

LoraFlowBytes frit::getLoraFlowBytes(int64_t tokens, int64_t ranks,
                                     int64_t slots, int64_t depth) {
  constexpr int64_t kWarps = 8;
  int64_t warps = std::min(ranks / 8, kWarps);
  warps *= std::min(tokens / 16, kWarps / warps);
  return {slots * 2 * depth * (tokens + ranks),
          4 * (kWarps / warps) * tokens * (ranks + 4),
          4 * ranks * (tokens + 16), 3 * tokens * (2 * ranks + 16)};
}

/// Clusters that divide the columns of a token between them: as many as there
/// is work for, while no more than so many blocks run.
static int64_t getParts(const LoraTile &tile, KernelOpInterface op) {
  constexpr int64_t kMost = 4, kColumns = 256, kUsualColumns = 4096;
  if (tile.tokens > 1)
    return 1;
  KernelShape shape = op.getKernelShape();
  auto slices = static_cast<int64_t>(LoraOperands::of(op).getNumSlices());
  int64_t columns = 1;
  for (int64_t slice = 0; slice < slices; ++slice)
    columns = std::max(
        columns,
        getStatic(shape, "N" + std::to_string(slice)).value_or(kUsualColumns));
  int64_t tokens = std::max<int64_t>(
      getStatic(shape, "T").value_or(tile.mostTokens.value_or(1)), 1);
  int64_t wanted = llvm::divideCeil(columns, kColumns * tile.blocks);
  int64_t atOnce = tile.residentBlocks / (tile.blocks * tokens * slices);
  return std::clamp<int64_t>(std::min(wanted, atOnce), 1, kMost);
}

static KernelCondition hasManyTokens(int64_t least) {
  std::string needs =
      llvm::formatv("T to be at least {0} over the number of slices", least);
  auto check = [least](KernelOpInterface op, const KernelShape &shape) {
    auto slices = static_cast<int64_t>(LoraOperands::of(op).getNumSlices());
    int64_t each = llvm::divideCeil(least, slices);
    KernelFinding finding;
    finding.requirements = {{shape.getSymbol("T", op.getContext()),
                             Kind::AtLeast, each,
                             llvm::formatv("T to be at least {0}", each)}};
    return finding;
  };
  return {"many tokens", needs, check};
}

/// Elsewhere elements are copied one by one, which other families do faster.
static KernelCondition hasVectors() {
  auto check = [](KernelOpInterface op, const KernelShape &shape) {
    for (const KernelExtent &extent : shape.getExtents()) {
      StringRef name = extent.name;
      std::optional<int64_t> size = extent.getStaticSize();
      if ((name == "K" || name == "R" || name.starts_with("N")) && size &&
          *size % 8 != 0)
        return KernelFinding::notMet(llvm::formatv(
            "needs {0} to be a multiple of 8, but {0} is {1}", name, *size));
    }
    return KernelFinding::met();
  };
  return {"vectors", "K, R and each N to be multiples of 8", check};
}

static KernelCondition hasGrouping() {
  return {"grouping", "a grouping",
          [](KernelOpInterface op, const KernelShape &) {
            return LoraOperands::of(op).isGrouped()
                       ? KernelFinding::met()
                       : KernelFinding::notMet("needs a grouping, but the op "
                                               "has ids alone");
          }};
}

static void addEntry(KernelTable &table, const LoraFamily &family,
                     LoraFamily::Cluster size, int64_t priority) {
  int64_t blocks = size.blocks;
  LoraTile tile = {family.tokens, blocks, family.mostTokens,
                   size.residentBlocks};
  KernelEntry entry{llvm::formatv("cuda.lora_{0}_{1}{2}", family.name,
                                  family.dividesColumns ? "parts" : "cluster",
                                  blocks),
                    family.op.str(),
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(90),
                    {},
                    priority};
  std::vector<std::string> images;
  for (StringRef type : family.elementTypes) {
    entry.elementTypes.push_back(type.str());
    images.push_back(("lora_" + family.image + type).str());
  }
  entry.conditions = {hasWeights(/*isF32=*/false),
                      KernelCondition::atMost("slices", "S", 8),
                      hasRank(family.minRank, family.maxRank), hasSizes()};
  if (family.minK > 0)
    entry.conditions.push_back(KernelCondition::atLeast("K", "K", family.minK));
  if (family.maxK)
    entry.conditions.push_back(KernelCondition::atMost("K", "K", *family.maxK));
  if (family.needsVectors)
    entry.conditions.push_back(hasVectors());
  if (family.needsGrouping)
    entry.conditions.push_back(hasGrouping());
  if (family.minTokens > 0)
    entry.conditions.push_back(hasManyTokens(family.minTokens));
  if (blocks > 1 || family.mostTokens)
    entry.conditions.push_back(hasTokens(tile));
  // Clusters of one token may divide its columns.
  bool isToken = tile.tokens == 1 && !family.ranksEach;
  entry.params = [tile, isToken,
                  sharedBytes = family.sharedBytes](KernelOpInterface op) {
    Builder builder(op.getContext());
    auto number = [&](StringRef name, int64_t value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    SmallVector<NamedAttribute> params = {
        number("sharedBytes", sharedBytes),
        number("window",
               LoraTile::getWindow(LoraOperands::of(op).isGrouped()))};
    if (isToken)
      params.push_back(number("parts", getParts(tile, op)));
    return builder.getDictionaryAttr(params);
  };
  LoraTile cluster = tile;
  if (family.dividesColumns)
    cluster.blocks = 1;
  entry.launchPlan =
      [cluster, isToken, parts = tile.blocks, ranksEach = family.ranksEach,
       divides = family.dividesColumns](const KernelPlanSizes &sizes) {
        KernelLaunchPlan plan = cluster.planLaunch(sizes);
        if (isToken)
          for (AffineExpr &blocks : plan.grid[0].expressions)
            blocks = blocks * sizes("parts");
        if (ranksEach)
          plan.grid[2] = sizes("R").ceilDiv(*ranksEach);
        if (divides)
          plan.grid[2] = sizes.getConstant(parts);
        return plan;
      };
  entry.argumentPlan = planLoraArguments;
  entry.contiguousOperands = getLoraWeights;
  if (family.waitsLate)
    entry.operandsAfterWait = [](KernelOpInterface op) {
      auto matmul = cast<LoraMatmulOp>(op.getOperation());
      return SmallVector<unsigned>{matmul.getOutMutable().getOperandNumber()};
    };
  entry.function = [function = family.function](KernelOpInterface op) {
    return function + getTypeName(op.getKernelElementType());
  };
  entry.images = findImages(images);
  (void)table.add(std::move(entry));
}

void frit::addLoraFamily(KernelTable &table, const LoraFamily &family,
                         int64_t &priority) {
  for (LoraFamily::Cluster cluster : family.clusters)
    addEntry(table, family, cluster, --priority);
}
