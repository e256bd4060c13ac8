//===- DecomposeLoraActivation.cpp ----------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The native form of the LoRAs of gate and up with their activation: the two
// ops that it stands for.
//
//===----------------------------------------------------------------------===//

#include "ShapedBuilder.h"

#include "frit/Dialect/Frit/Transforms/Decompose.h"

using namespace mlir;
using namespace mlir::frit;

SmallVector<Value> frit::decompose(LoraGeluAndMulSparseOp op,
                                   OpBuilder &builder,
                                   const DecomposeOptions &options) {
  ShapedBuilder shaped(builder, op.getLoc());
  bool tensors = op.hasTensorSemantics();
  Value packed = op.getY();
  if (!tensors)
    packed =
        shaped.copy(packed, shaped.create(packed.getType(), shaped.dims(packed),
                                          op.getElementType()));
  auto resultTypes = [&](Value dest) {
    return tensors ? SmallVector<Type>{dest.getType()} : SmallVector<Type>{};
  };
  auto keepKernel = [&](KernelOpInterface part) {
    if (KernelAttr kernel = op.getKernel())
      part.setKernel(kernel);
  };
  auto expand = LoraExpandOp::create(
      builder, op.getLoc(), resultTypes(packed), op.getH(), op.getIds(),
      op.getWeights(), /*scales=*/Value(), op.getRanks(), op.getOrder(),
      op.getStarts(), op.getActive(), packed, APFloat(1.0f), /*offset=*/0,
      LoraRounding::Final, /*accumulate=*/true);
  keepKernel(expand);
  auto activation = GeluAndMulSparseOp::create(
      builder, op.getLoc(), resultTypes(op.getOut()),
      tensors ? expand.getResult(0) : packed, /*up=*/Value(), op.getOut(),
      op.getStdMultiplier(), op.getApproximate(), op.getRounding(),
      op.getCorrection(), /*assume_finite_up=*/false);
  keepKernel(activation);
  if (!tensors)
    shaped.release(packed);
  return SmallVector<Value>(activation->getResults());
}
