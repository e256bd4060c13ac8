//===- SparseFfnKernels.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// frit.sparse_ffn of few tokens by the three kernels of kernels/SparseFfn: the
// gate, the active rows of up and down, and the sum of the blocks' shares. One
// entry for each number of tokens that the kernels are made for.
//
//===----------------------------------------------------------------------===//

#include "CudaKernels.h"
#include "LoraConditions.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

/// Of the gate's kernel: threads of a block, rows of a tile, bytes of x that a
/// block keeps, and tiles of a cluster.
static constexpr int64_t kGateThreads = 256;
static constexpr int64_t kTileRows = 16;
static constexpr int64_t kKeptBytes = 4096;
static constexpr int64_t kClusterTiles = 8;

/// Of the kernel of rows: threads of a block, blocks along d, rows of up and
/// down together in flight, and the bytes of shared memory that it has for rows
/// of x, up and down.
static constexpr int64_t kRowsThreads = 512;
static constexpr int64_t kMostRanges = 128;
static constexpr int64_t kRowsInFlight = 32;
static constexpr int64_t kRowsBytes = 225280;

/// Of the sum's kernel.
static constexpr int64_t kSumThreads = 256;
static constexpr int64_t kSumColumns = 32;

/// Bits of Flag in kernels/SparseFfn/Operands.cuh.
enum Flag : int32_t { kFinal = 1, kErf = 2 };

namespace {
/// The tokens that the kernels take at once.
struct Tile {
  /// Of the entry.
  int64_t most;
  int64_t gate, rows;
};

/// What the launches and the workspace are written over.
struct Plan {
  Tile tile;
  const KernelPlanSizes &sizes;

  AffineExpr get(StringRef name) const { return sizes(name); }
  /// Elements of a row of the gate's values, or of sums.
  AffineExpr getPadded(StringRef name) const {
    return get(name).ceilDiv(8) * 8;
  }
  AffineExpr getTiles() const { return get("d").ceilDiv(kTileRows); }

  KernelPlanValue getRanges() const {
    return {sizes.getConstant(kMostRanges), get("d").ceilDiv(8)};
  }
  /// Blocks of the gate's kernel along d, which are its parts of a row.
  KernelPlanValue getParts() const {
    AffineExpr cluster = get("cluster");
    return {{getTiles() * cluster,
             sizes.getMultiprocessors().floorDiv(cluster) * cluster},
            get("fewestClusters") * cluster};
  }

  // The workspace: the gate's values, the shares of the output, and the parts.
  // Each begins with a multiple of 16 bytes.

  AffineExpr getSumsByte() const {
    return get("T") * getPadded("d") * sizes.getElementBytes();
  }
  AffineExpr getPartsByte() const {
    return getSumsByte() + get("T") * getPadded("H") * (4 * kMostRanges);
  }
  AffineExpr getEnd() const {
    // As many parts as there are where every tile has a cluster.
    return getPartsByte() + get("T") * getTiles() * get("cluster") * 16;
  }
};
} // namespace

/// Blocks that share a row of x, so that each keeps its part of it.
static int64_t getCluster(int64_t rowBytes) {
  int64_t blocks = 1;
  while (blocks < 16 && blocks * kKeptBytes < rowBytes)
    blocks *= 2;
  return blocks;
}

static int64_t getElementBytes(KernelOpInterface op) {
  return op.getKernelElementType().getIntOrFloatBitWidth() / 8;
}

static DictionaryAttr getParams(Tile tile, KernelOpInterface op) {
  KernelShape shape = op.getKernelShape();
  int64_t d = *getStatic(shape, "d");
  int64_t cluster = getCluster(*getStatic(shape, "H") * getElementBytes(op));
  // Of the tiles of a cluster each block adds those that are its own.
  int64_t inboxBytes =
      llvm::divideCeil(kClusterTiles, cluster) * cluster * tile.gate * 64;
  int64_t fewest = llvm::divideCeil(d, kTileRows * kClusterTiles);
  Builder builder(op.getContext());
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  return builder.getDictionaryAttr(
      {number("cluster", cluster),
       number("fewestClusters", cluster > 1 ? fewest : 1),
       number("inboxBytes", cluster > 1 ? inboxBytes : 0)});
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

static KernelCondition hasNoLora() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    auto ffn = cast<SparseFfnOp>(op.getOperation());
    constexpr StringLiteral kNames[] = {"the gate", "up", "down"};
    for (auto [projection, name] : llvm::enumerate(kNames))
      if (ffn.hasLora(projection))
        return KernelFinding::notMet(
            llvm::formatv("needs an op without LoRA, but {0} has one", name));
    return KernelFinding::met();
  };
  return {"lora", "an op without LoRA", check};
}

static KernelCondition hasDownByColumns() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    if (cast<SparseFfnOp>(op.getOperation()).getDownLayout() == DownLayout::Dh)
      return KernelFinding::met();
    return KernelFinding::notMet("needs down_layout dh, but it is hd");
  };
  return {"down_layout", "down_layout dh", check};
}

static KernelCondition hasKnownWidths() {
  auto check = [](KernelOpInterface, const KernelShape &shape) {
    for (StringRef name : {"H", "d"}) {
      std::optional<int64_t> size = getStatic(shape, name);
      if (!size || *size < 1)
        return KernelFinding::notMet(llvm::formatv(
            "needs H and d to be known and at least 1, but {0} is {1}", name,
            size ? std::to_string(*size) : "known only at run time"));
    }
    return KernelFinding::met();
  };
  return {"widths", "H and d to be known and at least 1", check};
}

/// x and one row of up and of down are in shared memory.
static KernelCondition hasShortRows(int64_t tokens) {
  std::string needs =
      llvm::formatv("shared memory for {0} rows of H elements: {1} bytes",
                    tokens + 2, kRowsBytes);
  auto check = [=](KernelOpInterface op, const KernelShape &shape) {
    AffineExpr row =
        (shape.getSymbol("H", op.getContext()) * getElementBytes(op))
            .ceilDiv(16) *
        16;
    KernelFinding finding;
    finding.requirements.push_back({row * (tokens + 2),
                                    KernelRequirement::Kind::AtMost, kRowsBytes,
                                    needs});
    return finding;
  };
  return {"rows", needs, check};
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static KernelLaunchPlan planGate(const Plan &plan) {
  const KernelPlanSizes &sizes = plan.sizes;
  KernelLaunchPlan launch;
  launch.isProgrammatic = true;
  launch.grid = {plan.getParts(), sizes("T").ceilDiv(plan.tile.gate), {}};
  launch.block[0] = sizes.getConstant(kGateThreads);
  launch.cluster[0] = sizes("cluster");
  // The ring of weights; in f32 the tokens are there as well.
  launch.dynamicSharedMemory =
      sizes("inboxBytes") + (plan.tile.gate == 8 ? 6 << 14 : 5 << 14) +
      sizes.getElementBytes().floorDiv(4) * (plan.tile.gate * kKeptBytes);
  return launch;
}

static KernelLaunchPlan planRows(const Plan &plan) {
  const KernelPlanSizes &sizes = plan.sizes;
  AffineExpr row = (sizes("H") * sizes.getElementBytes()).ceilDiv(16) * 16;
  KernelLaunchPlan launch;
  launch.isProgrammatic = true;
  launch.grid = {plan.getRanges(), sizes("T").ceilDiv(plan.tile.rows), {}};
  launch.block[0] = sizes.getConstant(kRowsThreads);
  launch.dynamicSharedMemory = {row * (plan.tile.rows + kRowsInFlight),
                                sizes.getConstant(kRowsBytes).floorDiv(row) *
                                    row};
  return launch;
}

static KernelLaunchPlan planSum(const Plan &plan) {
  const KernelPlanSizes &sizes = plan.sizes;
  KernelLaunchPlan launch;
  launch.isProgrammatic = true;
  launch.grid = {sizes("H").ceilDiv(kSumColumns), sizes("T"), {}};
  launch.block[0] = sizes.getConstant(kSumThreads);
  return launch;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static std::vector<KernelArgument> planGateArguments(SparseFfnOp op,
                                                     const Plan &plan) {
  unsigned x = op.getXMutable().getOperandNumber();
  unsigned gate = op.getGateMutable().getOperandNumber();
  return {KernelArgument::pointer(x),
          KernelArgument::pointer(gate),
          KernelArgument::workspace(),
          KernelArgument::workspace(plan.getPartsByte()),
          KernelArgument::size(plan.get("T")),
          KernelArgument::size(plan.get("d")),
          KernelArgument::size(plan.get("H")),
          KernelArgument::stride(x, 0),
          KernelArgument::stride(gate, 0),
          KernelArgument::size(plan.getPadded("d"))};
}

static std::vector<KernelArgument> planRowsArguments(SparseFfnOp op,
                                                     const Plan &plan) {
  unsigned x = op.getXMutable().getOperandNumber();
  unsigned up = op.getUpMutable().getOperandNumber();
  unsigned down = op.getDownMutable().getOperandNumber();
  int32_t flags = op.getRounding() == Rounding::Final ? kFinal : 0;
  if (op.getApproximate() == Approximate::Erf)
    flags |= kErf;
  Builder builder(op.getContext());
  return {KernelArgument::pointer(x),
          KernelArgument::workspace(),
          KernelArgument::workspace(plan.getPartsByte()),
          KernelArgument::pointer(up),
          KernelArgument::pointer(down),
          KernelArgument::workspace(plan.getSumsByte()),
          KernelArgument::size(plan.get("T")),
          KernelArgument::size(plan.get("d")),
          KernelArgument::size(plan.get("H")),
          KernelArgument::size(plan.getParts()),
          KernelArgument::stride(x, 0),
          KernelArgument::size(plan.getPadded("d")),
          KernelArgument::stride(up, 0),
          KernelArgument::stride(down, 0),
          KernelArgument::number(op.getStdMultiplierAttr()),
          KernelArgument::number(builder.getI32IntegerAttr(op.getCorrection())),
          KernelArgument::number(builder.getI32IntegerAttr(flags))};
}

static std::vector<KernelArgument> planSumArguments(SparseFfnOp op,
                                                    const Plan &plan) {
  unsigned out = op.getOutMutable().getOperandNumber();
  KernelArgument zero = KernelArgument::size(plan.sizes.getConstant(0));
  bool accumulates = op.getAccumulate();
  return {KernelArgument::workspace(plan.getSumsByte()),
          accumulates ? KernelArgument::pointer(out) : zero,
          KernelArgument::pointer(out),
          KernelArgument::size(plan.get("T")),
          KernelArgument::size(plan.get("H")),
          KernelArgument::size(plan.getRanges()),
          accumulates ? KernelArgument::stride(out, 0) : zero,
          KernelArgument::stride(out, 0)};
}

static KernelStep
makeStep(Tile tile, StringRef kernel, int64_t kernelTile,
         KernelLaunchPlan (*launchPlan)(const Plan &),
         std::vector<KernelArgument> (*arguments)(SparseFfnOp, const Plan &)) {
  KernelStep step;
  step.launchPlan = [=](const KernelPlanSizes &sizes) {
    return launchPlan({tile, sizes});
  };
  step.argumentPlan = [=](KernelOpInterface op, const KernelPlanSizes &sizes) {
    return arguments(cast<SparseFfnOp>(op.getOperation()), {tile, sizes});
  };
  step.function = [=](KernelOpInterface op) -> std::string {
    std::string name = llvm::formatv("frit_sparse_ffn_{0}_{1}", kernel,
                                     getTypeName(op.getKernelElementType()));
    return kernelTile ? llvm::formatv("{0}_tile{1}", name, kernelTile).str()
                      : name;
  };
  return step;
}

static void addEntry(KernelTable &table, Tile tile, int64_t priority) {
  KernelEntry entry{llvm::formatv("cuda.sparse_ffn_tile{0}", tile.most),
                    "frit.sparse_ffn",
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(90),
                    {"f32", "f16", "bf16"},
                    priority};
  entry.conditions = {hasNoLora(), hasDownByColumns(), hasKnownWidths(),
                      hasShortRows(tile.rows),
                      KernelCondition::atMost("tokens", "T", tile.most)};
  entry.params = [tile](KernelOpInterface op) { return getParams(tile, op); };
  entry.estimate = estimateSparseFfnOnCuda;
  KernelStep gate =
      makeStep(tile, "gate", tile.gate, planGate, planGateArguments);
  entry.launchPlan = gate.launchPlan;
  entry.argumentPlan = gate.argumentPlan;
  entry.function = gate.function;
  entry.laterSteps = {
      makeStep(tile, "rows", tile.rows, planRows, planRowsArguments),
      makeStep(tile, "sum", /*kernelTile=*/0, planSum, planSumArguments)};
  entry.workspace = [tile](const KernelPlanSizes &sizes) {
    return Plan{tile, sizes}.getEnd();
  };
  entry.images =
      findImages({"sparse_ffn_f32", "sparse_ffn_f16", "sparse_ffn_bf16"});
  (void)table.add(std::move(entry));
}

void frit::addSparseFfnKernels(KernelTable &table) {
  int64_t priority = 40;
  for (int64_t tokens : {1, 2, 4, 8})
    addEntry(table, {tokens, 8, tokens}, --priority);
  addEntry(table, {16, 16, 8}, --priority);
}
