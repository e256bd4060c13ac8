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
#include "LoraFamily.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

using namespace mlir;
using namespace mlir::frit;

/// Kernels by way of shared memory keep rank vectors to 18 bits, which is less
/// than what sums of so many products may be off.
static constexpr int64_t kMinMatrixK = 144;

/// Blocks that are one on each, or twice as many: one more waits for a whole
/// other block to end.
static constexpr int64_t kMultiprocessors = 132;

/// Of kernels by way of shared memory: stages of x and A, whose place rank
/// vectors and stages of B take, and what blocks send each other.
static int64_t getStagedBytes(int64_t tokens, int64_t ranks, int64_t hidden,
                              int64_t weightStage) {
  int64_t staged = (ranks > 128 ? 3 : 4) * 2 * 64 * (tokens + ranks);
  int64_t stages = std::clamp<int64_t>((staged - hidden) / weightStage, 3, 4);
  return std::max(staged, hidden + stages * weightStage) +
         4 * ranks * (tokens + 16);
}

static LoraFamily getStaged(int64_t minRank, int64_t maxRank, StringRef name,
                            int64_t residentBlocks) {
  LoraFamily family =
      getLoraFamily(name, "staged_", 16, minRank, maxRank,
                    getLoraClusters({16, 8, 4, 2, 1}, residentBlocks));
  family.function = llvm::formatv("frit_lora_staged16_{0}_", maxRank);
  family.minK = kMinMatrixK;
  family.sharedBytes = getStagedBytes(16, maxRank, 2 * 16 * (2 * maxRank + 16),
                                      2 * 128 * std::min<int64_t>(maxRank, 64));
  family.mostTokens = 128;
  return family;
}

static LoraFamily getWide(int64_t minRank, int64_t maxRank, StringRef name,
                          int64_t minTokens,
                          ArrayRef<LoraFamily::Cluster> clusters) {
  LoraFamily family =
      getLoraFamily(name, "wide_", 64, minRank, maxRank, clusters);
  family.function = llvm::formatv("frit_lora_wide{0}_", maxRank);
  family.minTokens = minTokens;
  family.minK = kMinMatrixK;
  family.needsGrouping = true;
  family.sharedBytes = getLoraWideBytes(maxRank, LoraHalves::Both);
  return family;
}

static SmallVector<LoraFamily::Cluster, 8>
getWideClusters(int64_t residentBlocks) {
  return getLoraClusters({8, 5, 4, 3, 2, 1}, residentBlocks);
}

static LoraFamily getDecode(int64_t tokens, int64_t minRank, int64_t maxRank,
                            StringRef name, int64_t mostTokens,
                            ArrayRef<LoraFamily::Cluster> clusters) {
  LoraFamily family =
      getLoraFamily(name, /*image=*/"", tokens, minRank, maxRank, clusters);
  family.function = ("frit_lora_" + name + "_").str();
  family.elementTypes = {"f16", "bf16"};
  family.mostTokens = mostTokens;
  family.waitsLate = true;
  return family;
}

/// See kernels/Lora/FlowShape.cuh.
static LoraFamily getFlow(int64_t tokens, int64_t minRank, int64_t maxRank,
                          int64_t slots, ArrayRef<LoraFamily::Cluster> clusters,
                          int64_t depth = 256) {
  std::string name = llvm::formatv("flow{0}_{1}", tokens, maxRank);
  LoraFamily family =
      getLoraFamily(name, "flow_", tokens, minRank, maxRank, clusters);
  family.function = "frit_lora_" + name + "_";
  family.needsVectors = true;
  LoraFlowBytes bytes = getLoraFlowBytes(tokens, maxRank, slots, depth);
  bool isOneStep = tokens == 16 && maxRank <= 32;
  family.sharedBytes = bytes.steps + bytes.shares + bytes.terms +
                       (isOneStep ? 4 * maxRank * 16 * tokens : bytes.inbox);
  return family;
}

/// Ranks up to 16. The limits count blocks by the most tiles that a batch may
/// have.
static void addLowRanks(SmallVectorImpl<LoraFamily> &families) {
  // One token a cluster. Short rows leave half as many blocks enough to do.
  families.push_back(getDecode(1, 1, 16, "decode", 8, {{8, 128}}));
  families.back().maxK = 6144;
  families.push_back(
      getDecode(1, 1, 16, "decode", 8, getLoraClusters({16, 4}, 128)));
  families.push_back(
      followMatmul(getDecode(8, 1, 16, "decode_tile8", 128, {}), {{8, 112}}));
  families.push_back(followMatmul(getFlow(16, 1, 16, 4, {}), {{8, 100}}));
  families.push_back(readIds(getFlow(16, 1, 16, 4, {}), {{16, 100}, {8, 100}}));
  families.push_back(getDecode(8, 1, 16, "decode_tile8", 128, {{16, 112}}));
  // Where a tile's columns are many, twice as many blocks have enough to do.
  families.push_back(getFlow(16, 1, 16, 4, {{16, 100, 224}, {8, 120}}));
  // A processing cluster of 16 or 18 multiprocessors holds two blocks on each:
  // so many blocks of clusters of six and of three run at once. Without a
  // grouping there are about as many tiles as tokens, for which eight do.
  families.push_back(getFlow(16, 1, 16, 4, {{6, 240}}));
  families.back().needsGrouping = true;
  families.push_back(getDecode(8, 1, 16, "decode_tile8", 128, {{8, 180}}));
  families.push_back(getFlow(16, 1, 16, 4, {{4, 208}}));
  // Many adapters of few tokens: most of the tiles that there may be are none.
  families.push_back(readIds(getFlow(16, 1, 16, 4, {}), {{4, 256}}));
  // Clusters of two while they are one block a multiprocessor; a few more
  // tiles would leave some with two and most with one.
  families.push_back(getFlow(16, 1, 16, 4, {{3, 240}}));
  families.back().beyond = {2, kMultiprocessors};
  families.push_back(getFlow(16, 1, 16, 4, {{2, 2 * kMultiprocessors}}));
  families.push_back(
      getFlow(32, 1, 16, 4, {{3, 240}, {2, 272}, {1, 2 * kMultiprocessors}}));
  families.push_back(getDecode(8, 1, 16, "decode_tile8", 128, {{4, 272}}));
}

/// Ranks up to 64.
static void addMiddleRanks(SmallVectorImpl<LoraFamily> &families) {
  families.push_back(
      getDecode(1, 17, 64, "decode64", 4, getLoraClusters({16, 8, 4}, 128)));
  families.push_back(
      readIds(getFlow(16, 17, 32, 2, {}), {{16, 100}, {8, 100}}));
  families.push_back(getFlow(
      16, 17, 32, 2, {{16, 112}, {8, 160}, {4, 200}, {3, 240}, {2, 272}}));
  families.push_back(getFlow(16, 33, 64, 2, {{16, 112}, {8, 256}, {4, 272}}));
  families.back().mostTokens = 128;
  families.push_back(getStaged(33, 64, "staged64", 272));
  families.push_back(getWide(1, 32, "wide32", 2048, getWideClusters(264)));
  families.push_back(getWide(33, 64, "wide64", 129, getWideClusters(264)));
}

/// Ranks up to 256: one block a multiprocessor.
static void addHighRanks(SmallVectorImpl<LoraFamily> &families) {
  for (auto [minRank, maxRank, slots] :
       {std::tuple(65, 128, 4), std::tuple(129, 256, 2)}) {
    families.push_back(
        getFlow(16, minRank, maxRank, slots, {{16, 112}, {8, 132}}, 128));
    families.push_back(
        getFlow(16, minRank, maxRank, slots, {{4, 132}, {2, 132}}, 128));
    families.back().mostTokens = 128;
  }
  families.push_back(getStaged(65, 128, "staged128", 272));
  families.push_back(getStaged(129, 256, "staged256", 132));
  families.push_back(
      getWide(65, 128, "wide128", 129,
              {{8, 288}, {5, 288}, {4, 384}, {2, 288}, {1, std::nullopt}}));
  families.push_back(getWide(129, 256, "wide256", 129, getWideClusters(110)));
}

void frit::addLoraMatmulKernels(KernelTable &table) {
  SmallVector<LoraFamily, 0> families;
  addLowRanks(families);
  addMiddleRanks(families);
  addHighRanks(families);
  // Above those of the tiles, whose priorities are below 60.
  int64_t priority = 160;
  for (const LoraFamily &family : families)
    addLoraFamily(table, family, priority);
}
