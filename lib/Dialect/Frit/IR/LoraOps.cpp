//===- LoraOps.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers and canonicalization of lora_matmul, lora_shrink and lora_expand.
//
//===----------------------------------------------------------------------===//

#include "OpSupport.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::frit;

namespace {
/// The roles of weights and rank vectors in one LoRA op.
struct LoraOperands {
  SmallVector<std::string> names;
  SmallVector<NamedOperand> all;
  /// A and B of each slice; a null value where the op has none.
  SmallVector<NamedOperand> a, b;
};
} // namespace

/// Names the operands that every LoRA op has. Weight names live in `operands`.
template <typename LoraOp>
static void collectOptionalOperands(LoraOp op, LoraOperands &operands) {
  auto add = [&](StringRef name, Value value) {
    if (value)
      operands.all.push_back({name, value});
  };
  add("scales", op.getScales());
  add("ranks", op.getRanks());
  add("order", op.getOrder());
  add("starts", op.getStarts());
  add("active", op.getActive());
}

/// Names the weights of each slice: alternately A and B, or one of them.
template <typename LoraOp>
static void collectWeights(LoraOp op, bool hasA, bool hasB,
                           LoraOperands &operands) {
  unsigned perSlice = (hasA ? 1 : 0) + (hasB ? 1 : 0);
  operands.names.reserve(op.getWeights().size());
  for (auto [index, weight] : llvm::enumerate(op.getWeights())) {
    bool isA = hasA && index % perSlice == 0;
    operands.names.push_back((isA ? "A" : "B") +
                             std::to_string(index / perSlice));
    NamedOperand operand{operands.names.back(), weight};
    (isA ? operands.a : operands.b).push_back(operand);
    operands.all.push_back(operand);
  }
}

/// Checks the grouping operands. `adapters` has the adapters in dimension 0.
template <typename LoraOp>
static LogicalResult verifyGrouping(LoraOp op, NamedOperand ids,
                                    NamedOperand adapters) {
  if (!op.getOrder() || !op.getStarts()) {
    if (!op.getOrder() && !op.getStarts() && !op.getActive())
      return success();
    return op.emitOpError()
           << "a grouping needs '" << (op.getOrder() ? "starts" : "order")
           << "' beside '"
           << (op.getOrder()    ? "order"
               : op.getStarts() ? "starts"
                                : "active")
           << "'";
  }
  NamedOperand order{"order", op.getOrder()}, starts{"starts", op.getStarts()};
  if (failed(verifyRank(op, order, 1)) || failed(verifyRank(op, starts, 1)) ||
      failed(verifySameDim(op, order, 0, ids, 0)))
    return failure();
  NamedOperand groups = adapters;
  if (op.getActive()) {
    groups = {"active", op.getActive()};
    if (failed(verifyRank(op, groups, 1)))
      return failure();
  }
  int64_t numStarts = starts.getType().getDimSize(0);
  int64_t numGroups = groups.getType().getDimSize(0);
  if (numStarts == 0)
    return op.emitOpError()
           << "dimension 0 of 'starts' must be 1 or more, but is 0";
  if (!ShapedType::isDynamic(numStarts) && !ShapedType::isDynamic(numGroups) &&
      numStarts - 1 != numGroups)
    return op.emitOpError()
           << "dimension 0 of 'starts' minus 1 is " << numStarts - 1
           << ", but dimension 0 of '" << groups.name << "' is " << numGroups;
  return success();
}

/// Checks what all LoRA ops share: ids, weights among themselves, scales, ranks
/// and grouping. `tokens` has the tokens in dimension `tokenDim`.
template <typename LoraOp>
static LogicalResult verifyLora(LoraOp op, const LoraOperands &operands,
                                NamedOperand tokens, int64_t tokenDim) {
  NamedOperand ids{"ids", op.getIds()};
  if (failed(verifyRank(op, ids, 1)) ||
      failed(verifySameDim(op, ids, 0, tokens, tokenDim)))
    return failure();

  ArrayRef<NamedOperand> weights =
      ArrayRef(operands.all).take_front(op.getWeights().size());
  NamedOperand first = weights.front();
  for (NamedOperand weight : weights) {
    if (failed(verifyRank(op, weight, 3)) ||
        failed(verifySameDim(op, weight, 0, first, 0)) ||
        failed(verifySameElementType(op, weight, first)))
      return failure();
  }
  for (NamedOperand a : operands.a)
    if (failed(verifySameDim(op, a, 1, operands.a.front(), 1)) ||
        failed(verifySameDim(op, a, 2, operands.a.front(), 2)))
      return failure();
  for (NamedOperand b : operands.b)
    if (failed(verifySameDim(op, b, 2, operands.b.front(), 2)))
      return failure();

  if (op.getScales()) {
    NamedOperand scales{"scales", op.getScales()};
    if (failed(verifyRank(op, scales, 1)) ||
        failed(verifySameDim(op, scales, 0, first, 0)))
      return failure();
  }
  if (op.getRanks()) {
    NamedOperand ranks{"ranks", op.getRanks()};
    int64_t rank = ranks.getType().getRank();
    if (rank != 1 && rank != 2)
      return op.emitOpError()
             << "'ranks' must have rank 1 or 2, but has " << rank;
    if (failed(verifySameDim(op, ranks, rank - 1, first, 0)))
      return failure();
    int64_t slices =
        rank == 2 ? ranks.getType().getDimSize(0) : ShapedType::kDynamic;
    if (!ShapedType::isDynamic(slices) && slices != op.getNumSlices())
      return op.emitOpError()
             << "dimension 0 of 'ranks' is " << slices << ", but there are "
             << op.getNumSlices() << " slices";
  }
  return verifyGrouping(op, ids, first);
}

/// Checks that the slices fit between `offset` and the width of the
/// destination.
template <typename ExpandingOp>
static LogicalResult verifySlicesFit(ExpandingOp op, ArrayRef<NamedOperand> b) {
  int64_t offset = op.getOffset();
  if (offset < 0)
    return op.emitOpError()
           << "'offset' must not be negative, but is " << offset;
  int64_t width = op.getOutType().getDimSize(1);
  // Wide enough for the sum of any number of 64-bit sizes.
  llvm::APInt end(128, offset);
  for (NamedOperand slice : b) {
    int64_t size = slice.getType().getDimSize(1);
    // A dynamic slice counts as empty: the others must fit all the same.
    if (!ShapedType::isDynamic(size))
      end += size;
  }
  if (!ShapedType::isDynamic(width) && end.ugt(width))
    return op.emitOpError() << "'offset' plus the widths of the slices is "
                            << llvm::toString(end, 10, /*Signed=*/false)
                            << ", but dimension 1 of 'out' is " << width;
  return success();
}

/// Checks that a rank vector is f32 or of the weights' type.
static LogicalResult verifyRankVectorType(Operation *op, NamedOperand h,
                                          NamedOperand weight) {
  Type type = h.getType().getElementType();
  Type weightType = weight.getType().getElementType();
  if (type.isF32() || type == weightType)
    return success();
  return op->emitOpError() << "element type of '" << h.name << "' is " << type
                           << ", but must be f32 or that of '" << weight.name
                           << "', " << weightType;
}

/// Checks that a rank vector operand `[S, T, R]` has one slice a weight.
template <typename LoraOp>
static LogicalResult verifyRankVectorSlices(LoraOp op, NamedOperand h) {
  int64_t slices = h.getType().getDimSize(0);
  if (ShapedType::isDynamic(slices) || slices == op.getNumSlices())
    return success();
  return op.emitOpError() << "dimension 0 of '" << h.name << "' is " << slices
                          << ", but there are " << op.getNumSlices()
                          << " slices";
}

//===----------------------------------------------------------------------===//
// LoraMatmulOp
//===----------------------------------------------------------------------===//

LogicalResult LoraMatmulOp::verify() {
  if (getWeights().empty() || getWeights().size() % 2 != 0)
    return emitOpError() << "'weights' must be pairs of A and B, but there are "
                         << getWeights().size() << " operands";
  LoraOperands operands;
  collectWeights(*this, /*hasA=*/true, /*hasB=*/true, operands);
  collectOptionalOperands(*this, operands);
  NamedOperand x{"x", getX()}, out{"out", getOut()}, ids{"ids", getIds()};
  llvm::append_values(operands.all, x, ids, out);
  if (failed(verifyDestinationStyle(*this, operands.all)) ||
      failed(verifyRank(*this, x, 2)) || failed(verifyRank(*this, out, 2)) ||
      failed(verifySameDim(*this, x, 0, out, 0)) ||
      failed(verifyLora(*this, operands, x, /*tokenDim=*/0)) ||
      failed(verifySameDim(*this, operands.a.front(), 2, x, 1)) ||
      failed(
          verifySameDim(*this, operands.a.front(), 1, operands.b.front(), 2)) ||
      failed(verifySameElementType(*this, x, out)) ||
      failed(verifyLoraWeightType(*this, operands.a.front(), x)) ||
      failed(verifySlicesFit(*this, operands.b)))
    return failure();
  if (getRounding() == LoraRounding::Stepwise &&
      getIntermediate() != Intermediate::F32)
    return emitOpError()
           << "'intermediate' must be f32 with rounding stepwise, "
              "but is "
           << stringifyIntermediate(getIntermediate());
  return success();
}

int64_t LoraMatmulOp::getMaxRank() {
  return cast<ShapedType>(getA(0).getType()).getDimSize(1);
}

Type LoraMatmulOp::getKernelElementType() {
  return getOutType().getElementType();
}

//===----------------------------------------------------------------------===//
// LoraShrinkOp
//===----------------------------------------------------------------------===//

LogicalResult LoraShrinkOp::verify() {
  if (getWeights().empty())
    return emitOpError() << "'weights' must not be empty";
  LoraOperands operands;
  collectWeights(*this, /*hasA=*/true, /*hasB=*/false, operands);
  collectOptionalOperands(*this, operands);
  NamedOperand x{"x", getX()}, out{"out", getOut()}, ids{"ids", getIds()};
  llvm::append_values(operands.all, x, ids, out);
  if (failed(verifyDestinationStyle(*this, operands.all)) ||
      failed(verifyRank(*this, x, 2)) || failed(verifyRank(*this, out, 3)) ||
      failed(verifySameDim(*this, x, 0, out, 1)) ||
      failed(verifyLora(*this, operands, x, /*tokenDim=*/0)) ||
      failed(verifySameDim(*this, operands.a.front(), 2, x, 1)) ||
      failed(verifySameDim(*this, operands.a.front(), 1, out, 2)) ||
      failed(verifyRankVectorSlices(*this, out)) ||
      failed(verifyLoraWeightType(*this, operands.a.front(), x)))
    return failure();
  return verifyRankVectorType(*this, out, operands.a.front());
}

int64_t LoraShrinkOp::getMaxRank() {
  return cast<ShapedType>(getA(0).getType()).getDimSize(1);
}

Type LoraShrinkOp::getKernelElementType() {
  return cast<ShapedType>(getX().getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// LoraExpandOp
//===----------------------------------------------------------------------===//

LogicalResult LoraExpandOp::verify() {
  if (getWeights().empty())
    return emitOpError() << "'weights' must not be empty";
  LoraOperands operands;
  collectWeights(*this, /*hasA=*/false, /*hasB=*/true, operands);
  collectOptionalOperands(*this, operands);
  NamedOperand h{"h", getH()}, out{"out", getOut()}, ids{"ids", getIds()};
  llvm::append_values(operands.all, h, ids, out);
  if (failed(verifyDestinationStyle(*this, operands.all)) ||
      failed(verifyRank(*this, h, 3)) || failed(verifyRank(*this, out, 2)) ||
      failed(verifySameDim(*this, h, 1, out, 0)) ||
      failed(verifyLora(*this, operands, h, /*tokenDim=*/1)) ||
      failed(verifySameDim(*this, operands.b.front(), 2, h, 2)) ||
      failed(verifyRankVectorSlices(*this, h)) ||
      failed(verifyLoraWeightType(*this, operands.b.front(), out)) ||
      failed(verifySlicesFit(*this, operands.b)))
    return failure();
  return verifyRankVectorType(*this, h, operands.b.front());
}

int64_t LoraExpandOp::getMaxRank() {
  return cast<ShapedType>(getB(0).getType()).getDimSize(2);
}

Type LoraExpandOp::getKernelElementType() {
  return getOutType().getElementType();
}

//===----------------------------------------------------------------------===//
// LoraGeluAndMulSparseOp
//===----------------------------------------------------------------------===//

/// Checks that y is as wide as gate and up together.
static LogicalResult verifyPackedWidth(LoraGeluAndMulSparseOp op,
                                       NamedOperand y, NamedOperand out) {
  int64_t packed = y.getType().getDimSize(1);
  int64_t width = out.getType().getDimSize(1);
  if (ShapedType::isDynamic(packed))
    return success();
  if (packed % 2 != 0)
    return op.emitOpError()
           << "dimension 1 of 'y' must be even, but is " << packed;
  if (!ShapedType::isDynamic(width) && packed / 2 != width)
    return op.emitOpError() << "half of dimension 1 of 'y' is " << packed / 2
                            << ", but dimension 1 of 'out' is " << width;
  return success();
}

LogicalResult LoraGeluAndMulSparseOp::verify() {
  if (getWeights().size() != kNumSlices)
    return emitOpError() << "'weights' must be the B of gate and of up, but "
                            "there are "
                         << getWeights().size() << " operands";
  LoraOperands operands;
  collectWeights(*this, /*hasA=*/false, /*hasB=*/true, operands);
  collectOptionalOperands(*this, operands);
  NamedOperand y{"y", getY()}, h{"h", getH()}, ids{"ids", getIds()};
  NamedOperand out{"out", getOut()};
  llvm::append_values(operands.all, y, h, ids, out);
  if (failed(verifyDestinationStyle(*this, operands.all)) ||
      failed(verifyRank(*this, y, 2)) || failed(verifyRank(*this, h, 3)) ||
      failed(verifyRank(*this, out, 2)) ||
      failed(verifySameElementType(*this, y, out)) ||
      failed(verifySameDim(*this, y, 0, out, 0)) ||
      failed(verifySameDim(*this, h, 1, out, 0)) ||
      failed(verifyPackedWidth(*this, y, out)) ||
      failed(verifyLora(*this, operands, h, /*tokenDim=*/1)) ||
      failed(verifySameDim(*this, operands.b.front(), 2, h, 2)) ||
      failed(verifyRankVectorSlices(*this, h)) ||
      failed(verifyLoraWeightType(*this, operands.b.front(), out)))
    return failure();
  for (NamedOperand b : operands.b)
    if (failed(verifySameDim(*this, b, 1, out, 1)))
      return failure();
  return verifySparseGate(*this, getCorrection(), getStdMultiplierAttr());
}
