//===- MatmulOp.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matmul: its sizes, verification and canonicalization.
//
//===----------------------------------------------------------------------===//

#include "Canonicalize.h"
#include "OpSupport.h"

using namespace mlir;
using namespace mlir::frit;

using Dim = MatmulOp::Dim;

/// A dimension of the matrices of a stack, counted from 0.
static Dim getMatrixDim(OpOperand &stack, int64_t dim) {
  return {&stack, cast<ShapedType>(stack.get().getType()).getRank() - 2 + dim};
}

SmallVector<Dim, 3> MatmulOp::getTokens() {
  return {getMatrixDim(getAMutable(), getTransposeA() ? 1 : 0),
          getMatrixDim(getOutMutable(), 0)};
}

SmallVector<Dim, 3> MatmulOp::getTerms() {
  return {getMatrixDim(getAMutable(), getTransposeA() ? 0 : 1),
          getMatrixDim(getBMutable(), getTransposeB() ? 1 : 0)};
}

SmallVector<Dim, 3> MatmulOp::getColumns() {
  return {getMatrixDim(getBMutable(), getTransposeB() ? 0 : 1),
          getMatrixDim(getOutMutable(), 1)};
}

SmallVector<Dim, 3> MatmulOp::getMatrices() {
  SmallVector<Dim, 3> dims;
  if (isBatched())
    for (OpOperand *stack : {&getOutMutable(), &getAMutable(), &getBMutable()})
      if (cast<ShapedType>(stack->get().getType()).getRank() == 3)
        dims.emplace_back(stack, 0);
  return dims;
}

/// Adds a size by the dimension that is static, if one is.
static void addSize(KernelShape &shape, StringRef name, ArrayRef<Dim> dims,
                    bool isTokens = false) {
  const Dim *known = llvm::find_if(dims, [](Dim dim) {
    return !cast<ShapedType>(dim.first->get().getType())
                .isDynamicDim(dim.second);
  });
  auto [operand, dim] = known == dims.end() ? dims.front() : *known;
  shape.add(name, operand->get(), {dim}, isTokens);
}

KernelShape MatmulOp::getKernelShape() {
  KernelShape shape;
  if (isBatched())
    addSize(shape, "B", getMatrices());
  else
    shape.add("B", 1);
  addSize(shape, "T", getTokens(), /*isTokens=*/true);
  addSize(shape, "N", getColumns());
  addSize(shape, "K", getTerms());
  return shape;
}

SmallVector<int64_t> MatmulOp::getTokenDims(OpOperand &operand) {
  for (auto [tokens, dim] : getTokens())
    if (tokens == &operand)
      return {dim};
  return {};
}

LogicalResult MatmulOp::verify() {
  NamedOperand a{"a", getA()}, b{"b", getB()}, out{"out", getOut()};
  SmallVector<NamedOperand, 4> operands{a, b, out};
  NamedOperand bias{"bias", getBias()};
  if (getBias())
    operands.push_back(bias);
  if (failed(verifyDestinationStyle(*this, operands)))
    return failure();

  int64_t rank = getOutType().getRank();
  if (rank != 2 && rank != 3)
    return emitOpError() << "'out' must have rank 2 or 3, but has " << rank;
  for (NamedOperand factor : {a, b})
    if (factor.getType().getRank() != 2 &&
        failed(verifyRank(*this, factor, rank)))
      return failure();
  if (rank == 3 && getAType().getRank() == 2 && getBType().getRank() == 2)
    return emitOpError() << "'a' or 'b' must have rank 3 as 'out' has, but "
                            "both have 2";
  if (failed(verifySameElementType(*this, b, a)))
    return failure();
  if (!getOutType().getElementType().isF32() &&
      failed(verifySameElementType(*this, out, a)))
    return failure();
  if (getBias() && (failed(verifySameElementType(*this, bias, out)) ||
                    failed(verifyRank(*this, bias, 1)) ||
                    failed(verifySameDim(*this, bias, 0, out, rank - 1))))
    return failure();

  auto getNamed = [&](OpOperand *operand) {
    return operand == &getAMutable() ? a : operand == &getBMutable() ? b : out;
  };
  for (const SmallVector<Dim, 3> &dims :
       {getTokens(), getTerms(), getColumns(), getMatrices()})
    for (size_t i = 1; i < dims.size(); ++i)
      if (failed(verifySameDim(*this, getNamed(dims[0].first), dims[0].second,
                               getNamed(dims[i].first), dims[i].second)))
        return failure();
  return success();
}

LogicalResult MatmulOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldMemRefCastOperands(*this);
}

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<RemoveOpOnEmptyDestinations<MatmulOp>>(context);
}
