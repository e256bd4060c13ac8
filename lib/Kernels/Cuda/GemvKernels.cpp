//===- GemvKernels.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls of few tokens by kernels/Matmul. Of what they take, those are before
// cuBLASLt in the order that were faster in a layer on an H200
// (docs/kernels/Layer.md); of the others, policy `require=cuda` has them.
//
//===----------------------------------------------------------------------===//

#include "CudaKernels.h"
#include "LoraConditions.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::frit;

/// Of the kernels: threads of a block, rows of a tile, bytes of a row that a
/// block keeps, blocks that share a row, and tiles of a cluster of several.
static constexpr int64_t kThreads = 256;
static constexpr int64_t kTileRows = 16;
static constexpr int64_t kKeptBytes = 4096;
static constexpr int64_t kMostBlocks = 16;
static constexpr int64_t kClusterTiles = 8;

/// Weights up to here are read no slower than by cuBLASLt.
static constexpr int64_t kSmallBytes = int64_t(64) << 20;

namespace {
struct Entry {
  StringRef id;
  int64_t tokens;
  int64_t priority;
  /// Whether it comes before the library, and then only for weights up to
  /// kSmallBytes, and where a LoRA follows.
  bool isFirst = false;
  bool feedsLora = false;
};
} // namespace

/// Bytes of weights in flight.
static int64_t getRingBytes(int64_t tokens) {
  return tokens == 8 ? 6 << 14 : 5 << 14;
}

static KernelCondition hasForm() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    auto matmul = cast<MatmulOp>(op.getOperation());
    auto needs = [](StringRef what) {
      return KernelFinding::notMet(("needs " + what).str());
    };
    if (matmul.isBatched())
      return needs("one matmul, but there is a batch");
    if (matmul.getTransposeA() || !matmul.getTransposeB())
      return needs("x by rows and weights [N, K], as transpose_b alone has it");
    if (matmul.getBias())
      return needs("no bias, but there is one");
    if (matmul.getOutType().getElementType() != matmul.getKernelElementType())
      return needs("a result of the factors' type");
    return KernelFinding::met();
  };
  return {"form", "one matmul, transpose_b, no bias, one element type", check};
}

static int64_t getElementBytes(KernelOpInterface op) {
  return op.getKernelElementType().getIntOrFloatBitWidth() / 8;
}

/// Blocks that share a row, so that each keeps its part of the tokens. One
/// where the length of a row is not known.
static int64_t getCluster(KernelOpInterface op) {
  std::optional<int64_t> terms = getStatic(op.getKernelShape(), "K");
  int64_t blocks = 1;
  while (terms && blocks < kMostBlocks &&
         blocks * kKeptBytes < *terms * getElementBytes(op))
    blocks *= 2;
  return blocks;
}

static KernelCondition hasRows() {
  std::string needs = llvm::formatv(
      "rows of 1 element to {0} bytes, or {1} where K is not known",
      kMostBlocks * kKeptBytes, kKeptBytes);
  auto check = [](KernelOpInterface op, const KernelShape &shape) {
    AffineExpr terms = shape.getSymbol("K", op.getContext());
    int64_t most = getCluster(op) * kKeptBytes;
    using Kind = KernelRequirement::Kind;
    KernelFinding finding;
    finding.requirements = {requireAtLeast(shape, "K", 1, op.getContext()),
                            {terms * getElementBytes(op), Kind::AtMost, most,
                             llvm::formatv("rows of at most {0} bytes", most)}};
    return finding;
  };
  return {"rows", needs, check};
}

static KernelCondition hasSmallWeights() {
  auto check = [](KernelOpInterface op, const KernelShape &shape) {
    std::optional<int64_t> n = getStatic(shape, "N"), k = getStatic(shape, "K");
    if (!n || !k)
      return KernelFinding::notMet("needs N and K to be known");
    // No product wraps around: a row has at most 64 KiB.
    int64_t rows = kSmallBytes / std::max<int64_t>(*k * getElementBytes(op), 1);
    if (*n <= rows)
      return KernelFinding::met();
    return KernelFinding::notMet(
        llvm::formatv("needs weights of at most {0} bytes, {1} rows, but N is "
                      "{2}",
                      kSmallBytes, rows, *n));
  };
  return {
      "weights",
      llvm::formatv("weights of a known size, at most {0} bytes", kSmallBytes),
      check};
}

/// LoRA begins beside these kernels, but after the library's.
static KernelCondition feedsLora() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    bool isFollowed = llvm::any_of(op->getUses(), [](OpOperand &use) {
      auto lora = dyn_cast<LoraMatmulOp>(use.getOwner());
      return lora &&
             lora.getOutMutable().getOperandNumber() == use.getOperandNumber();
    });
    return isFollowed ? KernelFinding::met()
                      : KernelFinding::notMet(
                            "needs a result that frit.lora_matmul adds to");
  };
  return {"lora", "a result that frit.lora_matmul adds to", check};
}

KernelCondition frit::followsGemv() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    auto lora = cast<LoraMatmulOp>(op.getOperation());
    auto matmul = lora.getOut().getDefiningOp<MatmulOp>();
    if (!matmul)
      return KernelFinding::notMet("needs y to be a result of frit.matmul");
    KernelShape shape = matmul.getKernelShape();
    for (const KernelCondition &condition :
         {hasForm(), hasSmallWeights(), hasRows()}) {
      KernelFinding finding = condition.check(matmul, shape);
      bool isMet =
          finding.failure.empty() &&
          llvm::all_of(finding.requirements, [&](const auto &requirement) {
            return decideRequirement(requirement, shape) == KernelTruth::Yes;
          });
      if (!isMet)
        return KernelFinding::notMet("needs y of a frit.matmul that has " +
                                     condition.needs);
    }
    return KernelFinding::met();
  };
  return {"matmul", "y to be a result of frit.matmul as cuda.gemv_small has it",
          check};
}

static DictionaryAttr getParams(int64_t tokens, KernelOpInterface op) {
  int64_t cluster = getCluster(op);
  // A block has room for the sums of all blocks of each tile that it adds.
  int64_t inboxBytes =
      llvm::divideCeil(kClusterTiles, cluster) * cluster * tokens * 64;
  Builder builder(op.getContext());
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  return builder.getDictionaryAttr(
      {number(kernel_param::kBeside, 0), number("cluster", cluster),
       number("inboxBytes", cluster > 1 ? inboxBytes : 0)});
}

static KernelLaunchPlan planLaunch(int64_t tokens,
                                   const KernelPlanSizes &sizes) {
  AffineExpr tiles = sizes("N").ceilDiv(kTileRows);
  AffineExpr cluster = sizes("cluster");
  AffineExpr places = sizes.getMultiprocessors();
  KernelLaunchPlan plan;
  plan.isProgrammatic = true;
  if (cluster == sizes.getConstant(1))
    // What has asked for weights early leaves half of a multiprocessor idle
    // until its turn.
    plan.grid[0] = {tiles, places * (sizes(kernel_param::kBeside) + 1)};
  else
    plan.grid[0] = {{tiles * cluster, places.floorDiv(cluster) * cluster},
                    tiles.ceilDiv(kClusterTiles) * cluster};
  plan.grid[1] = sizes("T").ceilDiv(tokens);
  plan.block[0] = sizes.getConstant(kThreads);
  plan.cluster[0] = cluster;
  // In f32 the tokens are there as well.
  plan.dynamicSharedMemory =
      getRingBytes(tokens) +
      sizes.getElementBytes().floorDiv(4) * (tokens * kKeptBytes) +
      sizes("inboxBytes");
  return plan;
}

static std::vector<KernelArgument> planArguments(KernelOpInterface op,
                                                 const KernelPlanSizes &sizes) {
  auto matmul = cast<MatmulOp>(op.getOperation());
  unsigned x = matmul.getAMutable().getOperandNumber();
  unsigned w = matmul.getBMutable().getOperandNumber();
  unsigned out = matmul.getOutMutable().getOperandNumber();
  return {
      KernelArgument::pointer(x),
      KernelArgument::pointer(w),
      KernelArgument::pointer(out),
      KernelArgument::size(sizes("T")),
      KernelArgument::size(sizes("N")),
      KernelArgument::size(sizes("K")),
      KernelArgument::stride(x, 0),
      KernelArgument::stride(w, 0),
      KernelArgument::stride(out, 0),
      KernelArgument::number(
          Builder(op.getContext()).getI32IntegerAttr(matmul.getAccumulate()))};
}

static void addEntry(KernelTable &table, const Entry &described) {
  int64_t tokens = described.tokens;
  KernelEntry entry{described.id.str(),   "frit.matmul",
                    KernelProvider::Cuda, KernelTargets::minimumSm(90),
                    {"f16", "bf16"},      described.priority};
  if (!described.isFirst)
    entry.elementTypes.insert(entry.elementTypes.begin(), "f32");
  entry.conditions = {hasForm(), KernelCondition::atMost("tokens", "T", tokens),
                      hasRows()};
  if (described.isFirst)
    entry.conditions.push_back(hasSmallWeights());
  if (described.feedsLora)
    entry.conditions.push_back(feedsLora());
  entry.params = [tokens](KernelOpInterface op) {
    return getParams(tokens, op);
  };
  entry.launchPlan = [tokens](const KernelPlanSizes &sizes) {
    return planLaunch(tokens, sizes);
  };
  entry.argumentPlan = planArguments;
  entry.operandsAfterWait = [](KernelOpInterface op) {
    auto matmul = cast<MatmulOp>(op.getOperation());
    return SmallVector<unsigned>{matmul.getAMutable().getOperandNumber(),
                                 matmul.getOutMutable().getOperandNumber()};
  };
  entry.function = [tokens](KernelOpInterface op) -> std::string {
    return llvm::formatv("frit_matmul_gemv_{0}_tile{1}{2}",
                         getTypeName(op.getKernelElementType()), tokens,
                         isBeside(op) ? "_early" : "");
  };
  entry.images = findImages({"matmul_gemv"});
  (void)table.add(std::move(entry));
}

void frit::addGemvKernels(KernelTable &table) {
  for (const Entry &entry :
       {Entry{"cuda.gemv_small_tile8", 8, 26, /*isFirst=*/true},
        Entry{"cuda.gemv_small_tile16", 16, 25, /*isFirst=*/true,
              /*feedsLora=*/true},
        Entry{"cuda.gemv_tile8", 8, 16}, Entry{"cuda.gemv_tile16", 16, 15}})
    addEntry(table, entry);
}
