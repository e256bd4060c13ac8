//===- LoraBranch.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches matmuls by weights and what stands between them.
//
//===----------------------------------------------------------------------===//

#include "LoraBranch.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

namespace {
/// A sum of products over one index.
struct SumOfProducts {
  Expr lhs, rhs;
  AffineExpr index;
  Extent extent;
  /// The type that is added in.
  Type type;
};
} // namespace

static bool isZero(Expr expr) {
  auto number = dyn_cast_or_null<FloatAttr>(expr->constant);
  return number && number.getValue().isZero();
}

static std::optional<SumOfProducts> matchSum(ElementWalker &walker, Expr expr) {
  if (!expr->isReduceOf<arith::AddFOp>() || expr->extents.size() != 1 ||
      !isZero(walker.peel(expr->getInit())))
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
  return SumOfProducts{product->getOperand(0), product->getOperand(1), index,
                       extent, type};
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
static std::optional<LoraWeight>
matchElement(Expr expr, ArrayRef<AffineExpr> indices, AffineExpr row,
             const Extent &rows, AffineExpr column, const Extent &columns,
             int64_t firstAxis) {
  LoraWeight weight;
  weight.tensor = expr->value;
  weight.rows = rows;
  weight.columns = columns;
  weight.offsets.resize(indices.size(), 0);
  weight.rowAxis = findAxis(indices, row, weight.offsets);
  weight.columnAxis = findAxis(indices, column, weight.offsets);
  // One row or column may be any axis at a constant index: the nearest.
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
static std::optional<LoraWeight> matchWeight(const RowElement &element,
                                             AffineExpr row, const Extent &rows,
                                             AffineExpr column,
                                             const Extent &columns) {
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
  std::optional<LoraWeight> weight =
      matchElement(expr, indices, row, rows, column, columns, /*firstAxis=*/1);
  if (weight)
    weight->adapter = element.with(expr->getOperand(0));
  return weight;
}

/// Matches a weight as it is multiplied (`wide`, if that is a tensor) and as
/// it is stored.
static bool matchWeights(const RowElement &element, AffineExpr row,
                         const Extent &rows, AffineExpr column,
                         const Extent &columns, LoraWeight &narrow,
                         std::optional<LoraWeight> &wide) {
  ElementWalker &walker = *element.walker;
  Expr expr = element.expr;
  std::optional<LoraWeight> found;
  for (;;) {
    std::optional<LoraWeight> weight =
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
    else if (!next->is<tensor::ExtractOp>() || next == expr)
      break;
    expr = next;
  }
  if (!found)
    return false;
  narrow = *found;
  return true;
}

bool LoraWeight::isWholeStack() const {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto isAll = [&](int64_t axis, const Extent &extent) {
    return offsets[axis] == 0 &&
           (type.isDynamicDim(axis) || type.getDimSize(axis) == extent.size);
  };
  return type.getRank() == 3 && isAll(rowAxis, rows) &&
         isAll(columnAxis, columns);
}

Value LoraWeight::materialize(OpBuilder &builder, Location loc) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (adapter)
    return tensor;
  // The part of the tensor, if it is not all of it.
  auto toSize = [&](const Extent &extent) -> OpFoldResult {
    if (extent.isStatic())
      return builder.getIndexAttr(extent.size);
    return tensor::getMixedSize(builder, loc, extent.tensor, extent.axis);
  };
  SmallVector<OpFoldResult> starts, sizes;
  bool isWhole = true;
  for (int64_t axis = 0, e = type.getRank(); axis < e; ++axis) {
    bool isRow = axis == rowAxis, isColumn = axis == columnAxis;
    starts.push_back(builder.getIndexAttr(offsets[axis]));
    int64_t size = type.getDimSize(axis);
    int64_t wanted = isRow ? rows.size : isColumn ? columns.size : 1;
    // A dynamic axis that starts at 0 is read whole by the matmul.
    bool isAll = offsets[axis] == 0 &&
                 (size == wanted ||
                  ((isRow || isColumn) && ShapedType::isDynamic(size)));
    isWhole &= isAll;
    sizes.push_back(isAll   ? tensor::getMixedSize(builder, loc, tensor, axis)
                    : isRow ? toSize(rows)
                    : isColumn ? toSize(columns)
                               : builder.getIndexAttr(1));
  }
  Value part = tensor;
  if (!isWhole)
    part = tensor::ExtractSliceOp::create(
        builder, loc, tensor, starts, sizes,
        SmallVector<OpFoldResult>(type.getRank(), builder.getIndexAttr(1)));
  // [1.., rows, 1.., columns, 1..] to [1, rows, columns].
  type = cast<RankedTensorType>(part.getType());
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

//===----------------------------------------------------------------------===//
// The branch
//===----------------------------------------------------------------------===//

/// Takes all steps back from an element until a sum, through other tensors.
static std::optional<SumOfProducts> walkToSum(RowElement &element,
                                              SmallVectorImpl<LoraStep> &steps,
                                              std::string &blocker) {
  LoraStepWalker walk(steps, blocker);
  for (element.peel();; element.peel()) {
    if (std::optional<SumOfProducts> sum =
            matchSum(*element.walker, element.expr)) {
      walk.addRound(sum->type);
      return sum;
    }
    Expr next = walk.step(*element.walker, element.expr);
    if (!next)
      return std::nullopt;
    element.expr = next;
  }
}

/// Takes steps back from the factor of a product until the element of a tensor
/// in the same row and column `column`.
static std::optional<RowTensor> walkToTensor(RowElement element,
                                             AffineExpr column,
                                             SmallVectorImpl<LoraStep> &steps,
                                             std::string &blocker) {
  LoraStepWalker walk(steps, blocker);
  for (;;) {
    if (std::optional<RowTensor> tensor = element.getRowTensor(column))
      return tensor;
    Expr next = element.expr->isLoad()
                    ? element.walker->expand(element.expr)
                    : walk.step(*element.walker, element.expr);
    if (!next)
      return std::nullopt;
    element.expr = next;
  }
}

/// The tensors before the first matmul, from the nearest on, over steps that
/// could be moved behind it.
static SmallVector<LoraInput> collectInputs(RowTensor tensor,
                                            ArrayRef<LoraStep> steps) {
  SmallVector<LoraInput> inputs{{tensor, llvm::to_vector(steps)}};
  for (;;) {
    LoraInput next = inputs.back();
    RowElement element = RowElement::of(next.tensor);
    std::string blocker;
    LoraStepWalker walk(next.steps, blocker);
    element.peel();
    Expr expr = walk.step(*element.walker, element.expr);
    if (!expr || !blocker.empty())
      return inputs;
    std::optional<RowTensor> source = walkToTensor(
        element.with(expr), element.getColumn(), next.steps, blocker);
    if (!source || !blocker.empty())
      return inputs;
    next.tensor = *source;
    inputs.push_back(next);
  }
}

std::optional<LoraBranch> frit::matchLoraBranch(RowElement delta) {
  LoraBranch branch;
  Expr outer = delta.walker->peel(delta.expr);
  branch.mask = LoraStepWalker::matchMask(*delta.walker, outer);
  if (branch.mask)
    delta.expr = outer->getOperand(branch.mask->isInverted ? 2 : 1);
  std::optional<SumOfProducts> expansion =
      walkToSum(delta, branch.after, branch.blocker);
  if (!expansion)
    return std::nullopt;
  for (auto [hidden, weight] : {std::pair(expansion->lhs, expansion->rhs),
                                std::pair(expansion->rhs, expansion->lhs)}) {
    LoraBranch found = branch;
    if (!matchWeights(delta.with(weight), delta.getColumn(), delta.getColumns(),
                      expansion->index, expansion->extent, found.b,
                      found.wideB))
      continue;
    std::optional<RowTensor> hiddenTensor = walkToTensor(
        delta.with(hidden), expansion->index, found.between, found.blocker);
    if (!hiddenTensor)
      continue;
    if (!delta.isCoveredBy(*hiddenTensor, expansion->extent))
      found.block("the second matmul reads a part of the first one's result");
    RowElement rankVector = RowElement::of(*hiddenTensor);
    std::optional<SumOfProducts> shrink =
        walkToSum(rankVector, found.between, found.blocker);
    if (!shrink)
      continue;
    for (auto [x, weightA] : {std::pair(shrink->lhs, shrink->rhs),
                              std::pair(shrink->rhs, shrink->lhs)}) {
      if (!matchWeights(rankVector.with(weightA), rankVector.getColumn(),
                        rankVector.getColumns(), shrink->index, shrink->extent,
                        found.a, found.wideA))
        continue;
      SmallVector<LoraStep> steps;
      std::optional<RowTensor> input =
          walkToTensor(rankVector.with(x), shrink->index, steps, found.blocker);
      if (!input)
        continue;
      if (!rankVector.isCoveredBy(*input, shrink->extent))
        found.block("the first matmul reads a part of a tensor");
      found.inputs = collectInputs(*input, steps);
      for (const SumOfProducts *sum : {&*expansion, &*shrink})
        if (!sum->type.isF32() && !sum->type.isF64())
          found.sumType = sum->type;
      return found;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What the base has a matmul of
//===----------------------------------------------------------------------===//

/// Adds the tensor that a factor is an element of, and those that it is an
/// extension of.
static void addMatmulInput(const RowElement &factor, AffineExpr column,
                           SmallVectorImpl<RowTensor> &inputs) {
  SmallVector<LoraStep> steps;
  std::string blocker;
  std::optional<RowTensor> tensor =
      walkToTensor(factor, column, steps, blocker);
  if (!tensor || !steps.empty() || !blocker.empty())
    return;
  for (const LoraInput &input : collectInputs(*tensor, steps)) {
    if (!input.steps.empty())
      return;
    inputs.push_back(input.tensor.strip());
  }
}

SmallVector<RowTensor> frit::findMatmulInputs(const RowElement &element) {
  SmallVector<RowTensor> inputs;
  SmallVector<RowElement> pending{element};
  while (!pending.empty()) {
    RowElement next = pending.pop_back_val();
    next.peel();
    Expr expr = next.expr;
    if (expr->isLoad() && expr->value) {
      // The sum of an earlier branch.
      if (auto lora = expr->value.getDefiningOp<LoraMatmulOp>()) {
        inputs.push_back(RowTensor::ofLastAxis(lora.getX()).strip());
        pending.push_back(RowElement::of(RowTensor::ofLastAxis(lora.getOut())));
      }
    } else if (std::optional<SumOfProducts> sum =
                   matchSum(*next.walker, expr)) {
      addMatmulInput(next.with(sum->lhs), sum->index, inputs);
      addMatmulInput(next.with(sum->rhs), sum->index, inputs);
    } else if (expr->is<arith::AddFOp, arith::TruncFOp, arith::ExtFOp,
                        arith::SelectOp>()) {
      for (Expr operand : expr->operands)
        if (isa<FloatType>(operand->type))
          pending.push_back(next.with(operand));
    }
  }
  return inputs;
}
