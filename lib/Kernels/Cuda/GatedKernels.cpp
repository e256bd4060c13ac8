//===- GatedKernels.cpp - Entries of act_and_mul --------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fused kernels of frit.act_and_mul: each thread takes a few vectors of one
// row, and walks over rows where there are more than a grid has.
//
//===----------------------------------------------------------------------===//

#include "Activations.h"

#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::frit;

/// Rows of a grid: what its y dimension can have.
static constexpr int64_t kMaxGridRows = 65535;
static constexpr int64_t kThreads = 256;

static KernelLaunchPlan planLaunch(int64_t threadVectors,
                                   const KernelPlanSizes &sizes) {
  KernelLaunchPlan plan;
  plan.isProgrammatic = true;
  AffineExpr vectors = getRowVectors(sizes("d"), sizes.getElementBytes());
  plan.grid = {vectors.ceilDiv(threadVectors * kThreads),
               KernelPlanValue{sizes("T"), sizes.getConstant(kMaxGridRows)},
               {}};
  plan.block[0] = sizes.getConstant(kThreads);
  return plan;
}

static std::string getFunction(int64_t threadVectors, KernelOpInterface op) {
  auto gated = cast<ActAndMulOp>(op.getOperation());
  return llvm::formatv("frit_act_and_mul_flat{0}_{1}_{2}", threadVectors,
                       getTypeName(gated.getElementType()),
                       stringifyActivation(gated.getActivation()));
}

void frit::addGatedKernels(KernelTable &table) {
  // Longer rows give a thread more to do before it ends.
  struct Flat {
    int64_t threadVectors, priority, minVectors;
  };
  for (Flat flat :
       {Flat{4, 34, 4 * kThreads}, Flat{2, 32, 2 * kThreads}, Flat{1, 30, 0}}) {
    KernelEntry entry{"cuda.flat" + std::to_string(flat.threadVectors),
                      "frit.act_and_mul",
                      KernelProvider::Cuda,
                      KernelTargets::minimumSm(80),
                      {"f32", "f16", "bf16"},
                      flat.priority};
    if (flat.minVectors > 0)
      entry.conditions.push_back(
          rowVectors(flat.minVectors, std::numeric_limits<int64_t>::max()));
    entry.launchPlan = [vectors =
                            flat.threadVectors](const KernelPlanSizes &sizes) {
      return planLaunch(vectors, sizes);
    };
    entry.argumentPlan = [](KernelOpInterface op,
                            const KernelPlanSizes &sizes) {
      return planGatedArguments(cast<ActAndMulOp>(op.getOperation()), sizes);
    };
    entry.function = [vectors = flat.threadVectors](KernelOpInterface op) {
      return getFunction(vectors, op);
    };
    entry.images = findImages({"act_and_mul"});
    (void)table.add(std::move(entry));
  }
}
