//===- LoraMatmulKernels.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of the kernels that serve frit.lora_matmul alone: for few tokens,
// for high ranks, and for many tokens. The limits between them are those of the
// 59 points in docs/kernels/LoraNotes.md, measured on an H200.
//
//===----------------------------------------------------------------------===//

#include "CudaKernels.h"
#include "LoraConditions.h"
#include "LoraOperands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <string>
#include <utility>

using namespace mlir;
using namespace mlir::frit;

using Kind = KernelRequirement::Kind;

namespace {

/// Functions of one form, with clusters of several sizes.
struct Family {
  /// "decode64": the kernels are cuda.lora_decode64_clusterC.
  std::string name;
  /// Before and after the element type: "frit_lora_decode64_".
  std::string function;
  /// Images are named lora_<image><type>.
  StringRef image;
  SmallVector<StringRef, 2> elementTypes;
  int64_t tokens;
  /// Ranks that the family is chosen for.
  int64_t minRank, maxRank;
  /// The fewest tokens of all slices together.
  int64_t minTokens = 0;
  /// The fewest k's, and the most that the family is chosen for.
  int64_t minK = 0;
  std::optional<int64_t> maxK = std::nullopt;
  bool needsGrouping = false, needsVectors = false;
  /// The kernel may wait for the one ahead only when it needs y.
  bool waitsLate = false;
  int64_t sharedBytes = 0;
  std::optional<int64_t> mostTokens;
  /// Clusters of so many blocks, where no more than so many run.
  struct Cluster {
    int64_t blocks, residentBlocks;
  };
  SmallVector<Cluster, 6> clusters;
};

} // namespace

/// Kernels by way of shared memory keep rank vectors to 18 bits, which is less
/// than what sums of so many products may be off.
static constexpr int64_t kMinMatrixK = 144;

/// Of kernels by way of shared memory: stages of x and A, whose place rank
/// vectors and stages of B take, and what blocks send each other.
static int64_t getStagedBytes(int64_t tokens, int64_t ranks, int64_t hidden,
                              int64_t weightStage) {
  int64_t staged = (ranks > 128 ? 3 : 4) * 2 * 64 * (tokens + ranks);
  int64_t stages = std::clamp<int64_t>((staged - hidden) / weightStage, 3, 4);
  return std::max(staged, hidden + stages * weightStage) +
         4 * ranks * (tokens + 16);
}

static Family getFamily(StringRef name, StringRef image, int64_t tokens,
                        int64_t minRank, int64_t maxRank,
                        ArrayRef<Family::Cluster> clusters) {
  Family family;
  family.name = name.str();
  family.image = image;
  family.elementTypes = {"bf16"};
  family.tokens = tokens;
  family.minRank = minRank;
  family.maxRank = maxRank;
  llvm::append_range(family.clusters, clusters);
  return family;
}

/// Clusters of these sizes, with one limit of the blocks that run.
static SmallVector<Family::Cluster, 6> getClusters(ArrayRef<int64_t> sizes,
                                                   int64_t residentBlocks) {
  SmallVector<Family::Cluster, 6> clusters;
  for (int64_t blocks : sizes)
    clusters.push_back({blocks, residentBlocks});
  return clusters;
}

static Family getStaged(int64_t minRank, int64_t maxRank, StringRef name,
                        int64_t residentBlocks) {
  Family family = getFamily(name, "staged_", 16, minRank, maxRank,
                            getClusters({16, 8, 4, 2, 1}, residentBlocks));
  family.function = llvm::formatv("frit_lora_staged16_{0}_", maxRank);
  family.minK = kMinMatrixK;
  family.sharedBytes = getStagedBytes(16, maxRank, 2 * 16 * (2 * maxRank + 16),
                                      2 * 128 * std::min<int64_t>(maxRank, 64));
  family.mostTokens = 128;
  return family;
}

static Family getWide(int64_t minRank, int64_t maxRank, StringRef name,
                      int64_t minTokens, int64_t residentBlocks) {
  Family family = getFamily(name, "wide_", 64, minRank, maxRank,
                            getClusters({8, 5, 4, 3, 2, 1}, residentBlocks));
  family.function = llvm::formatv("frit_lora_wide{0}_", maxRank);
  family.minTokens = minTokens;
  family.minK = kMinMatrixK;
  family.needsGrouping = true;
  // Tiles of shared memory begin at multiples of 1024 bytes.
  family.sharedBytes =
      1024 + getStagedBytes(64, maxRank,
                            2 * 128 * 64 * std::max<int64_t>(maxRank / 64, 1),
                            128 * 128);
  return family;
}

static Family getDecode(int64_t tokens, int64_t minRank, int64_t maxRank,
                        StringRef name, int64_t mostTokens,
                        ArrayRef<Family::Cluster> clusters) {
  Family family =
      getFamily(name, /*image=*/"", tokens, minRank, maxRank, clusters);
  family.function = ("frit_lora_" + name + "_").str();
  family.elementTypes = {"f16", "bf16"};
  family.mostTokens = mostTokens;
  family.waitsLate = true;
  return family;
}

/// See kernels/Lora/FlowShape.cuh.
static Family getFlow(int64_t tokens, int64_t minRank, int64_t maxRank,
                      int64_t slots, ArrayRef<Family::Cluster> clusters) {
  constexpr int64_t kDepth = 256, kWarps = 8;
  std::string name = llvm::formatv("flow{0}_{1}", tokens, maxRank);
  Family family = getFamily(name, "flow_", tokens, minRank, maxRank, clusters);
  family.function = "frit_lora_" + name + "_";
  family.needsVectors = true;
  int64_t warps = std::min(maxRank / 8, kWarps);
  warps *= std::min(tokens / 16, kWarps / warps);
  int64_t shares = 4 * (kWarps / warps) * tokens * (maxRank + 4);
  bool isOneStep = tokens == 16 && maxRank <= 32;
  int64_t inbox = 4 * maxRank * (isOneStep ? 16 * tokens : tokens + 16);
  int64_t terms = 3 * tokens * (2 * maxRank + 16);
  family.sharedBytes =
      slots * 2 * kDepth * (tokens + maxRank) + shares + inbox + terms;
  return family;
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

static void addEntry(KernelTable &table, const Family &family,
                     Family::Cluster cluster, int64_t priority) {
  int64_t blocks = cluster.blocks;
  LoraTile tile = {family.tokens, blocks, family.mostTokens,
                   cluster.residentBlocks};
  KernelEntry entry{
      llvm::formatv("cuda.lora_{0}_cluster{1}", family.name, blocks),
      "frit.lora_matmul",
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
  entry.params = [tile,
                  sharedBytes = family.sharedBytes](KernelOpInterface op) {
    Builder builder(op.getContext());
    auto number = [&](StringRef name, int64_t value) {
      return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
    };
    SmallVector<NamedAttribute> params = {
        number("sharedBytes", sharedBytes),
        number("window",
               LoraTile::getWindow(LoraOperands::of(op).isGrouped()))};
    if (tile.tokens == 1)
      params.push_back(number("parts", getParts(tile, op)));
    return builder.getDictionaryAttr(params);
  };
  entry.launchPlan = [tile](const KernelPlanSizes &sizes) {
    KernelLaunchPlan plan = tile.planLaunch(sizes);
    if (tile.tokens == 1)
      for (AffineExpr &blocks : plan.grid[0].expressions)
        blocks = blocks * sizes("parts");
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

void frit::addLoraMatmulKernels(KernelTable &table) {
  SmallVector<Family, 0> families;
  // One token a cluster. Short rows leave half as many blocks enough to do.
  families.push_back(getDecode(1, 1, 16, "decode", 8, {{8, 128}}));
  families.back().maxK = 6144;
  families.push_back(
      getDecode(1, 1, 16, "decode", 8, getClusters({16, 4}, 128)));
  families.push_back(
      getDecode(1, 17, 64, "decode64", 4, getClusters({16, 8, 4}, 128)));
  families.push_back(getDecode(8, 1, 16, "decode_tile8", 128,
                               {{16, 112}, {8, 240}, {4, 272}}));
  // A processing cluster of 16 or 18 multiprocessors holds two blocks on each:
  // so many blocks of clusters of six and of three run at once.
  families.push_back(getFlow(16, 1, 16, 4, {{8, 256}, {6, 240}}));
  families.push_back(getFlow(32, 1, 16, 4, {{6, 240}}));
  families.push_back(getFlow(16, 1, 16, 4, {{3, 240}}));
  families.push_back(getFlow(32, 1, 16, 4, {{4, 256}}));
  families.push_back(getFlow(16, 1, 16, 4, {{2, 272}}));
  families.push_back(getFlow(32, 1, 16, 4, {{2, 272}}));
  for (auto [minRank, maxRank] : {std::pair(17, 32), std::pair(33, 64)}) {
    families.push_back(
        getFlow(16, minRank, maxRank, 2, {{16, 128}, {8, 256}, {4, 272}}));
    families.back().mostTokens = 128;
  }
  families.push_back(getStaged(33, 64, "staged64", 272));
  families.push_back(getStaged(65, 128, "staged128", 272));
  families.push_back(getStaged(129, 256, "staged256", 132));
  families.push_back(getWide(1, 32, "wide32", 3072, 264));
  families.push_back(getWide(33, 64, "wide64", 129, 264));
  families.push_back(getWide(65, 128, "wide128", 129, 288));
  families.push_back(getWide(129, 256, "wide256", 129, 110));
  // Above those of the tiles, whose priorities are below 60.
  int64_t priority = 160;
  for (const Family &family : families)
    for (Family::Cluster cluster : family.clusters)
      addEntry(table, family, cluster, --priority);
}
