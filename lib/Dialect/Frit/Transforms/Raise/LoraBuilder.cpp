//===- LoraBuilder.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshapes operands to the op's shapes and creates it.
//
//===----------------------------------------------------------------------===//

#include "LoraBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

bool LoraBuilder::canFlatten(RowTensor tensor) {
  return llvm::all_of(
      tensor.getType().getShape().drop_front(tensor.columnAxis + 1),
      [](int64_t size) { return size == 1; });
}

Value LoraBuilder::flatten(RowTensor tensor) {
  RankedTensorType type = tensor.getType();
  if (type.getRank() == 2 && tensor.columnAxis == 1)
    return tensor.tensor;
  if (tensor.columnAxis == 0) {
    // One row.
    SmallVector<OpFoldResult> sizes{
        builder.getIndexAttr(1),
        tensor::getMixedSize(builder, loc, tensor.tensor, 0)};
    ReassociationIndices all;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      all.push_back(axis);
    Value vector = tensor.tensor;
    if (type.getRank() > 1)
      vector = tensor::CollapseShapeOp::create(
          builder, loc, vector, SmallVector<ReassociationIndices>{all});
    return tensor::ExpandShapeOp::create(
        builder, loc,
        RankedTensorType::get({1, type.getDimSize(0)}, type.getElementType()),
        vector, SmallVector<ReassociationIndices>{{0, 1}}, sizes);
  }
  ReassociationIndices rows, columns;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    (axis < tensor.columnAxis ? rows : columns).push_back(axis);
  SmallVector<ReassociationIndices> groups{rows, columns};
  // A reshape of the rows of a tensor that has them flat already.
  if (auto expand = tensor.tensor.getDefiningOp<tensor::ExpandShapeOp>();
      expand && expand.getReassociationIndices() == groups)
    return expand.getSrc();
  return tensor::CollapseShapeOp::create(builder, loc, tensor.tensor, groups);
}

Value LoraBuilder::createZeroIds(OpFoldResult numRows) {
  Type i32 = builder.getI32Type();
  if (std::optional<int64_t> size = getConstantIntValue(numRows)) {
    auto type = RankedTensorType::get({*size}, i32);
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, 0));
  }
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value empty = tensor::EmptyOp::create(builder, loc, numRows, i32);
  return linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
}

Value LoraBuilder::convertIds(Value ids) {
  auto type = cast<RankedTensorType>(ids.getType());
  if (type.getRank() > 1) {
    ReassociationIndices all =
        llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
    ids = tensor::CollapseShapeOp::create(
        builder, loc, ids, SmallVector<ReassociationIndices>{all});
  }
  Type source = type.getElementType(), i32 = builder.getI32Type();
  if (source == i32)
    return ids;
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, ids), i32);
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  auto generic = linalg::GenericOp::create(
      builder, loc, empty.getType(), ids, empty,
      ArrayRef<AffineMap>{identity, identity}, utils::IteratorType::parallel,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        Value id = arguments[0];
        if (source.isIndex() || source.getIntOrFloatBitWidth() > 32) {
          // A narrower number could be an id again.
          Value none = arith::ConstantOp::create(
              body, loc, body.getIntegerAttr(source, -1));
          id = arith::MaxSIOp::create(body, loc, id, none);
          id = source.isIndex()
                   ? arith::IndexCastOp::create(body, loc, i32, id).getResult()
                   : arith::TruncIOp::create(body, loc, i32, id).getResult();
        } else {
          id = arith::ExtSIOp::create(body, loc, i32, id);
        }
        linalg::YieldOp::create(body, loc, id);
      });
  return generic.getResult(0);
}

Value LoraBuilder::convertScales(Value scales) {
  auto type = RankedTensorType::get({1}, builder.getF32Type());
  int64_t rank = cast<RankedTensorType>(scales.getType()).getRank();
  if (rank == 0)
    return tensor::ExpandShapeOp::create(builder, loc, type, scales,
                                         ArrayRef<ReassociationIndices>());
  if (rank == 1)
    return scales;
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(rank));
  return tensor::CollapseShapeOp::create(
      builder, loc, scales, SmallVector<ReassociationIndices>{all});
}

Value LoraBuilder::build(const LoraForm &form, Value base, Value ids) {
  Value destination = flatten(RowTensor::ofLastAxis(base));
  Value x = flatten(form.x);
  ids = ids ? convertIds(ids)
            : createZeroIds(tensor::getMixedSize(builder, loc, x, 0));
  SmallVector<Value> weights{form.a.materialize(builder, loc),
                             form.b.materialize(builder, loc)};
  Value scales = form.scales ? convertScales(form.scales) : Value();
  auto lora = LoraMatmulOp::create(
      builder, loc, TypeRange{destination.getType()}, x, ids, weights, scales,
      /*ranks=*/Value(), /*order=*/Value(), /*starts=*/Value(),
      /*active=*/Value(), destination, APFloat(form.scale), /*offset=*/0,
      form.intermediate, form.rounding, /*accumulate=*/true);
  Value result = lora->getResult(0);
  auto type = cast<RankedTensorType>(base.getType());
  if (type.getRank() == 2)
    return result;
  ReassociationIndices leading =
      llvm::to_vector(llvm::seq<int64_t>(type.getRank() - 1));
  return tensor::ExpandShapeOp::create(
      builder, loc, type, result,
      SmallVector<ReassociationIndices>{leading, {type.getRank() - 1}},
      tensor::getMixedSizes(builder, loc, base));
}
