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

#include "LoraOperands.h"
#include "LoraTile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

using Kind = KernelRequirement::Kind;

/// What the kernels count in 32 bits, with room for their last steps.
static constexpr int64_t kMaxSize = int64_t(1) << 30;

static std::optional<int64_t> getStatic(const KernelShape &shape,
                                        StringRef name) {
  return shape.getExtents()[*shape.lookup(name)].getStaticSize();
}

/// Weights of the activations' type, or of f32, which is another kernel.
static KernelCondition hasWeights(bool isF32) {
  std::string needs =
      isF32 ? "weights of f32" : "weights of the activations' type";
  return {"weights", needs, [=](KernelOpInterface op, const KernelShape &) {
            Type weights = LoraOperands::of(op).getWeightType();
            if (weights.isF32() == isF32)
              return KernelFinding::met();
            return KernelFinding::notMet(llvm::formatv(
                "needs {0}, but they are {1} beside {2}", needs,
                getTypeName(weights), getTypeName(op.getKernelElementType())));
          }};
}

static KernelCondition hasRank(LoraTile tile) {
  int64_t most = tile.getMaxRank();
  std::string needs = llvm::formatv("R to be 1 to {0}", most);
  auto check = [=](KernelOpInterface op, const KernelShape &shape) {
    AffineExpr rank = shape.getSymbol("R", op.getContext());
    KernelFinding finding;
    finding.requirements = {
        {rank, Kind::AtLeast, 1, "R to be at least 1"},
        {rank, Kind::AtMost, most,
         llvm::formatv("R to be at most {0}, for which there is shared memory",
                       most)}};
    return finding;
  };
  return {"rank", needs, check};
}

static KernelCondition hasTokens(LoraTile tile) {
  std::string needs = tile.blocks == 1
                          ? "T to be at most 64, or 32 without a grouping"
                          : "T small enough that all blocks run at once";
  if (tile.tokens == 8 && tile.blocks > 1)
    needs += ", and at most 64, or 32 without a grouping";
  auto check = [=](KernelOpInterface op, const KernelShape &shape) {
    LoraOperands operands = LoraOperands::of(op);
    KernelFinding finding;
    if (std::optional<int64_t> most =
            tile.getMaxTokens(getStatic(shape, "G"),
                              static_cast<int64_t>(operands.getNumSlices()),
                              operands.isGrouped()))
      finding.requirements.push_back(
          {shape.getSymbol("T", op.getContext()), Kind::AtMost, *most,
           llvm::formatv("T to be at most {0}", *most)});
    return finding;
  };
  return {"tokens", needs, check};
}

/// T, K, the widths, and the groups.
static KernelCondition hasSizes() {
  auto check = [](KernelOpInterface op, const KernelShape &shape) {
    bool isGrouped = LoraOperands::of(op).isGrouped();
    // No requirement: a batch-invariant choice may not ask for T. An unknown
    // number of tokens is grouped, and a grouping has 31 bits for it.
    std::optional<int64_t> tokens = getStatic(shape, "T");
    if (tokens && *tokens > kMaxSize)
      return KernelFinding::notMet(
          llvm::formatv("needs T to be at most 2^30, but T is {0}", *tokens));
    KernelFinding finding;
    for (const KernelExtent &extent : shape.getExtents())
      if (StringRef(extent.name).starts_with("N") || extent.name == "K" ||
          (isGrouped && extent.name == "G"))
        finding.requirements.push_back(
            {shape.getSymbol(extent.name, op.getContext()), Kind::AtMost,
             kMaxSize, llvm::formatv("{0} to be at most 2^30", extent.name)});
    return finding;
  };
  return {"sizes", "T, K, G and each N to be at most 2^30", check};
}

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
  entry.conditions = {hasWeights(hasF32Weights),
                      KernelCondition::atMost("slices", "S", 8), hasRank(tile),
                      hasSizes()};
  if (tile.blocks > 1 || tile.tokens == 8)
    entry.conditions.push_back(hasTokens(tile));
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
    for (int64_t blocks : {16, 8, 4, 2, 1})
      addEntry(table, op, {8, blocks}, /*hasF32Weights=*/false, --priority);
    for (int64_t blocks : {8, 4, 2, 1})
      addEntry(table, op, {16, blocks}, /*hasF32Weights=*/false, --priority);
    for (int64_t blocks : {8, 4, 2, 1})
      addEntry(table, op, {16, blocks}, /*hasF32Weights=*/true, --priority);
  }
}
