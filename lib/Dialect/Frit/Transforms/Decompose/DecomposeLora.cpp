//===- DecomposeLora.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The native form of the LoRA matmuls: one parallel iteration for each token.
//
//===----------------------------------------------------------------------===//

#include "ShapedBuilder.h"
#include "SumBuilder.h"

#include "frit/Dialect/Frit/Transforms/Decompose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

//===----------------------------------------------------------------------===//
// lora_matmul
//===----------------------------------------------------------------------===//

SmallVector<Value> frit::decompose(LoraMatmulOp op, OpBuilder &builder,
                                   const DecomposeOptions &options) {
  ShapedBuilder shaped(builder, op.getLoc());
  unsigned slices = op.getNumSlices();
  SmallVector<Value> a, b;
  for (unsigned slice = 0; slice < slices; ++slice) {
    a.push_back(op.getA(slice));
    b.push_back(op.getB(slice));
  }
  bool stepwise = op.getRounding() == LoraRounding::Stepwise;
  bool roundsHidden = stepwise || op.getIntermediate() == Intermediate::Element;
  Type hiddenType =
      roundsHidden ? op.getWeightType() : Type(builder.getF32Type());
  Value hidden =
      shaped.create(op.getOut().getType(),
                    {builder.getIndexAttr(slices), shaped.dim(op.getX(), 0),
                     shaped.dim(a.front(), 1)},
                    hiddenType);

  // c belongs to h, but stepwise applies it to the expanded sum.
  APFloat one(1.0f);
  APFloat shrinkScale = stepwise ? one : op.getScale();
  APFloat expandScale = stepwise ? op.getScale() : one;
  Value shrinkScales = stepwise ? Value() : op.getScales();
  Value expandScales = stepwise ? op.getScales() : Value();

  bool tensors = op.hasTensorSemantics();
  auto resultTypes = [&](Value dest) {
    return tensors ? SmallVector<Type>{dest.getType()} : SmallVector<Type>{};
  };
  auto keepKernel = [&](KernelOpInterface half) {
    if (KernelAttr kernel = op.getKernel())
      half.setKernel(kernel);
  };
  auto shrink = LoraShrinkOp::create(
      builder, op.getLoc(), resultTypes(hidden), op.getX(), op.getIds(), a,
      shrinkScales, op.getRanks(), op.getOrder(), op.getStarts(),
      op.getActive(), hidden, shrinkScale);
  keepKernel(shrink);
  auto expand = LoraExpandOp::create(
      builder, op.getLoc(), resultTypes(op.getOut()),
      tensors ? shrink.getResult(0) : hidden, op.getIds(), b, expandScales,
      op.getRanks(), op.getOrder(), op.getStarts(), op.getActive(), op.getOut(),
      expandScale, op.getOffset(), op.getRounding(), op.getAccumulate());
  keepKernel(expand);
  shaped.release(hidden);
  return SmallVector<Value>(expand->getResults());
}

//===----------------------------------------------------------------------===//
// What lora_shrink and lora_expand share
//===----------------------------------------------------------------------===//

/// Loops over tokens. For those with an adapter, `fn` gives the changed part of
/// the destination; nothing of other tokens is read or written. `partOf` is the
/// part of the destination that belongs to a token.
template <typename LoraOp>
static SmallVector<Value> decomposeTokens(
    LoraOp op, ShapedBuilder &shaped,
    function_ref<Part(OpFoldResult token)> partOf,
    function_ref<Value(Value token, Value adapter, Value dest)> fn) {
  OpBuilder &builder = shaped.getBuilder();
  Location loc = shaped.getLoc();
  Value adapters = shaped.index(shaped.dim(op.getWeights().front(), 0));
  Value result = shaped.forEach(
      shaped.dim(op.getIds(), 0), op.getOut(),
      [&](ArrayRef<OpFoldResult> ivs) { return partOf(ivs.front()); },
      [&](ArrayRef<OpFoldResult> ivs, Value dest) {
        Value token = shaped.index(ivs.front());
        Value id =
            arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                       shaped.load(op.getIds(), token));
        // A negative id is a huge unsigned one.
        Value hasAdapter = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, id, adapters);
        return shaped.ifThen(hasAdapter, dest,
                             [&](Value dest) { return fn(token, id, dest); });
      });
  return op.hasTensorSemantics() ? SmallVector<Value>{result}
                                 : SmallVector<Value>{};
}

/// The coefficient c of an adapter, null where it is 1.
template <typename LoraOp>
static Value buildCoefficient(LoraOp op, Value adapter,
                              NumericsBuilder &numerics,
                              ShapedBuilder &shaped) {
  Value scale = op.getScales() ? shaped.load(op.getScales(), adapter) : Value();
  return numerics.loraCoefficient(op.getScale().convertToFloat(), scale,
                                  numerics.getBuilder().getF32Type());
}

/// The true rank of an adapter in a slice, kept within [0, R].
template <typename LoraOp>
static OpFoldResult buildRank(LoraOp op, unsigned slice, Value adapter,
                              OpFoldResult largest, ShapedBuilder &shaped) {
  Value ranks = op.getRanks();
  if (!ranks)
    return largest;
  SmallVector<Value, 2> indices;
  if (cast<ShapedType>(ranks.getType()).getRank() == 2)
    indices.push_back(shaped.index(slice));
  indices.push_back(adapter);
  return shaped.loadWithin(ranks, indices, largest);
}

/// The columns of a destination row that each slice covers.
static SmallVector<Part> getSliceColumns(LoraExpandOp op,
                                         ShapedBuilder &shaped) {
  OpBuilder &builder = shaped.getBuilder();
  SmallVector<Part> columns;
  OpFoldResult next = builder.getIndexAttr(op.getOffset());
  for (Value b : op.getWeights()) {
    if (!columns.empty())
      next = shaped.add(next, columns.back().sizes.front());
    columns.push_back(Part().range(next, shaped.dim(b, 1)));
  }
  return columns;
}

//===----------------------------------------------------------------------===//
// lora_shrink
//===----------------------------------------------------------------------===//

SmallVector<Value> frit::decompose(LoraShrinkOp op, OpBuilder &builder,
                                   const DecomposeOptions &options) {
  NumericsBuilder numerics(builder, op);
  ShapedBuilder shaped(builder, numerics.getStrictLoc());
  SumBuilder sums(numerics, options.accumulateInF64);
  OpFoldResult zero = builder.getIndexAttr(0);
  OpFoldResult slices = builder.getIndexAttr(op.getNumSlices());
  OpFoldResult largestRank = shaped.dim(op.getOut(), 2);
  Value depth = shaped.index(shaped.dim(op.getX(), 1));
  Type hiddenType = op.getOutType().getElementType();

  auto partOf = [&](OpFoldResult token) {
    return Part()
        .range(zero, slices)
        .at(token, builder)
        .range(zero, largestRank);
  };
  auto shrinkToken = [&](Value token, Value adapter, Value hidden) {
    Value c = buildCoefficient(op, adapter, numerics, shaped);
    for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
      Value a = op.getA(slice);
      OpFoldResult rank = buildRank(op, slice, adapter, largestRank, shaped);
      Part part =
          Part().at(builder.getIndexAttr(slice), builder).range(zero, rank);
      Value dest = shaped.slice(hidden, part);
      Value changed = shaped.mapIndexed(dest, [&](Value r, Value) {
        Value sum = sums.build(depth, [&](Value k, Value sum) {
          Value weight = shaped.load(a, {adapter, r, k});
          Value input = shaped.load(op.getX(), {token, k});
          return numerics.multiplyAdd(sums.widen(weight), sums.widen(input),
                                      sum);
        });
        return numerics.truncate(numerics.scaled(sum, c), hiddenType);
      });
      hidden = shaped.insert(changed, hidden, part);
    }
    return hidden;
  };
  return decomposeTokens(op, shaped, partOf, shrinkToken);
}

//===----------------------------------------------------------------------===//
// lora_expand
//===----------------------------------------------------------------------===//

SmallVector<Value> frit::decompose(LoraExpandOp op, OpBuilder &builder,
                                   const DecomposeOptions &options) {
  NumericsBuilder numerics(builder, op);
  ShapedBuilder shaped(builder, numerics.getStrictLoc());
  SumBuilder sums(numerics, options.accumulateInF64);
  OpFoldResult largestRank = shaped.dim(op.getH(), 2);
  OpFoldResult width = shaped.dim(op.getOut(), 1);
  Type outType = op.getOutType().getElementType();
  SmallVector<Part> columns = getSliceColumns(op, shaped);

  auto partOf = [&](OpFoldResult token) {
    return Part().at(token, builder).range(builder.getIndexAttr(0), width);
  };
  auto expandToken = [&](Value token, Value adapter, Value row) {
    Value c = buildCoefficient(op, adapter, numerics, shaped);
    for (unsigned slice = 0; slice < op.getNumSlices(); ++slice) {
      Value b = op.getB(slice);
      Value sliceIndex = shaped.index(slice);
      Value rank =
          shaped.index(buildRank(op, slice, adapter, largestRank, shaped));
      Value dest = shaped.slice(row, columns[slice]);
      Value changed = shaped.mapIndexed(dest, [&](Value n, Value previous) {
        Value sum = sums.build(rank, [&](Value r, Value sum) {
          Value weight = shaped.load(b, {adapter, n, r});
          Value hidden = shaped.load(op.getH(), {sliceIndex, token, r});
          return numerics.multiplyAdd(sums.widen(weight), sums.widen(hidden),
                                      sum);
        });
        return numerics.loraResult(
            sum, c, op.getAccumulate() ? previous : Value(), op.getRounding(),
            op.getWeightType(), outType);
      });
      row = shaped.insert(changed, row, columns[slice]);
    }
    return row;
  };
  return decomposeTokens(op, shaped, partOf, expandToken);
}
