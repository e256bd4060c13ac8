//===- GatedProduct.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of an activation and of up, and where their operands come from.
//
//===----------------------------------------------------------------------===//

#include "GatedProduct.h"

#include "ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

std::optional<GatedProduct> frit::matchGatedProduct(OpResult root,
                                                    ElementWalker &elements) {
  Type elementType = getElementTypeOrSelf(root.getType());
  if (!elementType.isF32() && !elementType.isF16() && !elementType.isBF16())
    return std::nullopt;
  // What only moves elements leaves the matter to what it moves.
  Expr element = elements.getRootElement();
  if (elements.getRank() == 0 || !element->isLoad() || element->value != root)
    return std::nullopt;
  FloatStep step = getStep(elements, element);
  if (!step.op->is<arith::MulFOp>() || step.rounded != elementType ||
      elements.peel(element)->is<arith::ExtFOp>())
    return std::nullopt;
  for (unsigned i : {0, 1})
    if (std::optional<ActivationForm> form =
            matchActivation(elements, step.op->getOperand(i)))
      return GatedProduct{
          root, elementType, step.op->getOperand(i),
          stripExtensions(elements, step.op->getOperand(1 - i), elementType),
          std::move(*form)};
  return std::nullopt;
}

/// The tensor that has both halves, where up follows gate in each row of one.
static Value getPacked(Expr gate, Expr up, Type elementType,
                       ElementWalker &elements) {
  if (!gate->isLoad() || !up->isLoad() || gate->value != up->value ||
      gate->type != elementType || gate->indices != elements.getIdentity() ||
      up->indices.drop_back() != gate->indices.drop_back())
    return {};
  const Extent &row = elements.getShape().back();
  auto type = cast<RankedTensorType>(gate->value.getType());
  if (!row.isStatic() || type.getShape().back() != 2 * row.size ||
      up->indices.back() != gate->indices.back() + row.size)
    return {};
  // A slice of some of the rows is not the whole tensor.
  for (int64_t axis = 0; axis + 1 < type.getRank(); ++axis)
    if (!elements.areEqual(ElementWalker::getExtent(gate->value, axis),
                           elements.getShape()[axis]))
      return {};
  return gate->value;
}

/// The tensor that is defined first: copies of it come after it. Tensors of
/// different blocks keep their order.
static Value getFirst(ArrayRef<Value> tensors) {
  Value first = tensors.front();
  for (Value tensor : tensors.drop_front()) {
    Operation *op = tensor.getDefiningOp();
    Operation *known = first.getDefiningOp();
    if (known && (!op || (op->getBlock() == known->getBlock() &&
                          op->isBeforeInBlock(known))))
      first = tensor;
  }
  return first;
}

/// A tensor of the root's shape that has an expression as its element, or the
/// expression if it is computed. Otherwise says why there is none.
static FailureOr<GatedOperand> getOperand(Expr expr, StringRef what,
                                          Type elementType,
                                          ElementWalker &elements,
                                          std::string &mismatch) {
  if (expr->type != elementType) {
    llvm::raw_string_ostream(mismatch)
        << what << " is " << expr->type << ", the result is " << elementType;
    return failure();
  }
  ArrayRef<Value> tensors = elements.getTensors(expr);
  if (!tensors.empty())
    return GatedOperand{getFirst(tensors), nullptr};
  // A tensor that is larger than the result is cut to its size.
  if (expr->isLoad() && expr->indices != elements.getIdentity()) {
    mismatch = what.str() + " is not read at the indices of the result";
    return failure();
  }
  OpBuilder builder(elements.getRoot().getContext());
  if (ElementEmitter(builder, elements).canEmit(expr))
    return GatedOperand{Value(), expr};
  mismatch = what.str() + " is not a tensor of its own";
  return failure();
}

FailureOr<GatedOperands> frit::getGatedOperands(const GatedProduct &product,
                                                Expr gate,
                                                ElementWalker &elements,
                                                std::string &mismatch) {
  if (Value packed = getPacked(gate, product.up, product.elementType, elements))
    return GatedOperands{{packed, nullptr}, {}};
  FailureOr<GatedOperand> x =
      getOperand(gate, "gate", product.elementType, elements, mismatch);
  if (failed(x))
    return failure();
  FailureOr<GatedOperand> up =
      getOperand(product.up, "up", product.elementType, elements, mismatch);
  if (failed(up))
    return failure();
  return GatedOperands{*x, *up};
}

void GatedOperands::materialize(const ElementWalker &elements, Raiser &raiser) {
  auto root = cast<OpResult>(elements.getRoot());
  IRRewriter &builder = raiser.getRewriter();
  auto type = cast<RankedTensorType>(root.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (!up.tensor && !up.expr)
    shape.back() *= 2;
  auto expected = RankedTensorType::get(shape, type.getElementType());
  for (GatedOperand *operand : {&x, &up}) {
    if (operand->expr) {
      OpResult tensor = ElementEmitter(builder, elements).emit(operand->expr);
      raiser.addRoot(tensor);
      operand->tensor = tensor;
    }
    if (operand->tensor && operand->tensor.getType() != expected)
      operand->tensor = tensor::CastOp::create(builder, root.getLoc(), expected,
                                               operand->tensor);
  }
}
