//===- LoraActivationKernels.cpp ------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// frit.lora_gelu_and_mul_sparse by the kernels of kernels/LoraActivation, which
// state the launch plan and the parameters.
//
//===----------------------------------------------------------------------===//

#include "CudaKernels.h"
#include "LoraConditions.h"

#include "llvm/Support/FormatVariadic.h"

#include <optional>
#include <string>
#include <vector>

using namespace mlir;
using namespace mlir::frit;

/// kernels/LoraActivation/Operands.cuh.
static constexpr int32_t kHiddenLate = 1;
static constexpr int64_t kMostRanks = 16;
/// Of fewer tokens, and of narrower rows, the two ops apart are faster.
static constexpr int64_t kLeastTokens = 768;
static constexpr int64_t kLeastColumns = 12288, kMostColumns = 32768;
static constexpr int64_t kTokens = 16, kWarps = 8, kBlocks = 8;
/// Columns of a cluster's strips side by side.
static constexpr int64_t kStep = 32 * kWarps * kBlocks;
/// Strips of up that are on their way to a warp.
static constexpr int64_t kAhead = 4;

static LoraGeluAndMulSparseOp getOp(KernelOpInterface op) {
  return cast<LoraGeluAndMulSparseOp>(op.getOperation());
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Columns beyond a whole step take ways of the kernel that are slower than the
/// two ops apart.
static KernelCondition hasWholeStrips() {
  std::string needs =
      llvm::formatv("d to be known, a multiple of {0} from {1} to {2}", kStep,
                    kLeastColumns, kMostColumns);
  auto check = [=](KernelOpInterface, const KernelShape &shape) {
    std::optional<int64_t> d = getStatic(shape, "d");
    if (d && *d >= kLeastColumns && *d <= kMostColumns && *d % kStep == 0)
      return KernelFinding::met();
    return KernelFinding::notMet(llvm::formatv(
        "needs {0}, but d is {1}", needs,
        d ? std::to_string(*d) : std::string("known only at run time")));
  };
  return {"columns", needs, check};
}

static KernelCondition hasForm() {
  std::string needs = "rounding stepwise and approximate tanh";
  return {"form", needs, [=](KernelOpInterface op, const KernelShape &) {
            LoraGeluAndMulSparseOp own = getOp(op);
            if (own.getRounding() == Rounding::Stepwise &&
                own.getApproximate() == Approximate::Tanh)
              return KernelFinding::met();
            return KernelFinding::notMet(
                llvm::formatv("needs {0}, but they are {1} and {2}", needs,
                              stringifyRounding(own.getRounding()),
                              stringifyApproximate(own.getApproximate())));
          }};
}

static KernelCondition hasOwnWeights() {
  std::string needs = "weights of the activations' type";
  return {"weights", needs, [=](KernelOpInterface op, const KernelShape &) {
            Type weights = getOp(op).getWeightType();
            if (weights == op.getKernelElementType())
              return KernelFinding::met();
            return KernelFinding::notMet(llvm::formatv(
                "needs {0}, but they are {1} beside {2}", needs,
                getTypeName(weights), getTypeName(op.getKernelElementType())));
          }};
}

static KernelCondition hasGrouping() {
  std::string needs = "a grouping by adapter";
  return {"grouping", needs, [=](KernelOpInterface op, const KernelShape &) {
            LoraGeluAndMulSparseOp own = getOp(op);
            if (own.isGrouped() && !own.getActive())
              return KernelFinding::met();
            return KernelFinding::notMet(llvm::formatv(
                "needs {0}, but {1}", needs,
                own.isGrouped() ? "there is 'active'" : "there is none"));
          }};
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static KernelLaunchPlan planLaunch(const KernelPlanSizes &sizes) {
  AffineExpr t = sizes("T");
  // Tokens without an adapter are a group as well.
  AffineExpr tiles = (t + (sizes("L") + 1) * (kTokens - 1)).floorDiv(kTokens);
  // No more clusters than run at once, since each has its share of the tiles: a
  // multiprocessor holds two blocks, but a processing cluster whose places are
  // no multiple of eight leaves some empty. Of 132 multiprocessors 30 clusters
  // run at once.
  AffineExpr atOnce = sizes.getMultiprocessors().floorDiv(14) * 3;
  KernelLaunchPlan plan;
  plan.grid[0] = {t * kBlocks, tiles * kBlocks, atOnce * kBlocks};
  plan.grid[0].least = sizes.getConstant(kBlocks);
  plan.block[0] = sizes.getConstant(32 * kWarps);
  plan.cluster[0] = sizes.getConstant(kBlocks);
  plan.dynamicSharedMemory = sizes("sharedBytes");
  plan.isProgrammatic = true;
  return plan;
}

static std::vector<KernelArgument> planArguments(KernelOpInterface kernelOp,
                                                 const KernelPlanSizes &sizes) {
  LoraGeluAndMulSparseOp op = getOp(kernelOp);
  Builder builder(op.getContext());
  KernelArgument zero = KernelArgument::number(builder.getI64IntegerAttr(0));
  // A value that is two operands is one address.
  auto find = [&](Value value) -> unsigned {
    return llvm::find(op->getOperands(), value) - op->operand_begin();
  };
  auto getPointer = [&](Value value, AffineExpr element = {}) {
    return value ? KernelArgument::pointer(find(value), element) : zero;
  };
  std::vector<KernelArgument> arguments = {
      getPointer(op.getY()),
      getPointer(op.getY(), sizes("d")),
      getPointer(op.getOut()),
      getPointer(op.getB(0)),
      getPointer(op.getB(1)),
      getPointer(op.getH()),
      getPointer(op.getH(), sizes("T") * sizes("R")),
      getPointer(op.getOrder()),
      getPointer(op.getStarts()),
      getPointer(op.getRanks())};
  for (StringRef size : {"T", "d", "R", "L"})
    arguments.push_back(KernelArgument::size(sizes(size)));
  for (Value rows : {op.getY(), op.getOut()})
    arguments.push_back(KernelArgument::stride(find(rows), 0));
  Value ranks = op.getRanks();
  bool hasOwnRanks = ranks && cast<ShapedType>(ranks.getType()).getRank() == 2;
  arguments.push_back(hasOwnRanks ? KernelArgument::stride(find(ranks), 0)
                                  : zero);
  arguments.push_back(KernelArgument::number(
      builder.getI32IntegerAttr(isBeside(kernelOp) ? kHiddenLate : 0)));
  arguments.push_back(KernelArgument::number(op.getStdMultiplierAttr()));
  arguments.push_back(
      KernelArgument::number(builder.getI32IntegerAttr(op.getCorrection())));
  return arguments;
}

/// Operands without gaps between their rows.
static SmallVector<unsigned> getContiguous(KernelOpInterface kernelOp) {
  LoraGeluAndMulSparseOp op = getOp(kernelOp);
  SmallVector<unsigned> positions = {op.getHMutable().getOperandNumber()};
  for (OpOperand &weight : op.getWeightsMutable())
    positions.push_back(weight.getOperandNumber());
  return positions;
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

void frit::addLoraActivationKernels(KernelTable &table) {
  KernelEntry entry{"cuda.lora_gelu_and_mul_sparse",
                    "frit.lora_gelu_and_mul_sparse",
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(90),
                    {"bf16"},
                    /*priority=*/40};
  entry.conditions = {
      hasForm(),
      hasOwnWeights(),
      hasGrouping(),
      hasWholeStrips(),
      KernelCondition::atLeast("a rank", "R", 1),
      KernelCondition::atMost("ranks", "R", kMostRanks),
      KernelCondition::atMost("adapters", "L", 1 << 20),
      KernelCondition::atLeast("many tokens", "T", kLeastTokens)};
  entry.params = [](KernelOpInterface op) {
    Builder builder(op.getContext());
    int64_t d = getStatic(op.getKernelShape(), "d").value_or(0);
    int64_t bytes = 64 * kTokens * kWarps * (d / kStep + kAhead);
    return builder.getDictionaryAttr({builder.getNamedAttr(
        "sharedBytes", builder.getI64IntegerAttr(bytes))});
  };
  entry.launchPlan = planLaunch;
  entry.argumentPlan = planArguments;
  entry.contiguousOperands = getContiguous;
  // The rest is there while the kernel of the rank vectors runs.
  entry.operandsAfterWait = [](KernelOpInterface op) {
    return SmallVector<unsigned>{getOp(op).getHMutable().getOperandNumber(),
                                 getOp(op).getOutMutable().getOperandNumber()};
  };
  entry.function = [](KernelOpInterface op) {
    return llvm::formatv("frit_lora_gelu_and_mul_sparse{0}_{1}_{2}", kTokens,
                         kMostRanks, getTypeName(op.getKernelElementType()))
        .str();
  };
  entry.images = findImages({"lora_activation_bf16"});
  (void)table.add(std::move(entry));
}
