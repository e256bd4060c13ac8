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
#include <string>

using namespace mlir;
using namespace mlir::frit;

/// A family of shrink whose clusters take `each` ranks. Limits count blocks of
/// all clusters.
static LoraFamily getShrink(StringRef form, StringRef image, int64_t tokens,
                            int64_t each, int64_t minRank, int64_t maxRank,
                            ArrayRef<LoraFamily::Cluster> clusters) {
  std::string name = (form + "_shrink").str();
  LoraFamily family =
      getLoraFamily(name, image, tokens, minRank, maxRank, clusters);
  family.op = "frit.lora_shrink";
  family.function = "frit_lora_" + name + "_";
  family.ranksEach = each;
  for (LoraFamily::Cluster &cluster : family.clusters)
    cluster.residentBlocks /= llvm::divideCeil(maxRank, each);
  return family;
}

static LoraFamily getDecodeShrink(int64_t each, int64_t minRank,
                                  int64_t maxRank, int64_t mostTokens,
                                  ArrayRef<LoraFamily::Cluster> clusters) {
  LoraFamily family = getShrink(each == 16 ? "decode" : "decode64", "halves_",
                                1, each, minRank, maxRank, clusters);
  family.mostTokens = mostTokens;
  return family;
}

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

static LoraFamily getWideShrink(int64_t each, int64_t minRank, int64_t maxRank,
                                int64_t residentBlocks) {
  LoraFamily family = getShrink(
      llvm::formatv("wide{0}", each).str(), "wide_", 64, each, minRank, maxRank,
      getLoraClusters({8, 6, 5, 4, 3, 2, 1}, residentBlocks));
  family.needsGrouping = true;
  family.minTokens = 129;
  family.sharedBytes =
      1024 + (each > 128 ? 3 : 4) * 2 * 64 * (64 + each) + 4 * each * (64 + 16);
  return family;
}

static LoraFamily getExpand(StringRef form, StringRef image, int64_t tokens,
                            int64_t minRank, int64_t maxRank,
                            ArrayRef<LoraFamily::Cluster> parts) {
  std::string name = (form + "_expand").str();
  LoraFamily family =
      getLoraFamily(name, image, tokens, minRank, maxRank, parts);
  family.op = "frit.lora_expand";
  family.function = "frit_lora_" + name + "_";
  family.dividesColumns = true;
  return family;
}

/// Steps of `depth` columns, two on their way, beside rank vectors as they are
/// read and their terms.
static LoraFamily getFlowExpand(int64_t tokens, int64_t depth, int64_t minRank,
                                int64_t maxRank,
                                ArrayRef<LoraFamily::Cluster> parts) {
  LoraFamily family =
      getExpand(llvm::formatv("flow{0}_{1}", tokens, maxRank).str(), "halves_",
                tokens, minRank, maxRank, parts);
  family.sharedBytes = 2 * 2 * depth * (tokens + maxRank) +
                       4 * maxRank * tokens + 3 * tokens * (2 * maxRank + 16);
  return family;
}

static LoraFamily getWideExpand(int64_t minRank, int64_t maxRank,
                                int64_t minTokens) {
  constexpr int64_t kTile = 128 * 64, kWeights = 128 * 128;
  LoraFamily family =
      getExpand(llvm::formatv("wide{0}", maxRank).str(), "wide_", 64, minRank,
                maxRank, getLoraClusters({32, 16, 11, 8, 5, 4, 2, 1}, 272));
  family.needsGrouping = true;
  family.minTokens = minTokens;
  int64_t hidden =
      (maxRank <= 128 ? 3 : 2) * kTile * std::max<int64_t>(maxRank / 64, 1);
  family.sharedBytes =
      1024 + hidden +
      std::clamp<int64_t>((6 * kWeights - hidden) / kWeights, 2, 4) * kWeights;
  return family;
}

static void addShrink(SmallVectorImpl<LoraFamily> &families) {
  families.push_back(getDecodeShrink(16, 1, 16, 8, {{8, 128}, {4, 128}}));
  families.push_back(
      getShrink("decode_tile8", "halves_", 8, 16, 1, 16, {{16, 112}}));
  families.back().mostTokens = 128;
  families.push_back(getFlowShrink(
      16, 16, 4, 1, 16, {{16, 128}, {8, 256}, {6, 240}, {4, 272}, {2, 272}}));
  families.push_back(getFlowShrink(32, 16, 4, 1, 16, {{2, 272}, {1, 272}}));
  for (auto [minRank, maxRank] :
       {std::pair(17, 64), std::pair(65, 128), std::pair(129, 256)}) {
    families.push_back(
        getDecodeShrink(64, minRank, maxRank, 8, {{16, 256}, {8, 256}}));
    families.push_back(
        getFlowShrink(16, 64, 2, minRank, maxRank,
                      {{16, 256}, {8, 256}, {4, 272}, {2, 272}}));
    families.back().mostTokens = 256;
  }
  families.push_back(getWideShrink(64, 17, 64, 264));
  families.push_back(getWideShrink(128, 65, 128, 132));
  families.push_back(getWideShrink(256, 129, 256, 132));
}

static void addExpand(SmallVectorImpl<LoraFamily> &families) {
  families.push_back(
      getFlowExpand(16, 256, 1, 16, {{64, 132}, {32, 200}, {16, 320}}));
  families.push_back(
      getFlowExpand(32, 256, 1, 16, {{16, 400}, {8, 400}, {4, 400}, {2, 400}}));
  families.push_back(
      getFlowExpand(16, 256, 17, 64, {{64, 132}, {32, 200}, {16, 264}}));
  families.back().mostTokens = 256;
  families.push_back(
      getFlowExpand(16, 128, 65, 256, {{64, 132}, {32, 132}, {16, 132}}));
  families.back().mostTokens = 128;
  families.push_back(getWideExpand(1, 32, 2048));
  families.push_back(getWideExpand(33, 64, 129));
  families.push_back(getWideExpand(65, 128, 129));
  families.push_back(getWideExpand(129, 256, 129));
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
