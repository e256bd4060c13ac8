//===- RowElement.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of tensors through reshapes, and through the index arithmetic of those.
//
//===----------------------------------------------------------------------===//

#include "RowElement.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

RowTensor RowTensor::ofLastAxis(Value tensor) {
  return {tensor, cast<RankedTensorType>(tensor.getType()).getRank() - 1};
}

/// Whether a reshape has its last axis, and only it, from the last axis of its
/// source.
static bool keepsLastAxis(ArrayRef<ReassociationIndices> reassociation) {
  return !reassociation.empty() && reassociation.back().size() == 1;
}

RowTensor RowTensor::strip() const {
  if (columnAxis != getType().getRank() - 1)
    return *this;
  Value source = tensor;
  for (;;) {
    Operation *op = source.getDefiningOp();
    if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op);
        expand && keepsLastAxis(expand.getReassociationIndices()))
      source = expand.getSrc();
    else if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op);
             collapse && keepsLastAxis(collapse.getReassociationIndices()))
      source = collapse.getSrc();
    else if (auto cast = dyn_cast_or_null<tensor::CastOp>(op);
             cast && isa<RankedTensorType>(cast.getSource().getType()))
      source = cast.getSource();
    else
      return ofLastAxis(source);
  }
}

RowElement RowElement::of(RowTensor tensor) {
  RowTensor source = tensor.strip();
  auto walker = std::make_shared<ElementWalker>(source.tensor);
  Expr expr = walker->getRootElement();
  return {std::move(walker), expr, source.columnAxis};
}

/// The index of a row among all, where the sizes of all axes but the outermost
/// are static; null otherwise.
static AffineExpr linearize(ArrayRef<AffineExpr> indices,
                            ArrayRef<int64_t> sizes) {
  AffineExpr linear = indices.front();
  for (auto [index, size] :
       llvm::zip(indices.drop_front(), sizes.drop_front())) {
    if (ShapedType::isDynamic(size))
      return {};
    linear = linear * size + index;
  }
  return linear;
}

namespace {
/// The axes of the rows of a tensor, those of size 1 left out.
struct RowAxes {
  SmallVector<AffineExpr> indices;
  SmallVector<int64_t> sizes;

  /// Those of an element, all but `columnAxis`.
  RowAxes(const ElementExpr &load, int64_t columnAxis) {
    auto type = cast<RankedTensorType>(load.value.getType());
    for (auto [axis, index] : llvm::enumerate(load.indices))
      if (static_cast<int64_t>(axis) != columnAxis)
        add(index, type.getDimSize(axis));
  }
  /// Those of a walker's root, all but `columnAxis`.
  RowAxes(const ElementWalker &walker, int64_t columnAxis) {
    for (auto [axis, index] : llvm::enumerate(walker.getIdentity()))
      if (static_cast<int64_t>(axis) != columnAxis)
        add(index, walker.getShape()[axis].size);
  }

  void add(AffineExpr index, int64_t size) {
    if (size == 1)
      return;
    indices.push_back(index);
    sizes.push_back(size);
  }
  bool isSameRow(const RowAxes &other, const ElementWalker &walker) const {
    if (indices == other.indices)
      return true;
    if (indices.empty() || other.indices.empty())
      return false;
    AffineExpr lhs = linearize(indices, sizes);
    AffineExpr rhs = linearize(other.indices, other.sizes);
    unsigned dims = walker.getRank(), symbols = getFirstFreeSymbol(indices);
    return lhs && rhs &&
           simplifyAffineExpr(lhs - rhs, dims, symbols) ==
               getAffineConstantExpr(0, lhs.getContext());
  }
};
} // namespace

std::optional<RowTensor> RowElement::getRowTensor(AffineExpr column) const {
  if (!expr->isLoad() || !expr->value)
    return std::nullopt;
  auto type = cast<RankedTensorType>(expr->value.getType());
  // A column that is always 0 is looked for at the last axis.
  const AffineExpr *found =
      isa<AffineConstantExpr>(column)
          ? (type.getRank() > 0 && expr->indices.back() == column
                 ? &expr->indices.back()
                 : expr->indices.end())
          : llvm::find(expr->indices, column);
  if (found == expr->indices.end())
    return std::nullopt;
  int64_t axis = found - expr->indices.begin();
  if (!RowAxes(*expr, axis).isSameRow(RowAxes(*walker, columnAxis), *walker))
    return std::nullopt;
  return RowTensor{expr->value, axis};
}

Value RowElement::getRowVector() const {
  if (!expr->isLoad() || !expr->value ||
      !RowAxes(*expr, -1).isSameRow(RowAxes(*walker, columnAxis), *walker))
    return {};
  return expr->value;
}

/// Whether a linalg op may read less of an operand than all.
static bool mayReadPart(linalg::LinalgOp op, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (operand.get() != tensor)
      return false;
    auto indices = op.getMatchingIndexingMap(&operand).getResults();
    return llvm::any_of(llvm::enumerate(indices), [&](auto entry) {
      return !isa<AffineDimExpr>(entry.value()) &&
             type.getDimSize(entry.index()) != 1;
    });
  });
}

/// Whether a part of the tensor, or of what is computed from it, may have been
/// taken on the way to the root.
static bool mayBeSliced(Value tensor, Value root) {
  Operation *last = root.getDefiningOp();
  if (!last)
    return false;
  SetVector<Value> values;
  values.insert(tensor);
  for (unsigned i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (user->getBlock() == last->getBlock() && last->isBeforeInBlock(user))
        continue;
      if (isa<tensor::ExtractSliceOp, tensor::ExtractOp>(user))
        return true;
      auto op = dyn_cast<linalg::LinalgOp>(user);
      if (op && mayReadPart(op, values[i]))
        return true;
      if (user != last &&
          (op ||
           isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
               user)))
        values.insert_range(user->getResults());
    }
  return false;
}

/// Whether an axis of a tensor has this size.
static bool hasSize(const ElementWalker &walker, Value tensor, int64_t axis,
                    const Extent &size) {
  Extent own = ElementWalker::getExtent(tensor, axis);
  if (size.isStatic() && own.isStatic())
    return size.size == own.size;
  return !mayBeSliced(tensor, walker.getRoot()) || walker.areEqual(size, own);
}

bool RowElement::isCoveredBy(RowTensor tensor, const Extent &columns) const {
  return hasSize(*walker, tensor.tensor, tensor.columnAxis, columns) &&
         hasRowsOf(tensor.tensor, tensor.columnAxis);
}

bool RowElement::hasRowsOf(Value tensor, int64_t columnAxis) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Extent> wanted;
  for (auto [axis, extent] : llvm::enumerate(walker->getShape()))
    if (static_cast<int64_t>(axis) != this->columnAxis && extent.size != 1)
      wanted.push_back(extent);
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (axis != columnAxis && type.getDimSize(axis) != 1)
      axes.push_back(axis);
  if (axes.size() == wanted.size())
    return llvm::all_of(llvm::zip(wanted, axes), [&](auto pair) {
      return hasSize(*walker, tensor, std::get<1>(pair), std::get<0>(pair));
    });
  // Rows that are split over other axes: their numbers count.
  int64_t numWanted = 1, numRows = 1;
  for (const Extent &extent : wanted)
    if (!extent.isStatic() ||
        llvm::MulOverflow(numWanted, extent.size, numWanted))
      return !mayBeSliced(tensor, walker->getRoot());
  for (int64_t axis : axes)
    if (type.isDynamicDim(axis) ||
        llvm::MulOverflow(numRows, type.getDimSize(axis), numRows))
      return !mayBeSliced(tensor, walker->getRoot());
  return numWanted == numRows;
}

void RowElement::peel() {
  for (;;) {
    expr = walker->peel(expr);
    // A reshape of rows with dynamic sizes has no index arithmetic: its source
    // has the same rows.
    std::optional<RowTensor> tensor = getRowTensor(getColumn());
    if (!tensor || tensor->strip() == *tensor ||
        !isCoveredBy(*tensor, getColumns()))
      return;
    *this = of(*tensor);
  }
}
