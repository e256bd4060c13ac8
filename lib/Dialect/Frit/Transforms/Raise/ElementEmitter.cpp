//===- ElementEmitter.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes an expression as the body of a generic over the tensors it reads.
//
//===----------------------------------------------------------------------===//

#include "ElementEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

/// Whether an operand of a generic can have these indices.
static bool areProjections(ArrayRef<AffineExpr> indices) {
  return llvm::all_of(indices, [](AffineExpr index) {
    auto constant = dyn_cast<AffineConstantExpr>(index);
    return isa<AffineDimExpr>(index) || (constant && constant.getValue() == 0);
  });
}

/// The elements of tensors that an expression is computed from, in the order in
/// which they are met.
static void collectLoads(Expr expr, const DenseMap<Expr, Value> &tensors,
                         SetVector<Expr> &visited, SetVector<Expr> &loads) {
  if (!visited.insert(expr))
    return;
  if (tensors.contains(expr) || expr->isLoad()) {
    loads.insert(expr);
    return;
  }
  for (Expr operand : expr->operands)
    collectLoads(operand, tensors, visited, loads);
}

/// Whether a node can be emitted, given that its operands can.
static bool canEmitNode(Expr expr) {
  switch (expr->kind) {
  case ElementExpr::Kind::Load:
    return areProjections(expr->indices);
  case ElementExpr::Kind::Scalar:
  case ElementExpr::Kind::Constant:
    return true;
  case ElementExpr::Kind::Index:
    return isa<AffineDimExpr>(expr->indices.front());
  case ElementExpr::Kind::Op:
    // Not what reads elements at indices that are data.
    return !expr->value;
  case ElementExpr::Kind::Carry:
  case ElementExpr::Kind::Reduce:
    return false;
  }
  llvm_unreachable("all kinds are handled");
}

bool ElementEmitter::canEmit(Expr expr) const {
  SetVector<Expr> visited;
  auto visit = [&](auto &&self, Expr node) -> bool {
    if (!visited.insert(node) || tensors.contains(node))
      return true;
    return canEmitNode(node) && llvm::all_of(node->operands, [&](Expr operand) {
             return self(self, operand);
           });
  };
  return visit(visit, expr);
}

Value ElementEmitter::emitScalar(Expr expr, OpBuilder &body,
                                 const DenseMap<Expr, Value> &arguments,
                                 DenseMap<Expr, Value> &scalars) {
  if (Value argument = arguments.lookup(expr))
    return argument;
  if (Value known = scalars.lookup(expr))
    return known;
  Location loc = root.getLoc();
  Value scalar;
  if (expr->kind == ElementExpr::Kind::Scalar) {
    scalar = expr->value;
  } else if (expr->isConstant()) {
    scalar =
        arith::ConstantOp::create(body, loc, cast<TypedAttr>(expr->constant));
  } else if (expr->kind == ElementExpr::Kind::Index) {
    scalar = linalg::IndexOp::create(
        body, loc, cast<AffineDimExpr>(expr->indices.front()).getPosition());
  } else {
    SmallVector<Value> operands;
    for (Expr operand : expr->operands)
      operands.push_back(emitScalar(operand, body, arguments, scalars));
    OperationState state(loc, *expr->name, operands, expr->type);
    if (expr->attributes)
      state.addAttributes(expr->attributes.getValue());
    scalar = body.create(state)->getResult(0);
  }
  scalars[expr] = scalar;
  return scalar;
}

ElementEmitter::Operand ElementEmitter::createOperand(Expr load) {
  MLIRContext *context = builder.getContext();
  int64_t rank = elements.getRank();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, context);
  if (Value tensor = tensors.lookup(load))
    return {tensor, identity};
  for (Value tensor : elements.getTensors(load))
    if (tensor != root)
      return {tensor, identity};

  Value tensor = load->value;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes;
  bool isWhole = true;
  for (auto [axis, index] : llvm::enumerate(load->indices)) {
    auto position = static_cast<int64_t>(axis);
    auto dim = dyn_cast<AffineDimExpr>(index);
    Extent extent =
        dim ? elements.getShape()[dim.getPosition()] : Extent{1, Value(), 0};
    // What is read at one index may be larger than that.
    isWhole &= !dim || elements.areEqual(
                           ElementWalker::getExtent(tensor, position), extent);
    sizes.push_back(extent.isStatic()
                        ? OpFoldResult(builder.getIndexAttr(extent.size))
                        : createRootSize(extent.axis));
  }
  if (!isWhole) {
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    tensor = tensor::ExtractSliceOp::create(builder, root.getLoc(), tensor,
                                            offsets, sizes, strides);
  }
  return {tensor, AffineMap::get(rank, 0, load->indices, context)};
}

OpFoldResult ElementEmitter::createRootSize(int64_t axis) {
  auto op = cast<linalg::LinalgOp>(root.getOwner());
  Value init = op.getDpsInitOperand(root.getResultNumber())->get();
  return tensor::getMixedSize(builder, root.getLoc(), init, axis);
}

OpResult ElementEmitter::emit(Expr expr) {
  Location loc = root.getLoc();
  auto op = cast<linalg::LinalgOp>(root.getOwner());
  Value init = op.getDpsInitOperand(root.getResultNumber())->get();
  int64_t rank = cast<RankedTensorType>(root.getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);

  SetVector<Expr> visited, loads;
  collectLoads(expr, tensors, visited, loads);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (Expr load : loads) {
    Operand operand = createOperand(load);
    inputs.push_back(operand.tensor);
    maps.push_back(operand.map);
  }
  // A part of a tensor needs no copy.
  if (expr->isLoad() && maps.front() == identity)
    if (auto part = inputs.front().getDefiningOp<tensor::ExtractSliceOp>())
      return cast<OpResult>(part.getResult());
  maps.push_back(identity);
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, init), expr->type);
  auto generic = linalg::GenericOp::create(
      builder, loc, empty.getType(), inputs, empty, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &body, Location, ValueRange arguments) {
        DenseMap<Expr, Value> known, scalars;
        for (auto [load, argument] : llvm::zip(loads, arguments))
          known[load] = argument;
        linalg::YieldOp::create(body, loc,
                                emitScalar(expr, body, known, scalars));
      });
  return cast<OpResult>(generic.getResult(0));
}
