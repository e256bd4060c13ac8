//===- ElementEquality.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element expressions at other indices, and whether two are the same value.
//
//===----------------------------------------------------------------------===//

#include "ElementWalker.h"

#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

/// How far two expressions are compared before they count as different. Gates
/// and projections are some 20 deep.
static constexpr unsigned kMaxDepth = 256;

Expr ElementWalker::substitute(Expr expr, ArrayRef<AffineExpr> dims,
                               ArrayRef<AffineExpr> symbols,
                               DenseMap<Expr, Expr> &memo) {
  if (Expr known = memo.lookup(expr))
    return known;
  SmallVector<AffineExpr> indices;
  for (AffineExpr index : expr->indices)
    indices.push_back(index.replaceDimsAndSymbols(dims, symbols));

  Expr result = expr;
  if (expr->isLoad()) {
    result = load(expr->value, indices, /*isNoted=*/false);
  } else if (expr->kind == ElementExpr::Kind::Index) {
    ElementExpr node(*expr);
    node.indices = indices;
    result = intern(node);
  } else if (expr->isReduce()) {
    // The bound symbols move above all that come in from outside.
    unsigned first = std::max({expr->firstSymbol, getFirstFreeSymbol(dims),
                               getFirstFreeSymbol(symbols)});
    MLIRContext *context = root.getContext();
    SmallVector<AffineExpr> inner(symbols);
    for (unsigned k = inner.size(); k < expr->firstSymbol; ++k)
      inner.push_back(getAffineSymbolExpr(k, context));
    inner.resize(expr->firstSymbol);
    for (auto [i, extent] : llvm::enumerate(expr->extents)) {
      inner.push_back(getAffineSymbolExpr(first + i, context));
      boundSymbol(first + i, extent);
    }
    DenseMap<Expr, Expr> innerMemo;
    Expr body = substitute(expr->getBody(), dims, inner, innerMemo);
    Expr init = substitute(expr->getInit(), dims, symbols, memo);
    result = makeReduce(*expr->name, body, init, first, expr->extents);
  } else if (expr->kind == ElementExpr::Kind::Op) {
    SmallVector<Expr> operands;
    for (Expr operand : expr->operands)
      operands.push_back(substitute(operand, dims, symbols, memo));
    result = makeOp(*expr->name, expr->type, operands, expr->attributes,
                    expr->value);
  }
  memo[expr] = result;
  return result;
}

Expr ElementWalker::substituteDims(Expr expr, ArrayRef<AffineExpr> dims) {
  SmallVector<AffineExpr> all;
  for (auto [k, dim] : llvm::enumerate(dims))
    all.push_back(dim ? dim : getAffineDimExpr(k, root.getContext()));
  DenseMap<Expr, Expr> memo;
  return substitute(expr, all, {}, memo);
}

Expr ElementWalker::atLastIndex(Expr expr, AffineExpr index) {
  SmallVector<AffineExpr> dims(shape.size());
  dims.back() = index;
  return substituteDims(expr, dims);
}

bool ElementWalker::areEqual(const Extent &lhs, const Extent &rhs) const {
  if (lhs == rhs)
    return true;
  if (lhs.isStatic() && rhs.isStatic())
    return false;
  using Variable = ValueBoundsConstraintSet::Variable;
  auto getVariable = [&](const Extent &extent) {
    return extent.isStatic()
               ? Variable(OpFoldResult(
                     Builder(root.getContext()).getIndexAttr(extent.size)))
               : Variable(extent.tensor, extent.axis);
  };
  FailureOr<bool> equal =
      ValueBoundsConstraintSet::areEqual(getVariable(lhs), getVariable(rhs));
  return succeeded(equal) && *equal;
}

bool ElementWalker::areEqual(Expr lhs, Expr rhs) {
  return areEqualNodes(lhs, rhs, 0);
}

bool ElementWalker::areEqualNodes(Expr lhs, Expr rhs, unsigned depth) {
  if (lhs == rhs)
    return true;
  if (depth > kMaxDepth || lhs->type != rhs->type)
    return false;
  auto [it, isNew] = equalities.try_emplace({lhs, rhs}, false);
  if (!isNew)
    return it->second;
  Expr left = peel(lhs);
  Expr right = peel(rhs);
  bool equal = left == right;
  if (!equal && left->kind == right->kind && left->name == right->name &&
      left->value == right->value && left->constant == right->constant &&
      left->attributes == right->attributes &&
      left->indices == right->indices &&
      left->firstSymbol == right->firstSymbol &&
      left->operands.size() == right->operands.size() &&
      left->extents.size() == right->extents.size() &&
      !left->operands.empty()) {
    equal = llvm::all_of(
        llvm::zip_equal(left->extents, right->extents), [&](auto pair) {
          return areEqual(std::get<0>(pair), std::get<1>(pair));
        });
    auto match = [&](unsigned first) {
      for (unsigned i = 0, e = left->operands.size(); i < e; ++i)
        if (!areEqualNodes(left->getOperand(i),
                           right->getOperand((first + i) % e), depth + 1))
          return false;
      return true;
    };
    bool commutes = left->kind == ElementExpr::Kind::Op &&
                    left->name->hasTrait<OpTrait::IsCommutative>();
    equal = equal && (match(0) || (commutes && match(1)));
  }
  equalities[{lhs, rhs}] = equal;
  return equal;
}
