//===- SparseFfnPlan.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launches of the sparse FFN's kernels, their arguments and what lies
// between them in memory.
//
//===----------------------------------------------------------------------===//

#include "SparseFfnPlan.h"

#include "LoraConditions.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::frit;

/// Of the kernel of rank vectors: threads of a block, and its ranks.
static constexpr int64_t kHiddenThreads = 256;
static constexpr int64_t kHiddenRanks = 8;

/// Of the gate's kernel: threads of a block, rows of a tile, bytes of x that a
/// block keeps, and tiles of a cluster. No more blocks than make parts of a row
/// that merge evenly.
static constexpr int64_t kGateThreads = 256;
static constexpr int64_t kTileRows = 16;
static constexpr int64_t kKeptBytes = 4096;
static constexpr int64_t kClusterTiles = 8;
static constexpr int64_t kMostParts = 256;
/// More than there are in a matrix.
static constexpr int64_t kMostRows = int64_t(1) << 40;

/// Of the kernel of rows: threads of a block, blocks along d, and rows of up
/// and down together in flight.
static constexpr int64_t kRowsThreads = 512;
static constexpr int64_t kMostRanges = 128;
static constexpr int64_t kRowsInFlight = 32;

/// Of the kernels of dealt rows: columns, those that a block lists where it
/// reads all, blocks of a group, and rows in flight. For one token and two the
/// next gate is better kept out until the rows are there; more let a block of
/// it in beside them. Where there are more blocks than multiprocessors, two fit
/// on one.
static constexpr int64_t kMostDealtColumns = 16384;
static constexpr int64_t kDealtListed = 256;
static constexpr int64_t kGroupBlocks = 16;
static constexpr int64_t kDealtRows = 28, kDealtRowsOfMost = 26;
static constexpr int64_t kDealtTokens = kMostRanges / kGroupBlocks;

/// Of the sum's kernel.
static constexpr int64_t kSumThreads = 256;
static constexpr int64_t kSumColumns = 32;

/// Bits of Flag in kernels/SparseFfn/Operands.cuh.
enum Flag : int32_t { kFinal = 1, kErf = 2 };
/// Bits of Flag in kernels/Lora/Arguments.cuh, and one of
/// kernels/SparseFfn/Lora.cuh.
enum LoraFlag : int32_t {
  kRoundSum = 2,
  kStepwise = 4,
  kRoundHidden = 8,
  kWideWeights = 1 << 16
};

int64_t frit::getSparseFfnElementBytes(KernelOpInterface op) {
  return op.getKernelElementType().getIntOrFloatBitWidth() / 8;
}

/// Tokens with blocks of their own share the multiprocessors.
static int64_t getMostRanges(SparseFfnTile tile) {
  if (!tile.isDealt())
    return kMostRanges;
  return std::max(kMostRanges / tile.most, kGroupBlocks);
}

int64_t frit::getSparseFfnDealtColumns(SparseFfnTile tile) {
  if (tile.form == SparseFfnRows::Grouped)
    return kMostDealtColumns;
  return std::min(kMostDealtColumns, getMostRanges(tile) * kDealtListed);
}

namespace {
/// What the launches and the workspace are written over.
struct Plan {
  SparseFfnTile tile;
  bool hasLora;
  const KernelPlanSizes &sizes;

  AffineExpr get(StringRef name) const { return sizes(name); }
  /// Elements of a row of the gate's values, or of sums.
  AffineExpr getPadded(StringRef name) const {
    return get(name).ceilDiv(8) * 8;
  }
  /// Elements of a rank vector.
  AffineExpr getPaddedRank() const { return get("R").ceilDiv(4) * 4; }
  AffineExpr getTiles() const { return get("d").ceilDiv(kTileRows); }

  KernelPlanValue getRanges() const {
    // Groups have their number of blocks whatever d is.
    AffineExpr most = sizes.getConstant(getMostRanges(tile));
    if (tile.form == SparseFfnRows::Grouped)
      return most;
    return {most, get("d").ceilDiv(8)};
  }
  /// Rows of up and down together in flight.
  int64_t getRowsInFlight() const {
    if (!tile.isDealt() || tile.most <= 2)
      return kRowsInFlight;
    return tile.most <= kDealtTokens ? kDealtRows : kDealtRowsOfMost;
  }
  /// Blocks of the gate's kernel along d, which are its parts of a row.
  KernelPlanValue getParts() const {
    AffineExpr cluster = get("cluster");
    return {{getTiles() * cluster,
             (sizes.getMultiprocessors() * get("resident")).floorDiv(cluster) *
                 cluster,
             sizes.getConstant(kMostParts)},
            get("d").ceilDiv(get("clusterRows")) * cluster};
  }

  // The workspace: the gate's values, the shares of the output, the parts, the
  // rank vectors of gate and up, and the shares of those of down. Each begins
  // with a multiple of 16 bytes.

  AffineExpr getSumsByte() const {
    return get("T") * getPadded("d") * sizes.getElementBytes();
  }
  AffineExpr getPartsByte() const {
    return getSumsByte() + get("T") * getPadded("H") * (4 * kMostRanges);
  }
  AffineExpr getHiddenByte() const {
    // As many parts as there are where every tile has a cluster.
    return getPartsByte() + get("T") * getTiles() * get("cluster") * 16;
  }
  AffineExpr getUpHiddenByte() const {
    return getHiddenByte() + get("T") * getPaddedRank() * 4;
  }
  AffineExpr getDownHiddenByte() const {
    return getUpHiddenByte() + get("T") * getPaddedRank() * 4;
  }
  AffineExpr getEnd() const {
    if (!hasLora)
      return getHiddenByte();
    return getDownHiddenByte() + get("T") * getPaddedRank() * (4 * kMostRanges);
  }
};
} // namespace

AffineExpr frit::getSparseFfnWorkspace(SparseFfnTile tile, bool hasLora,
                                       const KernelPlanSizes &sizes) {
  return Plan{tile, hasLora, sizes}.getEnd();
}

/// Blocks that share a row of x, so that each keeps its part of it.
static int64_t getCluster(int64_t rowBytes) {
  int64_t blocks = 1;
  while (blocks < 16 && blocks * kKeptBytes < rowBytes)
    blocks *= 2;
  return blocks;
}

DictionaryAttr frit::getSparseFfnParams(SparseFfnTile tile,
                                        KernelOpInterface op) {
  KernelShape shape = op.getKernelShape();
  int64_t bytes = getSparseFfnElementBytes(op);
  int64_t cluster = getCluster(*getStatic(shape, "H") * bytes);
  // Of the tiles of a cluster each block adds those that are its own.
  int64_t inboxBytes =
      llvm::divideCeil(kClusterTiles, cluster) * cluster * tile.gate * 64;
  // A block alone takes any number of tiles.
  int64_t clusterRows = cluster > 1 ? kTileRows * kClusterTiles : kMostRows;
  // Shared memory and registers of a multiprocessor hold two blocks that keep
  // no x in shared memory and have few tokens.
  int64_t resident = cluster == 1 && bytes == 2 && tile.gate == 8 ? 2 : 1;
  Builder builder(op.getContext());
  auto number = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  return builder.getDictionaryAttr(
      {number("cluster", cluster), number("clusterRows", clusterRows),
       number("inboxBytes", cluster > 1 ? inboxBytes : 0),
       number("resident", resident)});
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static KernelLaunchPlan planHidden(const Plan &plan) {
  const KernelPlanSizes &sizes = plan.sizes;
  KernelLaunchPlan launch;
  launch.isProgrammatic = true;
  launch.grid = {sizes("R").ceilDiv(kHiddenRanks), sizes("T"),
                 sizes.getConstant(2)};
  launch.block[0] = sizes.getConstant(kHiddenThreads);
  return launch;
}

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
  launch.dynamicSharedMemory = {
      row * (plan.tile.rows + plan.getRowsInFlight()),
      sizes.getConstant(kSparseFfnRowsBytes).floorDiv(row) * row};
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

namespace {
/// The arguments of one kernel, in order.
class Arguments {
public:
  Arguments(SparseFfnOp op, const Plan &plan)
      : op(op), plan(plan), builder(op.getContext()) {}

  Arguments &pointer(OpOperand &operand) {
    return add(KernelArgument::pointer(operand.getOperandNumber()));
  }
  Arguments &stride(OpOperand &operand, int64_t dim = 0) {
    return add(KernelArgument::stride(operand.getOperandNumber(), dim));
  }
  Arguments &size(KernelPlanValue value) {
    return add(KernelArgument::size(std::move(value)));
  }
  Arguments &sizes(ArrayRef<StringRef> names) {
    for (StringRef name : names)
      size(plan.get(name));
    return *this;
  }
  Arguments &workspace(AffineExpr byte = {}) {
    return add(KernelArgument::workspace(byte));
  }
  Arguments &number(TypedAttr value) {
    return add(KernelArgument::number(value));
  }
  Arguments &number(int32_t value) {
    return number(builder.getI32IntegerAttr(value));
  }
  /// A null pointer, or a stride of what is not there.
  Arguments &zero() { return number(builder.getI64IntegerAttr(0)); }

  /// What all LoRAs share.
  Arguments &adapters();
  /// A (0) or B (1) of a projection, if it has a LoRA.
  Arguments &factor(unsigned projection, unsigned which);
  Arguments &scale(unsigned projection) {
    return number(
        builder.getF32FloatAttr(op.getLoraScale(projection).convertToFloat()));
  }

  std::vector<KernelArgument> take() { return std::move(arguments); }

private:
  Arguments &add(KernelArgument argument) {
    arguments.push_back(std::move(argument));
    return *this;
  }
  OpOperand &find(Value value) {
    return *llvm::find_if(op->getOpOperands(), [&](OpOperand &operand) {
      return operand.get() == value;
    });
  }
  /// A value that may be absent.
  Arguments &optionalPointer(Value value) {
    return value ? pointer(find(value)) : zero();
  }
  /// Between the rows of projections; one row serves all.
  Arguments &projectionStride(Value value) {
    if (!value || cast<ShapedType>(value.getType()).getRank() == 1)
      return zero();
    return stride(find(value));
  }

  SparseFfnOp op;
  const Plan &plan;
  Builder builder;
  std::vector<KernelArgument> arguments;
};
} // namespace

static int32_t getLoraFlags(SparseFfnOp op) {
  int32_t flags = 0;
  if (op.getLoraRounding() == LoraRounding::Sum)
    flags |= kRoundSum;
  if (op.getLoraRounding() == LoraRounding::Stepwise)
    flags |= kStepwise;
  if (op.getIntermediate() == Intermediate::Element)
    flags |= kRoundHidden;
  if (cast<ShapedType>(op.getAnyA().getType()).getElementType().isF32())
    flags |= kWideWeights;
  return flags;
}

Arguments &Arguments::adapters() {
  return pointer(find(op.getIds()))
      .optionalPointer(op.getScales())
      .optionalPointer(op.getRanks())
      .projectionStride(op.getScales())
      .projectionStride(op.getRanks())
      .sizes({"L", "R"})
      .number(getLoraFlags(op));
}

Arguments &Arguments::factor(unsigned projection, unsigned which) {
  if (!op.hasLora(projection))
    return zero().zero().zero();
  OpOperand &matrix = find(op.getLora(projection)[which]);
  return pointer(matrix).stride(matrix, 0).stride(matrix, 1);
}

static std::vector<KernelArgument> planHiddenArguments(SparseFfnOp op,
                                                       const Plan &plan) {
  return Arguments(op, plan)
      .pointer(op.getXMutable())
      .workspace(plan.getHiddenByte())
      .sizes({"H"})
      .stride(op.getXMutable())
      .adapters()
      .factor(SparseFfnOp::Gate, 0)
      .factor(SparseFfnOp::Up, 0)
      .take();
}

static std::vector<KernelArgument> planGateArguments(SparseFfnOp op,
                                                     const Plan &plan) {
  Arguments arguments(op, plan);
  arguments.pointer(op.getXMutable())
      .pointer(op.getGateMutable())
      .workspace()
      .workspace(plan.getPartsByte())
      .sizes({"T", "d", "H"})
      .stride(op.getXMutable())
      .stride(op.getGateMutable())
      .size(plan.getPadded("d"));
  if (plan.hasLora)
    arguments.adapters()
        .factor(SparseFfnOp::Gate, 1)
        .workspace(plan.getHiddenByte())
        .scale(SparseFfnOp::Gate);
  return arguments.take();
}

static std::vector<KernelArgument> planRowsArguments(SparseFfnOp op,
                                                     const Plan &plan) {
  int32_t flags = op.getRounding() == Rounding::Final ? kFinal : 0;
  if (op.getApproximate() == Approximate::Erf)
    flags |= kErf;
  Arguments arguments(op, plan);
  arguments.pointer(op.getXMutable())
      .workspace()
      .workspace(plan.getPartsByte())
      .pointer(op.getUpMutable())
      .pointer(op.getDownMutable())
      .workspace(plan.getSumsByte())
      .sizes({"T", "d", "H"})
      .size(plan.getParts())
      .stride(op.getXMutable())
      .size(plan.getPadded("d"))
      .stride(op.getUpMutable())
      .stride(op.getDownMutable())
      .number(op.getStdMultiplierAttr())
      .number(static_cast<int32_t>(op.getCorrection()))
      .number(flags);
  if (plan.hasLora)
    arguments.adapters()
        .factor(SparseFfnOp::Up, 1)
        .workspace(plan.getUpHiddenByte())
        .scale(SparseFfnOp::Up)
        .factor(SparseFfnOp::Down, 0)
        .workspace(plan.getDownHiddenByte());
  return arguments.take();
}

static std::vector<KernelArgument> planSumArguments(SparseFfnOp op,
                                                    const Plan &plan) {
  OpOperand &out = op.getOutMutable();
  bool accumulates = op.getAccumulate();
  Arguments arguments(op, plan);
  arguments.workspace(plan.getSumsByte());
  accumulates ? arguments.pointer(out) : arguments.zero();
  arguments.pointer(out).sizes({"T", "H"}).size(plan.getRanges());
  accumulates ? arguments.stride(out) : arguments.zero();
  arguments.stride(out);
  if (plan.hasLora)
    arguments.adapters()
        .factor(SparseFfnOp::Down, 1)
        .workspace(plan.getDownHiddenByte())
        .scale(SparseFfnOp::Down);
  return arguments.take();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

std::vector<KernelStep> frit::getSparseFfnSteps(SparseFfnTile tile,
                                                bool hasLora) {
  std::vector<KernelStep> steps;
  auto add =
      [&](StringRef kernel, StringRef variant,
          KernelLaunchPlan (*launchPlan)(const Plan &),
          std::vector<KernelArgument> (*arguments)(SparseFfnOp, const Plan &)) {
        bool isFirst = steps.empty();
        KernelStep &step = steps.emplace_back();
        step.launchPlan = [=](const KernelPlanSizes &sizes) {
          return launchPlan({tile, hasLora, sizes});
        };
        step.argumentPlan = [=](KernelOpInterface op,
                                const KernelPlanSizes &sizes) {
          return arguments(cast<SparseFfnOp>(op.getOperation()),
                           {tile, hasLora, sizes});
        };
        step.function = [=, kernel = kernel.str(),
                         variant = variant.str()](KernelOpInterface op) {
          // The first of the launches is what begins beside the kernel ahead;
          // that of the rank vectors lets the gate's begin so.
          return llvm::formatv("frit_sparse_ffn_{0}_{1}{2}{3}", kernel,
                               getTypeName(op.getKernelElementType()), variant,
                               isFirst && isBeside(op) ? "_early" : "")
              .str();
        };
      };
  std::string lora = hasLora ? "_lora" : "";
  auto getVariant = [&](int64_t tokens) {
    return llvm::formatv("_tile{0}{1}", tokens, lora).str();
  };
  if (hasLora)
    add("hidden", "", planHidden, planHiddenArguments);
  add("gate", getVariant(tile.gate), planGate, planGateArguments);
  switch (tile.form) {
  case SparseFfnRows::Ranges:
    add("rows", getVariant(tile.rows), planRows, planRowsArguments);
    break;
  case SparseFfnRows::Dealt:
    add("dealt", lora, planRows, planRowsArguments);
    break;
  case SparseFfnRows::Grouped:
    add("grouped", lora, planRows, planRowsArguments);
    break;
  }
  add("sum", lora, planSum, planSumArguments);
  return steps;
}
