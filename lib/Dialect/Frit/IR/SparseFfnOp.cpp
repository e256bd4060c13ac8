//===- SparseFfnOp.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifier and canonicalization of sparse_ffn.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"
#include "OpSupport.h"

using namespace mlir;
using namespace mlir::frit;

/// The names that messages give A and B of each projection.
static constexpr StringLiteral kNamesOfA[] = {"A_gate", "A_up", "A_down"};
static constexpr StringLiteral kNamesOfB[] = {"B_gate", "B_up", "B_down"};
static constexpr StringLiteral kListNames[] = {"gate_lora", "up_lora",
                                               "down_lora"};

Value SparseFfnOp::getAnyA() {
  for (unsigned projection = 0; projection < kNumProjections; ++projection)
    if (hasLora(projection))
      return getLora(projection).front();
  return {};
}

/// Checks x, out and the three matrices.
static LogicalResult verifyMatrices(SparseFfnOp op) {
  NamedOperand x{"x", op.getX()}, out{"out", op.getOut()};
  NamedOperand gate{"gate", op.getGate()}, up{"up", op.getUp()};
  NamedOperand down{"down", op.getDown()};
  for (NamedOperand operand : {x, out, gate, up, down})
    if (failed(verifyRank(op, operand, 2)) ||
        failed(verifySameElementType(op, operand, x)))
      return failure();
  int64_t columnDim = op.getDownColumnDim();
  return success(succeeded(verifySameDim(op, x, 0, out, 0)) &&
                 succeeded(verifySameDim(op, out, 1, x, 1)) &&
                 succeeded(verifySameDim(op, gate, 1, x, 1)) &&
                 succeeded(verifySameDim(op, up, 0, gate, 0)) &&
                 succeeded(verifySameDim(op, up, 1, x, 1)) &&
                 succeeded(verifySameDim(op, down, columnDim, gate, 0)) &&
                 succeeded(verifySameDim(op, down, 1 - columnDim, x, 1)));
}

/// Checks A and B of one projection. `first` is the first A of the op.
static LogicalResult verifyLora(SparseFfnOp op, unsigned projection,
                                NamedOperand first) {
  NamedOperand x{"x", op.getX()}, gate{"gate", op.getGate()};
  NamedOperand a{kNamesOfA[projection], op.getLora(projection)[0]};
  NamedOperand b{kNamesOfB[projection], op.getLora(projection)[1]};
  for (NamedOperand weight : {a, b})
    if (failed(verifyRank(op, weight, 3)) ||
        failed(verifySameElementType(op, weight, first)) ||
        failed(verifyLoraWeightType(op, weight, x)) ||
        failed(verifySameDim(op, weight, 0, first, 0)))
      return failure();
  bool isDown = projection == SparseFfnOp::Down;
  NamedOperand in = isDown ? gate : x, out = isDown ? x : gate;
  int64_t inDim = isDown ? 0 : 1, outDim = isDown ? 1 : 0;
  return success(succeeded(verifySameDim(op, a, 1, first, 1)) &&
                 succeeded(verifySameDim(op, b, 2, first, 1)) &&
                 succeeded(verifySameDim(op, a, 2, in, inDim)) &&
                 succeeded(verifySameDim(op, b, 1, out, outDim)));
}

/// Checks an operand with an entry for each adapter, or for each projection and
/// adapter.
static LogicalResult verifyPerAdapter(SparseFfnOp op, NamedOperand operand,
                                      NamedOperand first) {
  int64_t rank = operand.getType().getRank();
  if (rank != 1 && rank != 2)
    return op.emitOpError() << "'" << operand.name
                            << "' must have rank 1 or 2, but has " << rank;
  if (failed(verifySameDim(op, operand, rank - 1, first, 0)))
    return failure();
  int64_t rows = rank == 2 ? operand.getType().getDimSize(0)
                           : SparseFfnOp::kNumProjections;
  if (ShapedType::isDynamic(rows) || rows == SparseFfnOp::kNumProjections)
    return success();
  return op.emitOpError() << "dimension 0 of '" << operand.name << "' is "
                          << rows << ", but there are "
                          << SparseFfnOp::kNumProjections << " projections";
}

static LogicalResult verifyLoras(SparseFfnOp op) {
  for (unsigned p = 0; p < SparseFfnOp::kNumProjections; ++p)
    if (op.hasLora(p) && op.getLora(p).size() != 2)
      return op.emitOpError()
             << "'" << kListNames[p] << "' must be A and B, but there are "
             << op.getLora(p).size() << " operands";
  Value anyA = op.getAnyA();
  if (!anyA) {
    for (auto [name, value] :
         {std::pair("ids", op.getIds()), std::pair("scales", op.getScales()),
          std::pair("ranks", op.getRanks())})
      if (value)
        return op.emitOpError() << "'" << name << "' needs a LoRA beside it";
    return success();
  }
  if (!op.getIds())
    return op.emitOpError() << "a LoRA needs 'ids' beside it";
  if (op.getLoraRounding() == LoraRounding::Stepwise &&
      op.getIntermediate() != Intermediate::F32)
    return op.emitOpError()
           << "'intermediate' must be f32 with lora_rounding stepwise, but is "
           << stringifyIntermediate(op.getIntermediate());

  NamedOperand ids{"ids", op.getIds()}, first;
  for (unsigned p = SparseFfnOp::kNumProjections; p-- > 0;)
    if (op.hasLora(p))
      first = {kNamesOfA[p], op.getLora(p)[0]};
  if (failed(verifyRank(op, ids, 1)) ||
      failed(verifySameDim(op, ids, 0, {"x", op.getX()}, 0)))
    return failure();
  for (unsigned p = 0; p < SparseFfnOp::kNumProjections; ++p)
    if (op.hasLora(p) && failed(verifyLora(op, p, first)))
      return failure();
  if (op.getScales() &&
      failed(verifyPerAdapter(op, {"scales", op.getScales()}, first)))
    return failure();
  if (op.getRanks())
    return verifyPerAdapter(op, {"ranks", op.getRanks()}, first);
  return success();
}

LogicalResult SparseFfnOp::verify() {
  SmallVector<NamedOperand> operands{{"x", getX()},
                                     {"gate", getGate()},
                                     {"up", getUp()},
                                     {"down", getDown()},
                                     {"out", getOut()}};
  for (auto [name, value] :
       {std::pair("ids", getIds()), std::pair("scales", getScales()),
        std::pair("ranks", getRanks())})
    if (value)
      operands.push_back({name, value});
  for (unsigned p = 0; p < kNumProjections; ++p)
    for (Value weight : getLora(p))
      operands.push_back({kListNames[p], weight});
  if (failed(verifyDestinationStyle(*this, operands)) ||
      failed(verifyMatrices(*this)) || failed(verifyLoras(*this)))
    return failure();
  return verifySparseGate(*this, getCorrection(), getStdMultiplierAttr());
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// Drops LoRAs of which there are no adapters: no token has one.
struct DropLorasWithoutAdapters : OpRewritePattern<SparseFfnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SparseFfnOp op,
                                PatternRewriter &rewriter) const override {
    Value a = op.getAnyA();
    if (!a || op.getKernel() || cast<ShapedType>(a.getType()).getDimSize(0))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      // One after the other: clearing moves the ranges that follow.
      op.getIdsMutable().clear();
      op.getGateLoraMutable().clear();
      op.getUpLoraMutable().clear();
      op.getDownLoraMutable().clear();
      op.getScalesMutable().clear();
      op.getRanksMutable().clear();
    });
    return success();
  }
};
} // namespace

LogicalResult SparseFfnOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}

void SparseFfnOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns
      .add<RemoveOpOnEmptyDestinations<SparseFfnOp>, DropLorasWithoutAdapters>(
          context);
}
