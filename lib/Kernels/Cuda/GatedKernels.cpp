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

using namespace mlir;
using namespace mlir::frit;

/// Rows of a grid: what its y dimension can have.
static constexpr int64_t kMaxGridRows = 65535;
static constexpr int64_t kThreads = 128;
static constexpr int64_t kThreadVectors = 2;

static KernelLaunchPlan planLaunch(const KernelPlanSizes &sizes) {
  KernelLaunchPlan plan;
  plan.isProgrammatic = true;
  AffineExpr vectors = getRowVectors(sizes("d"), sizes.getElementBytes());
  plan.grid = {vectors.ceilDiv(kThreadVectors * kThreads),
               KernelPlanValue{sizes("T"), sizes.getConstant(kMaxGridRows)},
               {}};
  plan.block[0] = sizes.getConstant(kThreads);
  return plan;
}

void frit::addGatedKernels(KernelTable &table) {
  KernelEntry entry{"cuda.flat",
                    "frit.act_and_mul",
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(80),
                    {"f32", "f16", "bf16"},
                    /*priority=*/30};
  entry.launchPlan = planLaunch;
  entry.argumentPlan = [](KernelOpInterface op, const KernelPlanSizes &sizes) {
    return planGatedArguments(cast<ActAndMulOp>(op.getOperation()), sizes);
  };
  entry.function = [](KernelOpInterface op) -> std::string {
    auto gated = cast<ActAndMulOp>(op.getOperation());
    return llvm::formatv("frit_act_and_mul_flat_{0}_{1}",
                         getTypeName(gated.getElementType()),
                         stringifyActivation(gated.getActivation()));
  };
  entry.images = findImages({"act_and_mul"});
  (void)table.add(std::move(entry));
}
