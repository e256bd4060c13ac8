//===- Lora.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers lora_matmul, lora_shrink and lora_expand. The matmul is the two halves
// after one another, with the rank vectors of all tokens, R values each, in a
// scratch between them: so either half has its own parallel loop, and threads
// that share out the columns of one token do not each repeat its shrinking
// half.
//
//===----------------------------------------------------------------------===//

#include "LoraEmitter.h"
#include "Lowerings.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

template <typename LoraOp> static LoraAdapters getAdapters(LoraOp op) {
  return {op.getRanks(), op.getScales(), op.getScale().convertToFloat()};
}

template <typename LoraOp>
static LoraTokens getTokens(VectorEmitter &e, LoraOp op) {
  return LoraTokens(e, op.getIds(), op.getOrder(), op.getStarts(),
                    e.dim(op.getWeights().front(), 0));
}

/// The most special type that memrefs of equal rank can be cast to.
static MemRefType getCommonType(ValueRange memrefs) {
  auto first = cast<MemRefType>(memrefs.front().getType());
  if (llvm::all_of(memrefs.getTypes(),
                   [&](Type type) { return type == first; }))
    return first;
  SmallVector<int64_t> shape(first.getShape()), strides;
  int64_t offset;
  // Verified by the ops.
  (void)first.getStridesAndOffset(strides, offset);
  auto join = [](int64_t &common, int64_t other) {
    common = common == other ? common : ShapedType::kDynamic;
  };
  for (Type other : memrefs.drop_front().getTypes()) {
    auto type = cast<MemRefType>(other);
    SmallVector<int64_t> otherStrides;
    int64_t otherOffset;
    (void)type.getStridesAndOffset(otherStrides, otherOffset);
    join(offset, otherOffset);
    for (int64_t i = 0, rank = type.getRank(); i < rank; ++i) {
      join(shape[i], type.getDimSize(i));
      join(strides[i], otherStrides[i]);
    }
  }
  return MemRefType::get(
      shape, first.getElementType(),
      StridedLayoutAttr::get(first.getContext(), offset, strides),
      first.getMemorySpace());
}

/// Every `step`th weight from `first` on, ready for vector loads and of one
/// type, so that one code serves all slices.
static SmallVector<Value> getWeights(ImplicitLocOpBuilder &b,
                                     ValueRange weights, unsigned first,
                                     unsigned step) {
  SmallVector<Value> result;
  for (unsigned i = first; i < weights.size(); i += step)
    result.push_back(withUnitInnerStride(b, weights[i]));
  MemRefType type = getCommonType(result);
  for (Value &weight : result)
    if (weight.getType() != type)
      weight = memref::CastOp::create(b, type, weight);
  return result;
}

LogicalResult frit::lowerToVector(LoraMatmulOp op, const VectorTarget &target,
                                  RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(getOriginLoc(op, FpMode::Strict), rewriter);
  NumericsBuilder numerics(b, op);
  VectorEmitter e(b, target.getNumLanes());
  LoraTokens tokens = getTokens(e, op);
  LoraRounding rounding = op.getRounding();
  bool isStepwise = rounding == LoraRounding::Stepwise;
  Type weightType = op.getWeightType();

  SmallVector<OpFoldResult> sizes{
      b.getIndexAttr(op.getNumSlices()),
      memref::getMixedSize(b, b.getLoc(), op.getX(), 0),
      memref::getMixedSize(b, b.getLoc(), op.getA(0), 1)};
  Value h = memref::AllocOp::create(b, sizes, b.getF32Type());

  LoraShrinkCode shrink;
  shrink.x = withUnitInnerStride(b, op.getX());
  shrink.a = getWeights(b, op.getWeights(), 0, 2);
  shrink.out = h;
  shrink.adapters = getAdapters(op);
  shrink.isScaled = !isStepwise;
  shrink.finish = [&](Value sum, Value coefficient) {
    return numerics.loraHidden(sum, coefficient, rounding, op.getIntermediate(),
                               weightType);
  };
  shrink.emit(e, numerics, tokens);

  LoraExpandCode expand;
  expand.h = h;
  expand.b = getWeights(b, op.getWeights(), 1, 2);
  expand.out = withUnitInnerStride(b, op.getOut());
  expand.adapters = shrink.adapters;
  expand.isScaled = isStepwise;
  expand.offset = op.getOffset();
  expand.rounding = rounding;
  expand.accumulate = op.getAccumulate();
  expand.emit(e, numerics, tokens);

  memref::DeallocOp::create(b, h);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult frit::lowerToVector(LoraShrinkOp op, const VectorTarget &target,
                                  RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(getOriginLoc(op, FpMode::Strict), rewriter);
  NumericsBuilder numerics(b, op);
  VectorEmitter e(b, target.getNumLanes());

  LoraShrinkCode shrink;
  shrink.x = withUnitInnerStride(b, op.getX());
  shrink.a = getWeights(b, op.getWeights(), 0, 1);
  shrink.out = op.getOut();
  shrink.adapters = getAdapters(op);
  shrink.finish = [&](Value sum, Value coefficient) {
    return numerics.truncate(numerics.scaled(sum, coefficient),
                             op.getOutType().getElementType());
  };
  shrink.emit(e, numerics, getTokens(e, op));
  rewriter.eraseOp(op);
  return success();
}

LogicalResult frit::lowerToVector(LoraExpandOp op, const VectorTarget &target,
                                  RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(getOriginLoc(op, FpMode::Strict), rewriter);
  NumericsBuilder numerics(b, op);
  VectorEmitter e(b, target.getNumLanes());

  LoraExpandCode expand;
  expand.h = op.getH();
  expand.b = getWeights(b, op.getWeights(), 0, 1);
  expand.out = withUnitInnerStride(b, op.getOut());
  expand.adapters = getAdapters(op);
  expand.offset = op.getOffset();
  expand.rounding = op.getRounding();
  expand.accumulate = op.getAccumulate();
  expand.emit(e, numerics, getTokens(e, op));
  rewriter.eraseOp(op);
  return success();
}
