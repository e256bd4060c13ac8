//===- LoraCode.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes LoRA ops apart, and reads the ranks and coefficients of adapters.
//
//===----------------------------------------------------------------------===//

#include "LoraCode.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

Value LoraAdapters::getRank(VectorEmitter &e, Value slice, Value adapter,
                            Value maxRank) const {
  if (!ranks)
    return maxRank;
  SmallVector<Value> indices{adapter};
  if (cast<MemRefType>(ranks.getType()).getRank() == 2)
    indices.insert(indices.begin(), slice);
  ImplicitLocOpBuilder &b = e.getBuilder();
  // A rank out of range is reported by run-time verification; here it only must
  // not lead outside the weights.
  Value rank =
      arith::MaxSIOp::create(b, e.loadIndex(ranks, indices), e.index(0));
  return e.min(rank, maxRank);
}

std::optional<int64_t> LoraAdapters::getStaticRank(OpFoldResult maxRank) const {
  return ranks ? std::nullopt : getConstantIntValue(maxRank);
}

Value LoraAdapters::getCoefficient(VectorEmitter &e, NumericsBuilder &numerics,
                                   Value adapter) const {
  ImplicitLocOpBuilder &b = e.getBuilder();
  Value own =
      scales ? memref::LoadOp::create(b, scales, adapter).getResult() : Value();
  return numerics.loraCoefficient(scale, own, b.getF32Type());
}

Value frit::selectSlice(VectorEmitter &e, Value slice, ValueRange values) {
  Value selected = values.front();
  for (size_t i = 1; i < values.size(); ++i)
    selected = e.select(e.compare(arith::CmpIPredicate::eq, slice, e.index(i)),
                        values[i], selected);
  return selected;
}

template <typename LoraOp> static LoraAdapters getAdapters(LoraOp op) {
  return {op.getRanks(), op.getScales(), op.getScale().convertToFloat()};
}

template <typename LoraOp> static LoraTokenOperands getTokens(LoraOp op) {
  return {op.getIds(), op.getOrder(), op.getStarts()};
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

void frit::emitLora(LoraMatmulOp op, ImplicitLocOpBuilder &b,
                    NumericsBuilder &numerics, LoraShrinkEmitter emitShrink,
                    LoraExpandEmitter emitExpand) {
  LoraRounding rounding = op.getRounding();
  bool isStepwise = rounding == LoraRounding::Stepwise;
  Type weightType = op.getWeightType();
  SmallVector<OpFoldResult> sizes{
      b.getIndexAttr(op.getNumSlices()),
      memref::getMixedSize(b, b.getLoc(), op.getX(), 0),
      memref::getMixedSize(b, b.getLoc(), op.getA(0), 1)};
  Value h = memref::AllocOp::create(b, sizes, b.getF32Type());

  LoraShrinkCode shrink;
  shrink.tokens = getTokens(op);
  shrink.x = withUnitInnerStride(b, op.getX());
  shrink.a = getWeights(b, op.getWeights(), 0, 2);
  shrink.out = h;
  shrink.adapters = getAdapters(op);
  shrink.isScaled = !isStepwise;
  shrink.finish = [&](Value sum, Value coefficient) {
    return numerics.loraHidden(sum, coefficient, rounding, op.getIntermediate(),
                               weightType);
  };
  emitShrink(shrink);

  LoraExpandCode expand;
  expand.tokens = shrink.tokens;
  expand.h = h;
  expand.b = getWeights(b, op.getWeights(), 1, 2);
  expand.out = withUnitInnerStride(b, op.getOut());
  expand.adapters = shrink.adapters;
  expand.isScaled = isStepwise;
  expand.offset = op.getOffset();
  expand.rounding = rounding;
  expand.accumulate = op.getAccumulate();
  emitExpand(expand);

  memref::DeallocOp::create(b, h);
}

void frit::emitLora(LoraShrinkOp op, ImplicitLocOpBuilder &b,
                    NumericsBuilder &numerics, LoraShrinkEmitter emitShrink,
                    LoraExpandEmitter) {
  LoraShrinkCode shrink;
  shrink.tokens = getTokens(op);
  shrink.x = withUnitInnerStride(b, op.getX());
  shrink.a = getWeights(b, op.getWeights(), 0, 1);
  shrink.out = op.getOut();
  shrink.adapters = getAdapters(op);
  shrink.finish = [&](Value sum, Value coefficient) {
    return numerics.truncate(numerics.scaled(sum, coefficient),
                             op.getOutType().getElementType());
  };
  emitShrink(shrink);
}

void frit::emitLora(LoraExpandOp op, ImplicitLocOpBuilder &b, NumericsBuilder &,
                    LoraShrinkEmitter, LoraExpandEmitter emitExpand) {
  LoraExpandCode expand;
  expand.tokens = getTokens(op);
  expand.h = op.getH();
  expand.b = getWeights(b, op.getWeights(), 0, 1);
  expand.out = withUnitInnerStride(b, op.getOut());
  expand.adapters = getAdapters(op);
  expand.offset = op.getOffset();
  expand.rounding = op.getRounding();
  expand.accumulate = op.getAccumulate();
  emitExpand(expand);
}
