//===- TensorAccess.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Index arithmetic of the ops of the tensor dialect that move elements. A
// reshape takes part where every axis but the outermost of a group is static.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

/// Whether all axes of a group but its first have static sizes.
bool hasStaticInnerAxes(ArrayRef<int64_t> shape, ArrayRef<int64_t> group) {
  return llvm::none_of(group.drop_front(), [&](int64_t axis) {
    return ShapedType::isDynamic(shape[axis]);
  });
}

std::optional<TensorAccess> getSliceSource(tensor::ExtractSliceOp op,
                                           ArrayRef<AffineExpr> indices) {
  if (llvm::any_of(op.getStaticOffsets(), ShapedType::isDynamic) ||
      llvm::any_of(op.getStaticStrides(), ShapedType::isDynamic))
    return std::nullopt;
  MLIRContext *context = op.getContext();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  TensorAccess access{op.getSource(), {}};
  unsigned axis = 0;
  for (int64_t k = 0, e = op.getSourceType().getRank(); k < e; ++k) {
    AffineExpr index = getAffineConstantExpr(op.getStaticOffset(k), context);
    if (!dropped.test(k))
      index = index + indices[axis++] * op.getStaticStride(k);
    access.indices.push_back(index);
  }
  return access;
}

/// Splits the index of each axis of the result into those of its group.
std::optional<TensorAccess> getCollapseSource(tensor::CollapseShapeOp op,
                                              ArrayRef<AffineExpr> indices) {
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  MLIRContext *context = op.getContext();
  TensorAccess access{op.getSrc(), {}};
  access.indices.resize(shape.size(), getAffineConstantExpr(0, context));
  for (auto [axis, indexGroup] :
       llvm::enumerate(op.getReassociationIndices())) {
    if (!hasStaticInnerAxes(shape, indexGroup))
      return std::nullopt;
    AffineExpr rest = indices[axis];
    for (int64_t inner : llvm::reverse(ArrayRef(indexGroup).drop_front())) {
      // An empty axis has no element to ask for.
      int64_t size = std::max<int64_t>(shape[inner], 1);
      access.indices[inner] = rest % size;
      rest = rest.floorDiv(size);
    }
    access.indices[indexGroup.front()] = rest;
  }
  return access;
}

/// Joins the indices of each group into that of the source's axis.
std::optional<TensorAccess> getExpandSource(tensor::ExpandShapeOp op,
                                            ArrayRef<AffineExpr> indices) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  TensorAccess access{op.getSrc(), {}};
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    if (!hasStaticInnerAxes(shape, group))
      return std::nullopt;
    AffineExpr index = indices[group.front()];
    for (int64_t inner : group.drop_front())
      index = index * shape[inner] + indices[inner];
    access.indices.push_back(index);
  }
  return access;
}

} // namespace

std::optional<TensorAccess> frit::getMovedFrom(Value tensor,
                                               ArrayRef<AffineExpr> indices) {
  Operation *op = tensor.getDefiningOp();
  if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op))
    return getSliceSource(slice, indices);
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
    return getCollapseSource(collapse, indices);
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return getExpandSource(expand, indices);
  auto cast = dyn_cast_or_null<tensor::CastOp>(op);
  if (cast && isa<RankedTensorType>(cast.getSource().getType()))
    return TensorAccess{cast.getSource(), llvm::to_vector(indices)};
  return std::nullopt;
}
