//===- LoraTile.cpp - How many blocks a LoRA kernel takes -----------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grid, the shared memory and the limits of the LoRA kernels.
//
//===----------------------------------------------------------------------===//

#include "LoraTile.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::frit;

static constexpr int64_t kWarps = 8;
static constexpr int64_t kThreads = 32 * kWarps;
/// Of a block on 9.0, less what the kernel declares itself.
static constexpr int64_t kMaxSharedBytes = (227 << 10) - (2 << 10);
/// The largest rank that was tried.
static constexpr int64_t kMaxRank = 1024;
/// Tokens whose ids one warp reads at once.
static constexpr int64_t kWindow = 32;

int64_t LoraTile::getSharedBytes(int64_t rank) const {
  int64_t ranks = rank <= 16 ? 16 : llvm::alignTo(rank, 32);
  int64_t shares = 4 * kWarps * tokens * (std::min<int64_t>(ranks, 64) + 4);
  int64_t terms = 2 * 3 * tokens * ((2 * ranks + 95) / 128 * 64 + 16);
  return shares + terms + 4 * blocks * tokens * ranks;
}

int64_t LoraTile::getMaxRank() const {
  int64_t rank = kMaxRank;
  while (getSharedBytes(rank) > kMaxSharedBytes)
    rank -= 32;
  return rank;
}

int64_t LoraTile::getWindow(bool isGrouped) {
  return isGrouped ? int64_t(1) << 31 : kWindow;
}

int64_t LoraTile::getTiles(int64_t numTokens, std::optional<int64_t> groups,
                           bool isGrouped) const {
  auto countMost = [&](int64_t count) {
    int64_t used = std::min(groups.value_or(count), count);
    return (count + used * (tokens - 1)) / tokens;
  };
  int64_t window = getWindow(isGrouped);
  if (numTokens <= window)
    return countMost(numTokens);
  return llvm::divideCeil(numTokens, window) * countMost(window);
}

std::optional<int64_t> LoraTile::getMaxTokens(std::optional<int64_t> groups,
                                              int64_t slices,
                                              bool isGrouped) const {
  std::optional<int64_t> most = mostTokens;
  if (most && !isGrouped && !readsIds)
    most = std::min(*most, kWindow);
  if (!residentBlocks)
    return most;
  int64_t quota = *residentBlocks / (blocks * slices);
  // A tile has a token or more, and the number of tiles grows with theirs.
  int64_t count = quota;
  while (getTiles(count + 1, groups, isGrouped) <= quota)
    ++count;
  return most ? std::min(*most, count) : count;
}

KernelLaunchPlan LoraTile::planLaunch(const KernelPlanSizes &sizes) const {
  AffineExpr t = sizes("T"), window = sizes("window");
  AffineExpr adapters = sizes(readsIds ? "L" : "G") * (tokens - 1);
  // Every one of these is enough; the last is where the tokens are one window,
  // and more than the others elsewhere.
  AffineExpr byWindows =
      t.ceilDiv(window) * (window + adapters).floorDiv(tokens);
  AffineExpr atOnce =
      (t + adapters).floorDiv(tokens) + t.floorDiv(window + 1) * t;
  KernelLaunchPlan plan;
  plan.grid[0] = {t * blocks, byWindows * blocks, atOnce * blocks};
  plan.grid[1] = sizes("S");
  plan.block[0] = sizes.getConstant(kThreads);
  if (blocks > 1)
    plan.cluster[0] = sizes.getConstant(blocks);
  plan.dynamicSharedMemory = sizes("sharedBytes");
  plan.isProgrammatic = true;
  return plan;
}
