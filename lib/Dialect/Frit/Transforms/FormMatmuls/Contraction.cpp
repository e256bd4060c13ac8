//===- Contraction.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells by its maps and its body which matmul a contraction is.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "OperandView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

/// The product whose sum the body of an op yields; null where it yields
/// something else.
struct Body {
  arith::MulFOp product;
  arith::AddFOp sum;

  static Value skipExtension(Value value) {
    auto extension = value.getDefiningOp<arith::ExtFOp>();
    return extension ? extension.getIn() : value;
  }

  static Body of(linalg::LinalgOp op) {
    Block *block = op.getBlock();
    auto sum =
        block->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
    if (!sum)
      return {};
    Value old = block->getArgument(2);
    Value term = sum.getLhs() == old   ? sum.getRhs()
                 : sum.getRhs() == old ? sum.getLhs()
                                       : Value();
    if (!term)
      return {};
    auto product = skipExtension(term).getDefiningOp<arith::MulFOp>();
    if (!product)
      return {};
    Value lhs = skipExtension(product.getLhs());
    Value rhs = skipExtension(product.getRhs());
    Value first = block->getArgument(0), second = block->getArgument(1);
    if ((lhs != first || rhs != second) && (lhs != second || rhs != first))
      return {};
    return {product, sum};
  }
};

/// What a loop is to the matmul.
enum class Role { Batch, Row, Column, Term };

} // namespace

bool frit::isSumOfProducts(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op.getNumDpsInputs() == 2 &&
         op.getNumDpsInits() == 1 && op.getNumReductionLoops() == 1 &&
         Body::of(op).product;
}

/// Whether the sum and its products are in f32.
static LogicalResult checkTypes(linalg::LinalgOp op, std::string &reason) {
  Body body = Body::of(op);
  if (!body.sum.getType().isF32()) {
    reason = llvm::formatv("sums in {0}, which rounds every term, not in f32",
                           body.sum.getType());
    return failure();
  }
  if (!body.product.getType().isF32()) {
    reason =
        llvm::formatv("rounds its products to {0}", body.product.getType());
    return failure();
  }
  return success();
}

/// Reads the order of a factor's dimensions: the batch first if it has one,
/// then the sum and the dimension of the result in either order.
static LogicalResult matchOrder(const OperandView &view, ArrayRef<Role> roles,
                                Role own, bool &termsFirst) {
  ArrayRef<unsigned> loops = view.loops;
  if (loops.size() == 3 && roles[loops.front()] == Role::Batch)
    loops = loops.drop_front();
  if (loops.size() != 2)
    return failure();
  Role first = roles[loops[0]], second = roles[loops[1]];
  termsFirst = first == Role::Term;
  return success((termsFirst && second == own) ||
                 (first == own && second == Role::Term));
}

FailureOr<MatmulForm> frit::matchMatmul(linalg::LinalgOp op,
                                        std::string &reason) {
  if (failed(checkTypes(op, reason)))
    return failure();
  reason = "reads or writes its operands in an order of dimensions that is no "
           "matmul's";
  std::optional<OperandView> a = OperandView::of(op, *op.getDpsInputOperand(0));
  std::optional<OperandView> b = OperandView::of(op, *op.getDpsInputOperand(1));
  std::optional<OperandView> out =
      OperandView::of(op, *op.getDpsInitOperand(0));
  if (!a || !b || !out || out->loops.size() < 2 || out->loops.size() > 3 ||
      op.getNumLoops() != out->loops.size() + 1)
    return failure();

  // By element type: in the narrow one where both factors were converted.
  OperandView narrowA = a->followCopies(/*widens=*/true);
  OperandView narrowB = b->followCopies(/*widens=*/true);
  if (narrowA.getElementType() == narrowB.getElementType()) {
    a = narrowA;
    b = narrowB;
  } else {
    a = a->followCopies(/*widens=*/false);
    b = b->followCopies(/*widens=*/false);
  }
  if (a->getElementType() != b->getElementType()) {
    reason = llvm::formatv("multiplies {0} by {1}", a->getElementType(),
                           b->getElementType());
    return failure();
  }
  if (!isa<Float32Type, Float16Type, BFloat16Type>(a->getElementType())) {
    reason =
        llvm::formatv("multiplies elements of type {0}", a->getElementType());
    return failure();
  }

  // The result is [batch,] rows, columns; the rows are the left factor's.
  unsigned rows = out->loops[out->loops.size() - 2];
  if (!llvm::is_contained(a->loops, rows))
    std::swap(a, b);
  SmallVector<Role> roles(op.getNumLoops(), Role::Term);
  if (out->loops.size() == 3)
    roles[out->loops.front()] = Role::Batch;
  roles[rows] = Role::Row;
  roles[out->loops.back()] = Role::Column;
  MatmulForm form{a->tensor, b->tensor};
  bool startsByTerms = false;
  if (failed(matchOrder(*a, roles, Role::Row, form.transposesA)) ||
      failed(matchOrder(*b, roles, Role::Column, startsByTerms)))
    return failure();
  form.transposesB = !startsByTerms;
  // A batch of one and the same matmul is no matmul of a batch.
  if (out->loops.size() == 3 && a->loops.size() == 2 && b->loops.size() == 2)
    return failure();
  return form;
}
