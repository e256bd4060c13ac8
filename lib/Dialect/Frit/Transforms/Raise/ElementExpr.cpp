//===- ElementExpr.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes of element expressions: identity, free symbols, and the construction
// of ops and sums in normal form.
//
//===----------------------------------------------------------------------===//

#include "ElementExpr.h"

#include "ElementWalker.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::frit;

using Expr = ElementWalker::Expr;

void ElementExpr::Profile(llvm::FoldingSetNodeID &id) const {
  id.AddInteger(static_cast<unsigned>(kind));
  id.AddPointer(type.getAsOpaquePointer());
  id.AddPointer(value.getAsOpaquePointer());
  id.AddPointer(constant.getAsOpaquePointer());
  id.AddPointer(name ? name->getAsOpaquePointer() : nullptr);
  id.AddPointer(attributes.getAsOpaquePointer());
  id.AddInteger(firstSymbol);
  id.AddInteger(indices.size());
  for (AffineExpr index : indices)
    id.AddPointer(index.getAsOpaquePointer());
  id.AddInteger(operands.size());
  for (Expr operand : operands)
    id.AddPointer(operand);
  id.AddInteger(extents.size());
  for (const Extent &extent : extents) {
    id.AddInteger(extent.size);
    id.AddPointer(extent.tensor.getAsOpaquePointer());
    id.AddInteger(extent.axis);
  }
}

unsigned frit::getFirstFreeSymbol(ArrayRef<AffineExpr> indices) {
  unsigned first = 0;
  for (AffineExpr index : indices)
    index.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        first = std::max(first, symbol.getPosition() + 1);
    });
  return first;
}

unsigned frit::getFirstFreeSymbol(const ElementExpr *expr, unsigned limit) {
  DenseMap<Expr, unsigned> memo;
  auto visit = [&](auto &&self, Expr node) -> unsigned {
    auto [it, isNew] = memo.try_emplace(node, 0);
    if (!isNew)
      return it->second;
    unsigned first = 0;
    for (AffineExpr index : node->indices)
      index.walk([&](AffineExpr part) {
        if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
          if (symbol.getPosition() < limit)
            first = std::max(first, symbol.getPosition() + 1);
      });
    // What a sum has from outside is below what it binds.
    unsigned bound = node->isReduce() ? node->firstSymbol : limit;
    for (Expr operand : node->operands)
      first = std::max(first, std::min(self(self, operand), bound));
    memo[node] = first;
    return first;
  };
  return visit(visit, expr);
}

Expr ElementWalker::intern(ElementExpr contents) {
  llvm::FoldingSetNodeID id;
  contents.Profile(id);
  void *position = nullptr;
  if (ElementExpr *found = nodes.FindNodeOrInsertPos(id, position))
    return found;
  contents.indices = contents.indices.copy(allocator);
  contents.operands = contents.operands.copy(allocator);
  contents.extents = contents.extents.copy(allocator);
  contents.id = numNodes++;
  auto *node = new (allocator.Allocate<ElementExpr>()) ElementExpr(contents);
  nodes.InsertNode(node, position);
  return node;
}

Expr ElementWalker::makeConstant(TypedAttr constant) {
  ElementExpr node;
  node.kind = ElementExpr::Kind::Constant;
  node.type = constant.getType();
  node.constant = constant;
  return intern(node);
}

/// A cast of a cast as one cast, or none, where that gives the same value.
static std::optional<Expr> simplifyCast(ElementWalker &walker,
                                        OperationName name, Type type,
                                        Expr operand) {
  bool isExtension = name.getStringRef() == arith::ExtFOp::getOperationName();
  bool isTruncation =
      name.getStringRef() == arith::TruncFOp::getOperationName();
  if (!isExtension && !isTruncation)
    return std::nullopt;
  // A number that loses nothing is the same before and after.
  if (auto number = dyn_cast_or_null<FloatAttr>(operand->constant)) {
    APFloat value = number.getValue();
    bool losesInfo = false;
    value.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    if (!losesInfo)
      return walker.makeConstant(FloatAttr::get(type, value));
  }
  // An extension is exact, so that what follows sees the value before it.
  if (!operand->is<arith::ExtFOp>())
    return std::nullopt;
  Expr source = operand->getOperand(0);
  if (source->type == type)
    return source;
  unsigned sourceWidth = source->type.getIntOrFloatBitWidth();
  unsigned width = type.getIntOrFloatBitWidth();
  if (sourceWidth == width)
    return std::nullopt;
  MLIRContext *context = type.getContext();
  StringRef cast = sourceWidth < width ? arith::ExtFOp::getOperationName()
                                       : arith::TruncFOp::getOperationName();
  return walker.makeOp(OperationName(cast, context), type, source);
}

/// The operand that the op returns as it is; null if there is none. Signs of
/// zeros do not count.
static Expr simplifyIdentity(OperationName name, ArrayRef<Expr> operands) {
  StringRef op = name.getStringRef();
  auto isNumber = [](Expr expr, double number) {
    auto attr = dyn_cast_or_null<FloatAttr>(expr->constant);
    return attr && attr.getValueAsDouble() == number;
  };
  if (op == arith::AddFOp::getOperationName())
    return isNumber(operands[0], 0)   ? operands[1]
           : isNumber(operands[1], 0) ? operands[0]
                                      : nullptr;
  if (op == arith::MulFOp::getOperationName())
    return isNumber(operands[0], 1)   ? operands[1]
           : isNumber(operands[1], 1) ? operands[0]
                                      : nullptr;
  if (op == arith::SubFOp::getOperationName())
    return isNumber(operands[1], 0) ? operands[0] : nullptr;
  if (op == arith::DivFOp::getOperationName())
    return isNumber(operands[1], 1) ? operands[0] : nullptr;
  if (op == arith::NegFOp::getOperationName())
    return operands[0]->is<arith::NegFOp>() ? operands[0]->getOperand(0)
                                            : nullptr;
  if (op == arith::SelectOp::getOperationName())
    return operands[1] == operands[2] ? operands[1] : nullptr;
  return nullptr;
}

Expr ElementWalker::makeOp(OperationName name, Type type,
                           ArrayRef<Expr> operands, DictionaryAttr attributes,
                           Value value) {
  if (operands.size() == 1)
    if (std::optional<Expr> simple =
            simplifyCast(*this, name, type, operands[0]))
      return *simple;
  if (Expr simple = simplifyIdentity(name, operands))
    return simple;
  SmallVector<Expr> sorted(operands);
  if (name.hasTrait<OpTrait::IsCommutative>())
    llvm::sort(sorted, [](Expr lhs, Expr rhs) { return lhs->id < rhs->id; });
  ElementExpr node;
  node.kind = ElementExpr::Kind::Op;
  node.type = type;
  node.name = name;
  node.value = value;
  node.attributes = attributes;
  node.operands = sorted;
  return intern(node);
}

Expr ElementWalker::makeReduce(OperationName name, Expr body, Expr init,
                               unsigned firstSymbol, ArrayRef<Extent> extents) {
  // The bound symbols follow those that the body has from outside.
  unsigned first =
      std::max(getFirstFreeSymbol(body, firstSymbol), getFirstFreeSymbol(init));
  if (first < firstSymbol) {
    MLIRContext *context = name.getContext();
    SmallVector<AffineExpr> symbols(firstSymbol, AffineExpr());
    for (auto [i, extent] : llvm::enumerate(extents)) {
      symbols.push_back(getAffineSymbolExpr(first + i, context));
      boundSymbol(first + i, extent);
    }
    DenseMap<Expr, Expr> substituted;
    body = substitute(body, {}, symbols, substituted);
  }
  ElementExpr node;
  node.kind = ElementExpr::Kind::Reduce;
  node.type = body->type;
  node.name = name;
  node.firstSymbol = first;
  Expr parts[] = {body, init};
  node.operands = parts;
  node.extents = extents;
  return intern(node);
}
