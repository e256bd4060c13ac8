//===- MatmulElement.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches sums of products, and weights by the indices that they are read at.
//
//===----------------------------------------------------------------------===//

#include "MatmulElement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

static bool isZero(Expr expr) {
  auto number = dyn_cast_or_null<FloatAttr>(expr->constant);
  return number && number.getValue().isZero();
}

std::optional<SumOfProducts> frit::matchSum(ElementWalker &walker, Expr expr) {
  if (!expr->isReduceOf<arith::AddFOp>() || expr->extents.size() != 1)
    return std::nullopt;
  Expr product = walker.peel(expr->getBody());
  if (product->is<arith::ExtFOp>())
    product = product->getOperand(0);
  if (!product->is<arith::MulFOp>())
    return std::nullopt;
  MLIRContext *context = expr->type.getContext();
  const Extent &extent = expr->extents.front();
  // An axis of size 1 has no index of its own.
  AffineExpr index = extent.size == 1
                         ? getAffineConstantExpr(0, context)
                         : getAffineSymbolExpr(expr->firstSymbol, context);
  Type type =
      product->type.getIntOrFloatBitWidth() < expr->type.getIntOrFloatBitWidth()
          ? product->type
          : expr->type;
  return SumOfProducts{product->getOperand(0),
                       product->getOperand(1),
                       index,
                       extent,
                       type,
                       expr->type.isF64(),
                       isZero(walker.peel(expr->getInit()))};
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// The start of what an index runs over along an axis, if it is `variable` plus
/// a constant.
static std::optional<int64_t> getOffset(AffineExpr index, AffineExpr variable) {
  if (index == variable)
    return 0;
  auto sum = dyn_cast<AffineBinaryOpExpr>(index);
  if (!sum || sum.getKind() != AffineExprKind::Add || sum.getLHS() != variable)
    return std::nullopt;
  auto offset = dyn_cast<AffineConstantExpr>(sum.getRHS());
  return offset ? std::optional(offset.getValue()) : std::nullopt;
}

/// The axis that an index runs along, -1 where there is none.
static int64_t findAxis(ArrayRef<AffineExpr> indices, AffineExpr variable,
                        SmallVectorImpl<int64_t> &offsets) {
  if (isa<AffineConstantExpr>(variable))
    return -1;
  for (auto [axis, index] : llvm::enumerate(indices))
    if (std::optional<int64_t> offset = getOffset(index, variable)) {
      offsets[axis] = *offset;
      return axis;
    }
  return -1;
}

/// The weight that an element of a tensor is of, in row `row` and column
/// `column`; none if it depends on anything else.
static std::optional<MatmulWeight>
matchElement(Expr expr, ArrayRef<AffineExpr> indices, AffineExpr row,
             const Extent &rows, AffineExpr column, const Extent &columns,
             int64_t firstAxis) {
  MatmulWeight weight;
  weight.tensor = expr->value;
  weight.rows = rows;
  weight.columns = columns;
  weight.offsets.resize(indices.size(), 0);
  weight.rowAxis = findAxis(indices, row, weight.offsets);
  weight.columnAxis = findAxis(indices, column, weight.offsets);
  // One row or column may be any axis at a constant index: the nearest.
  if (weight.rowAxis < 0 && weight.columnAxis < 0 && rows.size == 1)
    weight.rowAxis = static_cast<int64_t>(indices.size()) - 2;
  if (weight.rowAxis < 0 && rows.size == 1)
    weight.rowAxis = weight.columnAxis > firstAxis
                         ? weight.columnAxis - 1
                         : static_cast<int64_t>(indices.size()) - 1;
  if (weight.columnAxis < 0 && columns.size == 1)
    weight.columnAxis =
        weight.rowAxis + 1 < static_cast<int64_t>(indices.size())
            ? weight.rowAxis + 1
            : weight.rowAxis - 1;
  if (weight.rowAxis < firstAxis || weight.columnAxis < firstAxis ||
      weight.rowAxis == weight.columnAxis)
    return std::nullopt;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    int64_t position = static_cast<int64_t>(axis);
    if (position < firstAxis)
      continue;
    auto constant = dyn_cast<AffineConstantExpr>(index);
    if (constant)
      weight.offsets[axis] = constant.getValue();
    else if (position != weight.rowAxis && position != weight.columnAxis)
      return std::nullopt;
    else if (!getOffset(index, position == weight.rowAxis ? row : column))
      return std::nullopt;
  }
  return weight;
}

/// Matches an element that is loaded, or extracted at an index that is data.
static std::optional<MatmulWeight>
matchWeight(const RowElement &element, AffineExpr row, const Extent &rows,
            AffineExpr column, const Extent &columns) {
  Expr expr = element.expr;
  if (expr->isLoad() && expr->value)
    return matchElement(expr, expr->indices, row, rows, column, columns,
                        /*firstAxis=*/0);
  if (!expr->is<tensor::ExtractOp>() || expr->operands.size() != 3)
    return std::nullopt;
  SmallVector<AffineExpr> indices{
      getAffineConstantExpr(0, expr->type.getContext())};
  for (Expr operand : expr->operands.drop_front()) {
    if (operand->kind == ElementExpr::Kind::Index)
      indices.push_back(operand->indices.front());
    else if (auto number = dyn_cast_or_null<IntegerAttr>(operand->constant))
      indices.push_back(
          getAffineConstantExpr(number.getInt(), expr->type.getContext()));
    else
      return std::nullopt;
  }
  std::optional<MatmulWeight> weight =
      matchElement(expr, indices, row, rows, column, columns, /*firstAxis=*/1);
  if (weight)
    weight->adapter = element.with(expr->getOperand(0));
  return weight;
}

bool frit::matchWeights(const RowElement &element, AffineExpr row,
                        const Extent &rows, AffineExpr column,
                        const Extent &columns, MatmulWeight &narrow,
                        std::optional<MatmulWeight> &wide) {
  ElementWalker &walker = *element.walker;
  Expr expr = element.expr;
  std::optional<MatmulWeight> found;
  for (;;) {
    std::optional<MatmulWeight> weight =
        matchWeight(element.with(expr), row, rows, column, columns);
    if (weight) {
      if (found)
        wide = found;
      found = weight;
    }
    Expr next = expr->isLoad() ? walker.expand(expr) : expr;
    if (!next)
      break;
    if (next->is<arith::ExtFOp>())
      next = next->getOperand(0);
    else if (next == expr || !(next->isLoad() || next->is<tensor::ExtractOp>()))
      break;
    expr = next;
  }
  if (!found)
    return false;
  narrow = *found;
  return true;
}

bool MatmulWeight::isWholeStack(const ElementWalker &walker) const {
  auto isAll = [&](int64_t axis, const Extent &extent) {
    return offsets[axis] == 0 &&
           walker.areEqual(ElementWalker::getExtent(tensor, axis), extent);
  };
  return cast<RankedTensorType>(tensor.getType()).getRank() == 3 &&
         isAll(rowAxis, rows) && isAll(columnAxis, columns);
}

Value MatmulWeight::reshapeVector(OpBuilder &builder, Location loc,
                                  Value part) const {
  auto type = cast<RankedTensorType>(part.getType());
  int64_t axis = rows.size == 1 ? columnAxis : rowAxis;
  OpFoldResult length = tensor::getMixedSize(builder, loc, part, axis);
  ReassociationIndices all =
      llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  Value vector = tensor::CollapseShapeOp::create(
      builder, loc, part, SmallVector<ReassociationIndices>{all});
  SmallVector<int64_t> shape(3, 1);
  SmallVector<OpFoldResult> sizes(3, builder.getIndexAttr(1));
  unsigned position = rows.size == 1 ? 2 : 1;
  shape[position] = type.getDimSize(axis);
  sizes[position] = length;
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), vector,
      SmallVector<ReassociationIndices>{{0, 1, 2}}, sizes);
}

/// A size, where the tensor that has it may be one that is to be replaced.
static OpFoldResult createSize(OpBuilder &builder, Location loc,
                               const Extent &size) {
  if (size.isStatic())
    return builder.getIndexAttr(size.size);
  Value tensor = size.tensor;
  // A linalg op's destination has the sizes of the result, and is there before.
  if (auto op = tensor.getDefiningOp<linalg::LinalgOp>())
    tensor =
        op.getDpsInitOperand(cast<OpResult>(tensor).getResultNumber())->get();
  return tensor::getMixedSize(builder, loc, tensor, size.axis);
}

Value MatmulWeight::materialize(OpBuilder &builder, Location loc) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (adapter)
    return tensor;
  // The part of the tensor, if it is not all of it.
  SmallVector<OpFoldResult> starts, sizes;
  bool isWhole = true;
  for (int64_t axis = 0, e = type.getRank(); axis < e; ++axis) {
    Extent size{1, Value(), 0};
    if (axis == rowAxis)
      size = rows;
    else if (axis == columnAxis)
      size = columns;
    isWhole &=
        offsets[axis] == 0 && size == ElementWalker::getExtent(tensor, axis);
    starts.push_back(builder.getIndexAttr(offsets[axis]));
    sizes.push_back(createSize(builder, loc, size));
  }
  Value part = tensor;
  if (!isWhole)
    part = tensor::ExtractSliceOp::create(
        builder, loc, tensor, starts, sizes,
        SmallVector<OpFoldResult>(type.getRank(), builder.getIndexAttr(1)));
  // [1.., rows, 1.., columns, 1..] to [1, rows, columns].
  type = cast<RankedTensorType>(part.getType());
  if (rowAxis > columnAxis)
    return reshapeVector(builder, loc, part);
  ReassociationIndices first, second;
  for (int64_t axis = 0, e = type.getRank(); axis < e; ++axis)
    (axis <= rowAxis ? first : second).push_back(axis);
  if (type.getRank() == 3 && rowAxis == 1)
    return part;
  if (type.getRank() > 2)
    part = tensor::CollapseShapeOp::create(
        builder, loc, part, SmallVector<ReassociationIndices>{first, second});
  SmallVector<OpFoldResult> whole = tensor::getMixedSizes(builder, loc, part);
  SmallVector<OpFoldResult> expanded{builder.getIndexAttr(1), whole[0],
                                     whole[1]};
  auto flat = cast<RankedTensorType>(part.getType());
  auto stacked = RankedTensorType::get(
      {1, flat.getDimSize(0), flat.getDimSize(1)}, flat.getElementType());
  return tensor::ExpandShapeOp::create(
      builder, loc, stacked, part,
      SmallVector<ReassociationIndices>{{0, 1}, {2}}, expanded);
}
