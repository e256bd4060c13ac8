//===- LoraKernels.cpp - Fused kernels of the LoRA ops --------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of frit.lora_matmul, frit.lora_shrink and frit.lora_expand: one
// for each tile and cluster of kernels/Lora, of 16-bit types and of f32
// weights. Few tokens take large clusters, so that every multiprocessor has
// work; many take large tiles, whose weights are read for more tokens at once.
//
//===----------------------------------------------------------------------===//

#include "LoraConditions.h"
#include "LoraOperands.h"
#include "LoraTile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

static DictionaryAttr getParams(LoraTile tile, KernelOpInterface op) {
  KernelShape shape = op.getKernelShape();
  // Enough for any rank that the guard lets through.
  int64_t rank = getStatic(shape, "R").value_or(tile.getMaxRank());
  Builder builder(op.getContext());
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  return builder.getDictionaryAttr(
      {number("sharedBytes", tile.getSharedBytes(rank)),
       number("window",
              LoraTile::getWindow(LoraOperands::of(op).isGrouped()))});
}

static std::string getFunction(LoraTile tile, KernelOpInterface op) {
  std::string element = getTypeName(op.getKernelElementType());
  std::string weights = getTypeName(LoraOperands::of(op).getWeightType());
  std::string name =
      llvm::formatv("frit_lora_tile{0}_{1}", tile.tokens, element);
  return weights == element ? name : name + "_" + weights;
}

static void addEntry(KernelTable &table, StringRef op, LoraTile tile,
                     bool hasF32Weights, int64_t priority) {
  KernelEntry entry{llvm::formatv("cuda.lora_{0}tile{1}_cluster{2}",
                                  hasF32Weights ? "f32_" : "", tile.tokens,
                                  tile.blocks),
                    op.str(),
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(90),
                    {"f16", "bf16"},
                    priority};
  if (hasF32Weights)
    entry.elementTypes = {"f32", "f16", "bf16"};
  entry.conditions = {
      hasWeights(hasF32Weights), KernelCondition::atMost("slices", "S", 8),
      hasRank(1, tile.getMaxRank(), ", for which there is shared memory"),
      hasSizes()};
  if (tile.residentBlocks || tile.mostTokens)
    entry.conditions.push_back(
        hasTokens(tile, [tile](KernelOpInterface) { return tile; }));
  entry.params = [tile](KernelOpInterface op) { return getParams(tile, op); };
  entry.launchPlan = [tile](const KernelPlanSizes &sizes) {
    return tile.planLaunch(sizes);
  };
  entry.argumentPlan = planLoraArguments;
  entry.contiguousOperands = getLoraWeights;
  entry.function = [tile](KernelOpInterface op) {
    return getFunction(tile, op);
  };
  entry.images = hasF32Weights ? findImages({"lora_f32"})
                               : findImages({"lora_f16", "lora_bf16"});
  (void)table.add(std::move(entry));
}

void frit::addLoraKernels(KernelTable &table) {
  for (StringRef op :
       {"frit.lora_matmul", "frit.lora_shrink", "frit.lora_expand"}) {
    int64_t priority = 60;
    auto add = [&](LoraTile tile, bool hasF32Weights) {
      // The last of them take every batch.
      if (tile.blocks == 1)
        tile.residentBlocks = std::nullopt;
      addEntry(table, op, tile, hasF32Weights, --priority);
    };
    for (int64_t blocks : {16, 8, 4, 2, 1})
      add({8, blocks, 64}, /*hasF32Weights=*/false);
    // Clusters of four and more do best with one block a multiprocessor.
    for (int64_t blocks : {8, 4, 2, 1})
      add({16, blocks, std::nullopt, blocks >= 4 ? 160 : 272},
          /*hasF32Weights=*/false);
    for (int64_t blocks : {8, 4, 2, 1})
      add({16, blocks}, /*hasF32Weights=*/true);
  }
}
