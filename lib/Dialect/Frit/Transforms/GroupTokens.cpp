//===- GroupTokens.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-group-tokens: one grouping for all LoRA ops that share ids.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "RemarkOptions.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::frit {

#define GEN_PASS_DEF_GROUPTOKENSPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// The number of adapters of an op: static, or a dimension of a weight.
struct NumAdapters {
  int64_t size;
  /// Null where the number is static.
  Value weight;
};

template <typename LoraOp> NumAdapters getNumAdapters(LoraOp op) {
  for (Value weight : op.getWeights()) {
    int64_t size = cast<ShapedType>(weight.getType()).getDimSize(0);
    if (!ShapedType::isDynamic(size))
      return {size, Value()};
  }
  return {ShapedType::kDynamic, op.getWeights().front()};
}

/// The most tokens that an op can have; none where that is not bounded.
template <typename LoraOp> std::optional<int64_t> getMaxTokens(LoraOp op) {
  KernelShape shape = op.getKernelShape();
  const KernelExtent &tokens = shape.getExtents()[*shape.lookup("T")];
  if (std::optional<int64_t> size = tokens.getStaticSize())
    return size;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, {op.getIds(), /*dim=*/0},
      /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  // A FailureOr is an optional, which is empty after a failure.
  return bound;
}

class GroupTokensPass : public impl::GroupTokensPassBase<GroupTokensPass> {
public:
  using GroupTokensPassBase::GroupTokensPassBase;

  void runOnOperation() override {
    if (minTokens < 0) {
      emitError(getOperation()->getLoc())
          << "min-tokens=" << minTokens.getValue()
          << ": expected a number of tokens of 0 or more";
      return signalPassFailure();
    }
    DominanceInfo &dominance = getAnalysis<DominanceInfo>();
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<LoraMatmulOp, LoraShrinkOp, LoraExpandOp, LoraGeluAndMulSparseOp>(
              op))
        ops.push_back(op);
    });
    groups.clear();
    for (Operation *op : ops)
      llvm::TypeSwitch<Operation *>(op)
          .Case<LoraMatmulOp, LoraShrinkOp, LoraExpandOp,
                LoraGeluAndMulSparseOp>(
              [&](auto op) { groupTokens(op, dominance); });
  }

private:
  template <typename LoraOp>
  void groupTokens(LoraOp op, const DominanceInfo &dominance) {
    if (op.isGrouped() || !op.hasTensorSemantics())
      return;
    remark::RemarkOpts opts = getRemarkOpts(op, "lora_group", getArgument());
    Value ids = op.getIds();
    std::optional<int64_t> maxTokens = getMaxTokens(op);
    if (maxTokens && *maxTokens < minTokens) {
      remark::missed(op.getLoc(), opts)
          << remark::reason("there are at most {0} tokens, and a grouping is "
                            "given from {1} on",
                            *maxTokens, minTokens.getValue());
      ++numSmall;
      return;
    }
    NumAdapters adapters = getNumAdapters(op);
    LoraGroupOp &group = groups[{ids, adapters.size, adapters.weight}];
    bool isNew = !group;
    if (isNew)
      group = createGroup(op.getLoc(), ids, adapters, dominance);
    op.getOrderMutable().assign(group.getResults()[0]);
    op.getStartsMutable().assign(group.getResults()[1]);
    ++numGrouped;
    remark::passed(op.getLoc(), opts)
        << remark::add("{0}", isNew ? "tokens are grouped for this op"
                                    : "shares the grouping of an earlier op");
  }

  /// Creates a grouping at the first point where ids and the number of adapters
  /// are known. Both dominate every op that uses it.
  LoraGroupOp createGroup(Location loc, Value ids, NumAdapters adapters,
                          const DominanceInfo &dominance) {
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(
        adapters.weight && isDefinedBefore(ids, adapters.weight, dominance)
            ? adapters.weight
            : ids);
    Type i32 = builder.getI32Type();
    OpFoldResult numTokens = tensor::getMixedSize(builder, loc, ids, 0);
    OpFoldResult numStarts = builder.getIndexAttr(adapters.size + 1);
    if (adapters.weight) {
      Value size = builder.createOrFold<tensor::DimOp>(loc, adapters.weight, 0);
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      numStarts = arith::AddIOp::create(builder, loc, size, one).getResult();
    }
    Value order = tensor::EmptyOp::create(builder, loc, numTokens, i32);
    Value starts = tensor::EmptyOp::create(builder, loc, numStarts, i32);
    ++numGroups;
    return LoraGroupOp::create(builder, loc,
                               TypeRange{order.getType(), starts.getType()},
                               ids, order, starts);
  }

  /// Whether the first value is defined before the second; one of them is
  /// defined where the other is known.
  static bool isDefinedBefore(Value first, Value second,
                              const DominanceInfo &dominance) {
    if (Operation *definition = second.getDefiningOp())
      return dominance.properlyDominates(first, definition);
    return dominance.properlyDominates(first.getParentBlock(),
                                       second.getParentBlock());
  }

  /// By ids, static number of adapters and the weight that has a dynamic one.
  DenseMap<std::tuple<Value, int64_t, Value>, LoraGroupOp> groups;
};

} // namespace
} // namespace mlir::frit
