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

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::frit;

using Kind = KernelRequirement::Kind;

namespace {

/// Functions of one form, with clusters of several sizes.
struct Family {
  /// "decode64": the kernels are cuda.lora_decode64_clusterC.
  StringRef name;
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
  /// The fewest k's.
  int64_t minK = 0;
  bool needsGrouping = false;
  int64_t sharedBytes = 0;
  std::optional<int64_t> mostTokens;
  int64_t residentBlocks;
  SmallVector<int64_t, 6> clusters;
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
                        int64_t residentBlocks) {
  Family family;
  family.name = name;
  family.image = image;
  family.elementTypes = {"bf16"};
  family.tokens = tokens;
  family.minRank = minRank;
  family.maxRank = maxRank;
  family.residentBlocks = residentBlocks;
  return family;
}

static Family getStaged(int64_t minRank, int64_t maxRank, StringRef name,
                        int64_t residentBlocks) {
  Family family =
      getFamily(name, "staged_", 16, minRank, maxRank, residentBlocks);
  family.function = llvm::formatv("frit_lora_staged16_{0}_", maxRank);
  family.minK = kMinMatrixK;
  family.sharedBytes = getStagedBytes(16, maxRank, 2 * 16 * (2 * maxRank + 16),
                                      2 * 128 * std::min<int64_t>(maxRank, 64));
  family.mostTokens = 128;
  family.clusters = {16, 8, 4, 2, 1};
  return family;
}

static Family getWide(int64_t minRank, int64_t maxRank, StringRef name,
                      int64_t minTokens, int64_t residentBlocks) {
  Family family =
      getFamily(name, "wide_", 64, minRank, maxRank, residentBlocks);
  family.function = llvm::formatv("frit_lora_wide{0}_", maxRank);
  family.minTokens = minTokens;
  family.minK = kMinMatrixK;
  family.needsGrouping = true;
  // Tiles of shared memory begin at multiples of 1024 bytes.
  family.sharedBytes =
      1024 + getStagedBytes(64, maxRank,
                            2 * 128 * 64 * std::max<int64_t>(maxRank / 64, 1),
                            128 * 128);
  family.clusters = {8, 5, 4, 3, 2, 1};
  return family;
}

static Family getDecode(int64_t tokens, int64_t minRank, int64_t maxRank,
                        StringRef name, int64_t mostTokens,
                        int64_t residentBlocks) {
  Family family =
      getFamily(name, /*image=*/"", tokens, minRank, maxRank, residentBlocks);
  family.function = ("frit_lora_" + name + "_").str();
  family.elementTypes = {"f16", "bf16"};
  family.mostTokens = mostTokens;
  family.clusters = {16, 8, 4};
  return family;
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

static KernelCondition hasGrouping() {
  return {"grouping", "a grouping",
          [](KernelOpInterface op, const KernelShape &) {
            return LoraOperands::of(op).isGrouped()
                       ? KernelFinding::met()
                       : KernelFinding::notMet("needs a grouping, but the op "
                                               "has ids alone");
          }};
}

static void addEntry(KernelTable &table, const Family &family, int64_t blocks,
                     int64_t priority) {
  LoraTile tile = {family.tokens, blocks, family.mostTokens,
                   family.residentBlocks};
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
  if (family.needsGrouping)
    entry.conditions.push_back(hasGrouping());
  if (family.minTokens > 0)
    entry.conditions.push_back(hasManyTokens(family.minTokens));
  if (blocks > 1 || family.mostTokens)
    entry.conditions.push_back(hasTokens(tile));
  entry.params = [sharedBytes = family.sharedBytes](KernelOpInterface op) {
    Builder builder(op.getContext());
    bool isGrouped = LoraOperands::of(op).isGrouped();
    return builder.getDictionaryAttr(
        {builder.getNamedAttr("sharedBytes",
                              builder.getI64IntegerAttr(sharedBytes)),
         builder.getNamedAttr("window", builder.getI64IntegerAttr(
                                            LoraTile::getWindow(isGrouped)))});
  };
  entry.launchPlan = [tile](const KernelPlanSizes &sizes) {
    return tile.planLaunch(sizes);
  };
  entry.argumentPlan = planLoraArguments;
  entry.contiguousOperands = getLoraWeights;
  entry.function = [function = family.function](KernelOpInterface op) {
    return function + getTypeName(op.getKernelElementType());
  };
  entry.images = findImages(images);
  (void)table.add(std::move(entry));
}

void frit::addLoraMatmulKernels(KernelTable &table) {
  // Above those of the tiles, whose priorities are below 60.
  int64_t priority = 100;
  for (const Family &family : {getDecode(1, 1, 16, "decode", 8, 128),
                               getDecode(1, 17, 64, "decode64", 4, 128),
                               getDecode(8, 1, 16, "decode_tile8", 128, 272),
                               getStaged(33, 64, "staged64", 272),
                               getStaged(65, 128, "staged128", 272),
                               getStaged(129, 256, "staged256", 132),
                               getWide(1, 32, "wide32", 3072, 264),
                               getWide(33, 64, "wide64", 129, 264),
                               getWide(65, 128, "wide128", 129, 288),
                               getWide(129, 256, "wide256", 129, 110)})
    for (int64_t blocks : family.clusters)
      addEntry(table, family, blocks, --priority);
}
