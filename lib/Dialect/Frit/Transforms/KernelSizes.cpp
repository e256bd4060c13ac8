//===- KernelSizes.cpp - Sizes of ops as values ---------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that computes expressions over the sizes of an op.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/KernelSizes.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

/// A dimension of a tensor or memref.
static Value createDim(OpBuilder &builder, Location loc, Value value,
                       int64_t dim) {
  if (isa<TensorType>(value.getType()))
    return builder.createOrFold<tensor::DimOp>(loc, value, dim);
  return builder.createOrFold<memref::DimOp>(loc, value, dim);
}

/// The product that an extent stands for.
static Value createExtent(OpBuilder &builder, Location loc,
                          const KernelExtent &extent) {
  Value product;
  for (auto [value, dim] : extent.dynamicDims) {
    Value size = createDim(builder, loc, value, dim);
    product = product ? builder.createOrFold<arith::MulIOp>(loc, product, size)
                      : size;
  }
  if (product && extent.factor == 1)
    return product;
  Value factor = arith::ConstantIndexOp::create(builder, loc, extent.factor);
  return product ? builder.createOrFold<arith::MulIOp>(loc, product, factor)
                 : factor;
}

Value frit::buildSizeExpr(OpBuilder &builder, Location loc, AffineExpr expr,
                          const KernelShape &shape, Value extra) {
  expr = shape.substituteStatic(expr);
  SmallVector<Value> sizes;
  for (auto [position, extent] : llvm::enumerate(shape.getExtents()))
    sizes.push_back(expr.isFunctionOfSymbol(position)
                        ? createExtent(builder, loc, extent)
                        : Value());
  sizes.push_back(extra);
  return affine::expandAffineExpr(builder, loc, expr, /*dimValues=*/{}, sizes);
}
