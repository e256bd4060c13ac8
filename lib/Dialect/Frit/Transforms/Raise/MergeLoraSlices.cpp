//===- MergeLoraSlices.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes one frit.lora_matmul with slices of several that read one x and write
// side by side: to tensors that are then concatenated, or to parts of one
// tensor that follow each other.
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

/// How far back two values are compared before they count as different.
static constexpr unsigned kMaxDepth = 256;

using Equivalences = DenseMap<std::pair<Value, Value>, bool>;

static bool areEquivalent(Value lhs, Value rhs, Equivalences &known,
                          unsigned depth);

static bool computeEquivalence(Value lhs, Value rhs, Equivalences &known,
                               unsigned depth) {
  if (depth == kMaxDepth)
    return false;
  Operation *left = lhs.getDefiningOp(), *right = rhs.getDefiningOp();
  if (!left || !right || !isMemoryEffectFree(left) ||
      cast<OpResult>(lhs).getResultNumber() !=
          cast<OpResult>(rhs).getResultNumber())
    return false;
  // What a fill does is in its operands; other regions are not looked into.
  if (left->getNumRegions() != 0 && !isa<linalg::FillOp>(left))
    return false;
  return left->getNumOperands() == right->getNumOperands() &&
         llvm::all_of(llvm::zip(left->getOperands(), right->getOperands()),
                      [&](auto pair) {
                        return areEquivalent(std::get<0>(pair),
                                             std::get<1>(pair), known,
                                             depth + 1);
                      }) &&
         OperationEquivalence::isEquivalentTo(
             left, right, OperationEquivalence::ignoreValueEquivalence,
             /*markEquivalent=*/nullptr,
             OperationEquivalence::Flags::IgnoreLocations);
}

static bool areEquivalent(Value lhs, Value rhs, Equivalences &known,
                          unsigned depth) {
  if (lhs == rhs)
    return true;
  if (auto it = known.find({lhs, rhs}); it != known.end())
    return it->second;
  bool equivalent = computeEquivalence(lhs, rhs, known, depth);
  known[{lhs, rhs}] = equivalent;
  return equivalent;
}

/// Whether two values are computed in the same way from the same values.
static bool areEquivalent(Value lhs, Value rhs) {
  Equivalences known;
  return areEquivalent(lhs, rhs, known, /*depth=*/0);
}

/// Whether a value is there for one op and absent for the other, or differs.
static bool areSameOperand(Value lhs, Value rhs) {
  return lhs && rhs ? areEquivalent(lhs, rhs) : !lhs && !rhs;
}

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Whether an op has one slice that covers its whole destination.
static bool isWholeSlice(LoraMatmulOp op) {
  int64_t width = getTensorType(op.getB(0)).getDimSize(1);
  return op.hasPureTensorSemantics() && op.getNumSlices() == 1 &&
         !op.isGrouped() && !op.getRanks() && !op.getKernel() &&
         op.getOffset() == 0 && !ShapedType::isDynamic(width) &&
         width == op.getOutType().getDimSize(1);
}

/// Whether two ops can be slices of one.
static bool canShareOp(LoraMatmulOp lhs, LoraMatmulOp rhs) {
  RankedTensorType a = getTensorType(lhs.getA(0));
  return a == rhs.getA(0).getType() && a.hasStaticShape() &&
         areEquivalent(lhs.getX(), rhs.getX()) &&
         areEquivalent(lhs.getIds(), rhs.getIds()) &&
         areSameOperand(lhs.getScales(), rhs.getScales()) &&
         lhs.getScale() == rhs.getScale() &&
         lhs.getRounding() == rhs.getRounding() &&
         lhs.getIntermediate() == rhs.getIntermediate() &&
         lhs.getAccumulate() == rhs.getAccumulate();
}

/// Builds one op of several, from `offset` of a destination on.
static Value buildShared(OpBuilder &builder, ArrayRef<LoraMatmulOp> ops,
                         Value destination, int64_t offset) {
  LoraMatmulOp first = ops.front();
  SmallVector<Value> weights;
  for (LoraMatmulOp op : ops)
    llvm::append_range(weights, op.getWeights());
  auto shared = LoraMatmulOp::create(
      builder, first.getLoc(), TypeRange{destination.getType()}, first.getX(),
      first.getIds(), weights, first.getScales(), /*ranks=*/Value(),
      /*order=*/Value(), /*starts=*/Value(), /*active=*/Value(), destination,
      first.getScale(), offset, first.getIntermediate(), first.getRounding(),
      first.getAccumulate());
  return shared->getResult(0);
}

//===----------------------------------------------------------------------===//
// Concatenated results
//===----------------------------------------------------------------------===//

/// Concatenates destinations before the op in place of results behind it.
static bool mergeConcatenated(tensor::ConcatOp concat, IRRewriter &rewriter) {
  if (concat.getDim() != 1 || concat.getInputs().size() < 2)
    return false;
  SmallVector<LoraMatmulOp> ops;
  SmallVector<Value> destinations;
  for (Value input : concat.getInputs()) {
    auto op = input.getDefiningOp<LoraMatmulOp>();
    if (!op || !op->hasOneUse() || !isWholeSlice(op) ||
        (!ops.empty() && !canShareOp(ops.front(), op)))
      return false;
    ops.push_back(op);
    destinations.push_back(op.getOut());
  }
  rewriter.setInsertionPoint(concat);
  Value destination = tensor::ConcatOp::create(rewriter, concat.getLoc(),
                                               concat.getResultType(),
                                               concat.getDim(), destinations);
  rewriter.replaceOp(concat, buildShared(rewriter, ops, destination, 0));
  for (LoraMatmulOp op : ops)
    rewriter.eraseOp(op);
  return true;
}

//===----------------------------------------------------------------------===//
// Parts of one tensor
//===----------------------------------------------------------------------===//

/// Whole rows of a tensor, from a column on: what an op writes to.
static tensor::ExtractSliceOp getPart(LoraMatmulOp op) {
  auto part = op.getOut().getDefiningOp<tensor::ExtractSliceOp>();
  if (!part || !part.hasUnitStride() || part.getSourceType().getRank() != 2 ||
      part.getType().getRank() != 2 || part.getStaticOffset(0) != 0 ||
      ShapedType::isDynamic(part.getStaticOffset(1)))
    return {};
  // A dynamic number of rows is that of x, which the layer's result has too.
  int64_t rows = part.getSourceType().getDimSize(0);
  return rows == part.getType().getDimSize(0) ? part : tensor::ExtractSliceOp();
}

/// Whether all users of the ops come after the last one.
static bool areUsedAfter(ArrayRef<LoraMatmulOp> ops, Operation *last) {
  Block *block = last->getBlock();
  return llvm::all_of(ops, [&](LoraMatmulOp op) {
    return op->getBlock() == block &&
           llvm::all_of(op->getUsers(), [&](Operation *user) {
             Operation *ancestor = block->findAncestorOpInBlock(*user);
             return ancestor && last->isBeforeInBlock(ancestor);
           });
  });
}

/// Merges ops that write to parts of one tensor, given in the order of columns.
static bool mergeParts(ArrayRef<LoraMatmulOp> ops, IRRewriter &rewriter) {
  LoraMatmulOp last = ops.front();
  for (LoraMatmulOp op : ops)
    if (op->getBlock() == last->getBlock() && last->isBeforeInBlock(op))
      last = op;
  if (!areUsedAfter(ops, last))
    return false;
  tensor::ExtractSliceOp first = getPart(ops.front());
  rewriter.setInsertionPoint(last);
  Value shared =
      buildShared(rewriter, ops, first.getSource(), first.getStaticOffset(1));
  for (LoraMatmulOp op : ops) {
    tensor::ExtractSliceOp part = getPart(op);
    Value result = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), part.getType(), shared, part.getMixedOffsets(),
        part.getMixedSizes(), part.getMixedStrides());
    rewriter.replaceOp(op, result);
    if (part.use_empty())
      rewriter.eraseOp(part);
  }
  return true;
}

/// Merges runs of ops whose parts of one tensor follow each other.
static unsigned mergeRuns(SmallVector<LoraMatmulOp> ops, IRRewriter &rewriter) {
  auto getStart = [](LoraMatmulOp op) {
    return getPart(op).getStaticOffset(1);
  };
  // Ops at the same column are no run, in whatever order they are.
  llvm::sort(ops, [&](LoraMatmulOp lhs, LoraMatmulOp rhs) {
    return getStart(lhs) < getStart(rhs) ||
           (getStart(lhs) == getStart(rhs) &&
            lhs->getBlock() == rhs->getBlock() && lhs->isBeforeInBlock(rhs));
  });
  unsigned numMerged = 0;
  for (unsigned begin = 0, end = 0; begin < ops.size(); begin = end) {
    for (end = begin + 1; end < ops.size(); ++end) {
      LoraMatmulOp previous = ops[end - 1];
      int64_t width = previous.getOutType().getDimSize(1);
      if (getStart(ops[end]) != getStart(previous) + width ||
          !canShareOp(ops[begin], ops[end]))
        break;
    }
    if (end - begin > 1 &&
        mergeParts(ArrayRef(ops).slice(begin, end - begin), rewriter))
      ++numMerged;
  }
  return numMerged;
}

unsigned frit::mergeLoraSlices(Operation *scope, IRRewriter &rewriter) {
  SmallVector<tensor::ConcatOp> concats;
  scope->walk([&](tensor::ConcatOp op) { concats.push_back(op); });
  unsigned numMerged = 0;
  for (tensor::ConcatOp concat : concats)
    numMerged += mergeConcatenated(concat, rewriter);

  llvm::MapVector<Value, SmallVector<LoraMatmulOp>> byTensor;
  scope->walk([&](LoraMatmulOp op) {
    if (isWholeSlice(op))
      if (tensor::ExtractSliceOp part = getPart(op))
        byTensor[part.getSource()].push_back(op);
  });
  for (auto &[tensor, ops] : byTensor)
    numMerged += mergeRuns(ops, rewriter);
  return numMerged;
}
