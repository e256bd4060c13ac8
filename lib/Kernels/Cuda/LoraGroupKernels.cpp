//===- LoraGroupKernels.cpp - Fused kernels that group tokens -------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of frit.lora_group: one cluster that counts in shared memory, and
// one block for more groups than fit there.
//
//===----------------------------------------------------------------------===//

#include "CudaKernels.h"

using namespace mlir;
using namespace mlir::frit;

static constexpr int64_t kThreads = 512;
static constexpr int64_t kWarps = kThreads / 32;
static constexpr int64_t kMaxBlocks = 8;
/// The most entries of starts whose counts fit into the 226 KiB of shared
/// memory that a block of the largest cluster has.
static constexpr int64_t kMaxStarts = 2313;

static KernelLaunchPlan planCluster(const KernelPlanSizes &sizes) {
  KernelLaunchPlan plan;
  plan.isProgrammatic = true;
  plan.block[0] = sizes.getConstant(kThreads);
  // The smallest power of two that gives every thread at most one token.
  for (int64_t blocks = 1; blocks <= kMaxBlocks; blocks *= 2) {
    AffineExpr count =
        sizes("T").floorDiv(blocks * kThreads + 1) * (kMaxBlocks - blocks) +
        blocks;
    plan.grid[0].expressions.push_back(count);
    plan.cluster[0].expressions.push_back(count);
  }
  // Counts of each warp, totals of the block and of all blocks.
  AffineExpr starts = sizes("starts");
  plan.dynamicSharedMemory =
      (starts * kWarps + starts.ceilDiv(4) * 4 * (kMaxBlocks + 1)) * 4;
  return plan;
}

static KernelLaunchPlan planBlock(const KernelPlanSizes &sizes) {
  KernelLaunchPlan plan;
  plan.isProgrammatic = true;
  plan.grid[0] = sizes.getConstant(1);
  plan.block[0] = sizes.getConstant(kThreads);
  return plan;
}

/// (ids, order, starts, tokens, groups)
static std::vector<KernelArgument> planArguments(KernelOpInterface,
                                                 const KernelPlanSizes &sizes) {
  return {KernelArgument::pointer(0), KernelArgument::pointer(1),
          KernelArgument::pointer(2), KernelArgument::size(sizes("T")),
          KernelArgument::size(sizes("starts") - 1)};
}

static void addEntry(KernelTable &table, StringRef name, int64_t priority,
                     std::vector<KernelCondition> conditions,
                     KernelLaunchPlan (*plan)(const KernelPlanSizes &)) {
  KernelEntry entry{
      ("cuda." + name).str(),       "frit.lora_group", KernelProvider::Cuda,
      KernelTargets::minimumSm(90), {"i32"},           priority};
  entry.conditions = std::move(conditions);
  entry.launchPlan = plan;
  entry.argumentPlan = planArguments;
  entry.function = [name](KernelOpInterface) { return ("frit_" + name).str(); };
  entry.images = findImages({"lora_group"});
  (void)table.add(std::move(entry));
}

void frit::addLoraGroupKernels(KernelTable &table) {
  addEntry(table, "lora_group", 40,
           {KernelCondition::atMost("groups", "starts", kMaxStarts)},
           planCluster);
  addEntry(table, "lora_group_many", 30, {}, planBlock);
}
