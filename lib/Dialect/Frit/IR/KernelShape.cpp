//===- KernelShape.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes of an op under their names, and what each op of the dialect calls
// its own.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/IR/Frit.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::frit;

void KernelShape::add(StringRef name, Value value, ArrayRef<int64_t> dims,
                      bool isTokens) {
  KernelExtent extent;
  extent.name = name.str();
  extent.isTokens = isTokens;
  auto type = cast<ShapedType>(value.getType());
  if (llvm::any_of(dims,
                   [&](int64_t dim) { return type.getDimSize(dim) == 0; }))
    return add(name, 0, isTokens);
  for (int64_t dim : dims) {
    if (type.isDynamicDim(dim))
      extent.dynamicDims.emplace_back(value, dim);
    else
      // The verifiers of the ops exclude an overflow.
      extent.factor *= type.getDimSize(dim);
  }
  extents.push_back(std::move(extent));
}

void KernelShape::add(StringRef name, int64_t size, bool isTokens) {
  KernelExtent extent;
  extent.name = name.str();
  extent.isTokens = isTokens;
  extent.factor = size;
  extents.push_back(std::move(extent));
}

std::optional<unsigned> KernelShape::lookup(StringRef name) const {
  const auto *it = llvm::find_if(
      extents, [&](const KernelExtent &extent) { return extent.name == name; });
  if (it == extents.end())
    return std::nullopt;
  return it - extents.begin();
}

void KernelShape::setTokens(int64_t tokens) {
  for (KernelExtent &extent : extents)
    if (extent.isTokens) {
      extent.factor = tokens;
      extent.dynamicDims.clear();
    }
}

AffineExpr KernelShape::getSymbol(StringRef name, MLIRContext *context) const {
  std::optional<unsigned> position = lookup(name);
  return position ? getAffineSymbolExpr(*position, context) : AffineExpr();
}

AffineExpr KernelShape::substituteStatic(AffineExpr expr) const {
  SmallVector<AffineExpr> symbols;
  for (auto [position, extent] : llvm::enumerate(extents)) {
    std::optional<int64_t> size = extent.getStaticSize();
    symbols.push_back(size ? getAffineConstantExpr(*size, expr.getContext())
                           : getAffineSymbolExpr(position, expr.getContext()));
  }
  // One more symbol, which launch plans use for the device.
  return simplifyAffineExpr(expr.replaceSymbols(symbols), /*numDims=*/0,
                            extents.size() + 1);
}

bool KernelShape::dependsOnTokens(AffineExpr expr) const {
  return llvm::any_of(llvm::enumerate(extents), [&](auto extent) {
    return extent.value().isTokens && expr.isFunctionOfSymbol(extent.index());
  });
}

//===----------------------------------------------------------------------===//
// Sizes of the ops
//===----------------------------------------------------------------------===//

/// T: tokens, all leading dimensions; d: elements of a row of the result.
template <typename GatedOp> static KernelShape getGatedShape(GatedOp op) {
  KernelShape shape;
  int64_t rank = cast<ShapedType>(op.getOut().getType()).getRank();
  shape.add("T", op.getOut(), llvm::to_vector(llvm::seq<int64_t>(0, rank - 1)),
            /*isTokens=*/true);
  shape.add("d", op.getOut(), {rank - 1});
  return shape;
}

KernelShape GeluAndMulSparseOp::getKernelShape() {
  return getGatedShape(*this);
}

KernelShape ActAndMulOp::getKernelShape() { return getGatedShape(*this); }

/// T: tokens; H: width of the network; d: columns of the activation; L:
/// adapters and R: their largest rank, both 0 without LoRA.
KernelShape SparseFfnOp::getKernelShape() {
  auto getKnown = [](ArrayRef<std::pair<Value, int64_t>> places) {
    for (auto [value, dim] : places)
      if (value && !cast<ShapedType>(value.getType()).isDynamicDim(dim))
        return std::pair(value, dim);
    return places.front();
  };
  KernelShape shape;
  auto add = [&](StringRef name, ArrayRef<std::pair<Value, int64_t>> places,
                 bool isTokens = false) {
    auto [value, dim] = getKnown(places);
    shape.add(name, value, dim, isTokens);
  };
  add("T", {{getX(), 0}, {getOut(), 0}, {getIds(), 0}}, /*isTokens=*/true);
  add("H", {{getX(), 1}, {getOut(), 1}, {getGate(), 1}, {getUp(), 1}});
  add("d", {{getGate(), 0}, {getUp(), 0}, {getDown(), getDownColumnDim()}});
  if (Value a = getAnyA()) {
    shape.add("L", a, {0});
    shape.add("R", a, {1});
  } else {
    shape.add("L", 0);
    shape.add("R", 0);
  }
  return shape;
}

KernelShape LoraGroupOp::getKernelShape() {
  KernelShape shape;
  shape.add("T", getIds(), {0}, /*isTokens=*/true);
  shape.add("starts", getStarts(), {0});
  return shape;
}

/// T: tokens; L: adapters; G: groups of the grouping, or L without one; S:
/// slices, which all LoRA ops have. `tokens` are the
/// operands that have the tokens in the given dimension beside ids.
template <typename LoraOp>
static KernelShape getLoraShape(LoraOp op,
                                ArrayRef<std::pair<Value, int64_t>> tokens) {
  KernelShape shape;
  std::pair<Value, int64_t> known(op.getIds(), 0);
  for (auto [value, dim] : tokens)
    if (!cast<ShapedType>(value.getType()).isDynamicDim(dim))
      known = {value, dim};
  shape.add("T", known.first, known.second, /*isTokens=*/true);
  shape.add("L", op.getWeights().front(), {0});
  shape.add("G", op.getActive() ? op.getActive() : op.getWeights().front(),
            {0});
  shape.add("S", op.getNumSlices());
  return shape;
}

/// N0, N1, ...: columns of each slice; M: columns of the destination.
template <typename ExpandingOp>
static void addColumns(ExpandingOp op, KernelShape &shape) {
  for (unsigned slice = 0; slice < op.getNumSlices(); ++slice)
    shape.add("N" + std::to_string(slice), op.getB(slice), {1});
  shape.add("M", op.getOut(), {1});
}

KernelShape LoraMatmulOp::getKernelShape() {
  KernelShape shape = getLoraShape(*this, {{getX(), 0}, {getOut(), 0}});
  shape.add("R", getA(0), {1});
  shape.add("K", getA(0), {2});
  addColumns(*this, shape);
  return shape;
}

KernelShape LoraShrinkOp::getKernelShape() {
  KernelShape shape = getLoraShape(*this, {{getX(), 0}, {getOut(), 1}});
  shape.add("R", getA(0), {1});
  shape.add("K", getA(0), {2});
  return shape;
}

KernelShape LoraExpandOp::getKernelShape() {
  KernelShape shape = getLoraShape(*this, {{getH(), 1}, {getOut(), 0}});
  shape.add("R", getB(0), {2});
  addColumns(*this, shape);
  return shape;
}

/// d: columns of the activation.
KernelShape LoraGeluAndMulSparseOp::getKernelShape() {
  KernelShape shape =
      getLoraShape(*this, {{getY(), 0}, {getH(), 1}, {getOut(), 0}});
  shape.add("R", getB(0), {2});
  shape.add("d", getB(0), {1});
  return shape;
}
