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

LoraFamily frit::readIds(LoraFamily family,
                         ArrayRef<LoraFamily::Cluster> clusters) {
  family.name += "_ids";
  family.readsIds = true;
  family.mostTokens = 128;
  family.clusters.assign(clusters.begin(), clusters.end());
  return family;
}

LoraFamily frit::followMatmul(LoraFamily family,
                              ArrayRef<LoraFamily::Cluster> clusters) {
  family.name += "_behind";
  family.followsMatmul = true;
  family.clusters.assign(clusters.begin(), clusters.end());
  return family;
}

SmallVector<LoraFamily::Cluster, 8>
frit::getLoraClusters(ArrayRef<int64_t> sizes, int64_t residentBlocks) {
  SmallVector<LoraFamily::Cluster, 8> clusters;
  for (int64_t blocks : sizes)
    clusters.push_back(
        {blocks, blocks == 1 ? std::nullopt : std::optional(residentBlocks)});
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

int64_t frit::getLoraWideBytes(int64_t ranks, LoraHalves halves) {
  constexpr int64_t kTokens = 64, kTile = 128 * kTokens, kAlignment = 1024;
  // One block a multiprocessor has twice the columns, and more of everything on
  // its way.
  bool isAlone = halves != LoraHalves::Shrink && ranks > 64;
  int64_t depthTiles = isAlone && ranks <= 128 ? 2 : 1;
  int64_t staged = (isAlone ? 3 : 4) * depthTiles * (kTile + 128 * ranks);
  int64_t inbox = 4 * ranks * (kTokens + 16);
  if (halves == LoraHalves::Shrink)
    return kAlignment + staged + inbox;

  int64_t chunks = std::max<int64_t>(ranks / 64, 1);
  int64_t terms = halves == LoraHalves::Expand && ranks <= 128 ? 3 : 2;
  int64_t hidden = terms * chunks * kTile;
  int64_t slot = 2 * 128 * (isAlone ? 128 : 64);
  int64_t weights = isAlone ? 3 : 2;
  int64_t outputs = llvm::divideCeil(weights, chunks);
  int64_t second = hidden + (weights + outputs) * slot;
  if (halves == LoraHalves::Expand)
    return kAlignment + second;

  // The slots that are filled before sums are sent: those of B, and as many of
  // y as there are columns among the first steps.
  int64_t ahead = weights - 1;
  int64_t outputChunk = std::max<int64_t>(ahead - (outputs - 1) * chunks, 0);
  int64_t early = outputChunk < ahead
                      ? weights + llvm::divideCeil(ahead - outputChunk, chunks)
                      : ahead;
  return kAlignment +
         std::max(second, std::max(staged, hidden + early * slot) + inbox);
}

static int64_t getNumSlices(KernelOpInterface op) {
  return static_cast<int64_t>(LoraOperands::of(op).getNumSlices());
}

/// The columns of the widest slice.
static int64_t getColumns(KernelOpInterface op) {
  constexpr int64_t kUsualColumns = 4096;
  KernelShape shape = op.getKernelShape();
  int64_t columns = 1;
  for (int64_t slice = 0; slice < getNumSlices(op); ++slice)
    columns = std::max(
        columns,
        getStatic(shape, "N" + std::to_string(slice)).value_or(kUsualColumns));
  return columns;
}

/// Clusters that divide the columns of a token between them: as many as there
/// is work for, while no more than so many blocks run.
static int64_t getParts(const LoraTile &tile, KernelOpInterface op) {
  constexpr int64_t kMost = 8, kColumns = 256;
  int64_t tokens = std::max<int64_t>(
      getStatic(op.getKernelShape(), "T").value_or(tile.mostTokens.value_or(1)),
      1);
  int64_t wanted = llvm::divideCeil(getColumns(op), kColumns * tile.blocks);
  int64_t atOnce = tile.residentBlocks.value_or(tile.blocks) /
                   (tile.blocks * tokens * getNumSlices(op));
  return std::clamp<int64_t>(std::min(wanted, atOnce), 1, kMost);
}

static LoraTile getTile(const LoraFamily &family, LoraFamily::Cluster size) {
  return {family.tokens, size.blocks, family.mostTokens, size.residentBlocks,
          family.readsIds};
}

/// The same with what depends on the op: the blocks that divide its columns,
/// and how many run beside each other for its ranks.
static LoraTile getTile(const LoraFamily &family, LoraFamily::Cluster size,
                        KernelOpInterface op) {
  // From so many columns on a slice has many.
  constexpr int64_t kManyColumns = 12288;
  LoraTile tile = getTile(family, size);
  if (size.residentBlocksOfMany && getColumns(op) >= kManyColumns)
    tile.residentBlocks = size.residentBlocksOfMany;
  if (family.stepColumns) {
    tile.blocks = size.blocks == 0
                      ? 1
                      : llvm::divideCeil(getColumns(op),
                                         *family.stepColumns * size.blocks);
    // What takes whole rows, and is the last, takes every batch.
    if (tile.blocks == 1 && family.clusters.back().blocks == 0)
      tile.residentBlocks = std::nullopt;
  }
  if (family.ranksEach && tile.residentBlocks) {
    int64_t rank = getStatic(op.getKernelShape(), "R").value_or(family.maxRank);
    *tile.residentBlocks /=
        std::max<int64_t>(llvm::divideCeil(rank, *family.ranksEach), 1);
  }
  return tile;
}

static std::string getName(const LoraFamily &family, LoraFamily::Cluster size) {
  if (!family.stepColumns)
    return llvm::formatv("cuda.lora_{0}_cluster{1}", family.name, size.blocks);
  if (size.blocks == 0)
    return llvm::formatv("cuda.lora_{0}_whole", family.name);
  return llvm::formatv("cuda.lora_{0}_steps{1}", family.name, size.blocks);
}

/// `ofGrouping`: and at least as many as make a grouping. With fewer tokens an
/// op has one only where it did not know how many, and the kernel must be the
/// same.
static KernelCondition hasManyTokens(int64_t least, bool ofGrouping) {
  int64_t grouped =
      ofGrouping ? LoraTile::getWindow(/*isGrouped=*/false) + 1 : 1;
  std::string needs = llvm::formatv("T to be at least {0}", grouped);
  if (least > 0)
    needs = llvm::formatv("T to be at least {0} over the number of slices{1}",
                          least, ofGrouping ? ", and 33" : "");
  auto check = [=](KernelOpInterface op, const KernelShape &shape) {
    int64_t each =
        std::max<int64_t>(llvm::divideCeil(least, getNumSlices(op)), grouped);
    KernelFinding finding;
    finding.requirements = {requireAtLeast(shape, "T", each, op.getContext())};
    return finding;
  };
  return {"many tokens", needs, check};
}

/// Elsewhere elements are copied one by one, which other families do faster.
static KernelCondition hasVectors() {
  auto check = [](KernelOpInterface op, const KernelShape &shape) {
    KernelFinding finding;
    for (const KernelExtent &extent : shape.getExtents()) {
      StringRef name = extent.name;
      if (name == "K" || name == "R" || name.starts_with("N"))
        finding.requirements.push_back(
            {shape.getSymbol(name, op.getContext()), Kind::MultipleOf, 8,
             llvm::formatv("{0} to be a multiple of 8", name)});
    }
    return finding;
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

static KernelCondition followsMatmul() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    auto lora = cast<LoraMatmulOp>(op.getOperation());
    return lora.getOut().getDefiningOp<MatmulOp>()
               ? KernelFinding::met()
               : KernelFinding::notMet("needs y to be a result of frit.matmul");
  };
  return {"matmul", "y to be a result of frit.matmul", check};
}

static void addConditions(KernelEntry &entry, const LoraFamily &family,
                          LoraFamily::Cluster size) {
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
  if (family.followsMatmul) {
    constexpr int64_t kFew = 16;
    entry.conditions.push_back(
        KernelCondition::atMost("few tokens", "T", kFew));
    entry.conditions.push_back(family.waitsLate ? followsGemv()
                                                : followsMatmul());
  }
  if (family.minTokens > 0 || family.needsGrouping)
    entry.conditions.push_back(
        hasManyTokens(family.minTokens, family.needsGrouping));
  if (family.beyond)
    entry.conditions.push_back(
        hasMoreTokens({family.tokens, family.beyond->blocks, std::nullopt,
                       family.beyond->residentBlocks}));
  LoraTile tile = getTile(family, size);
  if (tile.residentBlocks || tile.mostTokens)
    entry.conditions.push_back(
        hasTokens(tile, [family, size](KernelOpInterface op) {
          return getTile(family, size, op);
        }));
}

static KernelLaunchPlan planLaunch(const LoraFamily &family,
                                   LoraFamily::Cluster size,
                                   const KernelPlanSizes &sizes) {
  LoraTile tile = getTile(family, size);
  if (family.stepColumns)
    tile.blocks = 1;
  KernelLaunchPlan plan = tile.planLaunch(sizes);
  if (family.dividesTokens())
    for (AffineExpr &blocks : plan.grid[0].expressions)
      blocks = blocks * sizes("parts");
  if (family.ranksEach)
    plan.grid[2] = sizes("R").ceilDiv(*family.ranksEach);
  if (family.stepColumns)
    plan.grid[2] = sizes("parts");
  return plan;
}

static void addEntry(KernelTable &table, const LoraFamily &family,
                     LoraFamily::Cluster size, int64_t priority) {
  KernelEntry entry{getName(family, size),
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
  addConditions(entry, family, size);
  entry.params = [family, size](KernelOpInterface op) {
    Builder builder(op.getContext());
    auto number = [&](StringRef name, int64_t value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    SmallVector<NamedAttribute> params = {
        number("sharedBytes", family.sharedBytes),
        number("window", LoraTile::getWindow(LoraOperands::of(op).isGrouped() &&
                                             !family.readsIds))};
    LoraTile tile = getTile(family, size, op);
    if (family.dividesTokens())
      params.push_back(number("parts", getParts(tile, op)));
    if (family.stepColumns)
      params.push_back(number("parts", tile.blocks));
    return builder.getDictionaryAttr(params);
  };
  entry.launchPlan = [family, size](const KernelPlanSizes &sizes) {
    return planLaunch(family, size, sizes);
  };
  entry.ignoresGrouping = family.readsIds;
  entry.argumentPlan =
      family.readsIds ? planLoraArgumentsOfIds : planLoraArguments;
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
