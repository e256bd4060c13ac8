//===- LoraHalfKernels.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of the kernels that compute frit.lora_shrink or frit.lora_expand
// alone. Without an exchange of sums columns are divided among blocks that are
// no cluster; without a second half ranks are divided among clusters.
//
//===----------------------------------------------------------------------===//

#include "CudaKernels.h"
#include "LoraFamily.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

using namespace mlir;
using namespace mlir::frit;

/// A family of `half`, shrink or expand.
static LoraFamily getHalf(StringRef half, StringRef op, StringRef form,
                          StringRef image, int64_t tokens, int64_t minRank,
                          int64_t maxRank,
                          ArrayRef<LoraFamily::Cluster> clusters) {
  std::string name = llvm::formatv("{0}_{1}", form, half);
  LoraFamily family =
      getLoraFamily(name, image, tokens, minRank, maxRank, clusters);
  family.op = op;
  family.function = "frit_lora_" + name + "_";
  return family;
}

/// A family of shrink whose clusters take `each` ranks.
static LoraFamily getShrink(StringRef form, StringRef image, int64_t tokens,
                            int64_t each, int64_t minRank, int64_t maxRank,
                            ArrayRef<LoraFamily::Cluster> clusters) {
  LoraFamily family = getHalf("shrink", "frit.lora_shrink", form, image, tokens,
                              minRank, maxRank, clusters);
  family.ranksEach = each;
  return family;
}

/// A token, or a tile of eight, a cluster.
static LoraFamily getDecodeShrink(StringRef form, int64_t tokens, int64_t each,
                                  int64_t minRank, int64_t maxRank,
                                  int64_t mostTokens,
                                  ArrayRef<LoraFamily::Cluster> clusters) {
  LoraFamily family =
      getShrink(form, "halves_", tokens, each, minRank, maxRank, clusters);
  family.mostTokens = mostTokens;
  return family;
}

/// See kernels/Lora/FlowShape.cuh.
static LoraFamily getFlowShrink(int64_t tokens, int64_t each, int64_t slots,
                                int64_t minRank, int64_t maxRank,
                                ArrayRef<LoraFamily::Cluster> clusters) {
  LoraFamily family =
      getShrink(llvm::formatv("flow{0}_{1}", tokens, each).str(), "halves_",
                tokens, each, minRank, maxRank, clusters);
  LoraFlowBytes bytes = getLoraFlowBytes(tokens, each, slots);
  family.sharedBytes = bytes.steps + bytes.shares + bytes.inbox;
  return family;
}

/// See kernels/Lora/Wide.cuh.
static LoraFamily getWideShrink(int64_t each, int64_t minRank, int64_t maxRank,
                                ArrayRef<LoraFamily::Cluster> clusters) {
  LoraFamily family = getShrink(llvm::formatv("wide{0}", each).str(), "wide_",
                                64, each, minRank, maxRank, clusters);
  family.needsGrouping = true;
  family.minTokens = 129;
  family.sharedBytes = getLoraWideBytes(each, LoraHalves::Shrink);
  return family;
}

/// A family of expand whose blocks take steps of `depth` columns.
static LoraFamily getExpand(StringRef form, StringRef image, int64_t tokens,
                            int64_t minRank, int64_t maxRank, int64_t depth,
                            ArrayRef<LoraFamily::Cluster> steps) {
  LoraFamily family = getHalf("expand", "frit.lora_expand", form, image, tokens,
                              minRank, maxRank, steps);
  family.stepColumns = depth;
  return family;
}

/// Two steps on their way, beside rank vectors as they are read and their
/// terms.
static LoraFamily getFlowExpand(int64_t tokens, int64_t depth, int64_t minRank,
                                int64_t maxRank,
                                ArrayRef<LoraFamily::Cluster> steps) {
  LoraFamily family =
      getExpand(llvm::formatv("flow{0}_{1}", tokens, maxRank).str(), "halves_",
                tokens, minRank, maxRank, depth, steps);
  family.sharedBytes = 2 * 2 * depth * (tokens + maxRank) +
                       4 * maxRank * tokens + 3 * tokens * (2 * maxRank + 16);
  return family;
}

/// See kernels/Lora/WideExpand.cuh.
static LoraFamily getWideExpand(int64_t minRank, int64_t maxRank,
                                int64_t minTokens,
                                ArrayRef<LoraFamily::Cluster> steps) {
  LoraFamily family =
      getExpand(llvm::formatv("wide{0}", maxRank).str(), "wide_", 64, minRank,
                maxRank, maxRank > 64 ? 256 : 128, steps);
  family.needsGrouping = true;
  family.minTokens = minTokens;
  family.sharedBytes = getLoraWideBytes(maxRank, LoraHalves::Expand);
  return family;
}

/// Where ranks are divided among clusters, that is faster than kernels of more
/// ranks a cluster.
static void addShrink(SmallVectorImpl<LoraFamily> &families) {
  families.push_back(getDecodeShrink("decode", 1, 16, 1, 16, 16, {{8, 128}}));
  families.back().maxK = 10240;
  families.push_back(
      getDecodeShrink("decode", 1, 16, 1, 16, 16, {{16, 128}, {4, 128}}));
  families.push_back(
      readIds(getDecodeShrink("decode_tile8", 8, 16, 1, 16, 128, {}),
              {{8, 100}, {4, 144}}));
  families.push_back(
      getDecodeShrink("decode_tile8", 8, 16, 1, 16, 128, {{8, 120}}));
  families.push_back(getFlowShrink(16, 16, 4, 1, 32, {{8, 112}}));
  families.push_back(
      getDecodeShrink("decode_tile8", 8, 16, 1, 16, 128, {{4, 132}}));
  families.push_back(getFlowShrink(
      16, 16, 4, 1, 32, {{6, 130}, {4, 144}, {3, 144}, {2, 268}, {1, 272}}));
  families.push_back(getFlowShrink(32, 16, 4, 1, 16, {{1, std::nullopt}}));
  families.push_back(
      getDecodeShrink("decode64", 1, 64, 17, 256, 8, {{16, 128}, {8, 128}}));
  families.push_back(getWideShrink(
      64, 17, 256,
      {{8, 132}, {6, 132}, {4, 176}, {3, 264}, {2, 264}, {1, std::nullopt}}));
  families.push_back(getFlowShrink(
      16, 64, 2, 17, 256, {{16, 112}, {8, 232}, {4, 264}, {1, std::nullopt}}));
}

/// Blocks of one step each, then of more, while all run at once.
static void addExpand(SmallVectorImpl<LoraFamily> &families) {
  auto steps = [](ArrayRef<int64_t> steps, int64_t residentBlocks) {
    SmallVector<LoraFamily::Cluster, 8> clusters;
    for (int64_t each : steps)
      clusters.push_back({each, residentBlocks});
    clusters.push_back({0, std::nullopt});
    return clusters;
  };
  // Of 16 tokens and ranks a multiprocessor holds three blocks, of the others
  // two. The last few of so many as there is room for would wait.
  families.push_back(readIds(getFlowExpand(16, 256, 1, 16, {}), {{1, 320}}));
  families.push_back(readIds(getFlowExpand(16, 256, 17, 64, {}), {{1, 160}}));
  families.push_back(getFlowExpand(16, 256, 1, 16, {{1, 370}, {2, 300}}));
  families.push_back(getFlowExpand(32, 256, 1, 16, {{2, 270}, {3, 270}}));
  families.push_back(getFlowExpand(16, 256, 1, 16, {{3, 384}, {4, 320}}));
  families.push_back(getFlowExpand(32, 256, 1, 16, {{4, 270}, {5, 270}}));
  families.push_back(getFlowExpand(16, 256, 1, 16, {{6, 384}}));
  families.push_back(getFlowExpand(32, 256, 1, 16, steps({6, 8, 16, 32}, 270)));
  SmallVector<LoraFamily::Cluster, 8> wide =
      steps({1, 2, 3, 4, 6, 8, 16, 32}, 264);
  families.push_back(getWideExpand(17, 32, 129, wide));
  families.push_back(getWideExpand(33, 64, 129, wide));
  // One block a multiprocessor; where there are more tiles than those, blocks
  // of few steps leave less of the last ones waiting.
  SmallVector<LoraFamily::Cluster, 8> alone = {
      {1, 132}, {2, 132}, {3, 132},  {4, 132},
      {6, 132}, {8, 132}, {12, 288}, {0, std::nullopt}};
  families.push_back(getWideExpand(65, 128, 33, alone));
  families.push_back(getWideExpand(129, 256, 33, alone));
  families.push_back(getFlowExpand(16, 256, 17, 64, {{1, 176}}));
  families.push_back(getFlowExpand(16, 256, 17, 64, steps({2, 4, 8, 16}, 264)));
  families.push_back(
      getFlowExpand(16, 128, 65, 256, steps({1, 2, 4, 8, 12, 16}, 200)));
}

void frit::addLoraHalfKernels(KernelTable &table) {
  SmallVector<LoraFamily, 0> families;
  addShrink(families);
  addExpand(families);
  // Above those of the tiles, whose priorities are below 60.
  int64_t priority = 160;
  for (const LoraFamily &family : families)
    addLoraFamily(table, family, priority);
}
