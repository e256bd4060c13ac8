//===- ElementExpr.h - An element of a tensor as an expression --*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one element of a tensor is computed from: a tree of scalar operations
// over elements of other tensors. It is what raising matches on: how the
// operations were spread over linalg ops, which operand of a sum came first and
// which casts and reshapes stood between does not show in it.
//
// An element is named by one affine expression an axis. Their dims are the
// indices of the root that is raised (see ElementWalker); their symbols are the
// indices that sums run over. A sum binds the symbols from the first that its
// body does not have from outside, so that equal sums are equal nodes.
//
// Nodes are unique in their walker: equal nodes are the same pointer.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_ELEMENTEXPR_H
#define FRIT_TRANSFORMS_RAISE_ELEMENTEXPR_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/FoldingSet.h"

namespace mlir::frit {

/// The size of an axis: a number, or what a tensor has at run time.
struct Extent {
  int64_t size = ShapedType::kDynamic;
  /// Where the size is dynamic: the tensor and its axis.
  Value tensor;
  int64_t axis = 0;

  bool isStatic() const { return !ShapedType::isDynamic(size); }
  bool operator==(const Extent &other) const {
    return size == other.size && tensor == other.tensor && axis == other.axis;
  }
};

class ElementExpr : public llvm::FoldingSetNode {
public:
  enum class Kind {
    /// The element `indices` of the tensor `value`.
    Load,
    /// A scalar that nothing is known of.
    Scalar,
    /// The number `constant`.
    Constant,
    /// The index `indices[0]`.
    Index,
    /// The partial result that an iteration of a reduction starts from.
    Carry,
    /// `operands[1]`, and all values of `operands[0]` for the symbols
    /// [firstSymbol, firstSymbol + extents.size()), combined by op `name`.
    Reduce,
    /// The op `name` with `attributes` on `operands`; tensor.extract also
    /// has its tensor as `value`.
    Op,
  };

  Kind kind;
  Type type;
  Value value;
  Attribute constant;
  std::optional<OperationName> name;
  DictionaryAttr attributes;
  unsigned firstSymbol = 0;
  /// Order of creation: the operands of a commutative op are sorted by it.
  unsigned id = 0;
  ArrayRef<AffineExpr> indices;
  ArrayRef<const ElementExpr *> operands;
  ArrayRef<Extent> extents;

  bool isLoad() const { return kind == Kind::Load; }
  bool isConstant() const { return kind == Kind::Constant; }
  bool isReduce() const { return kind == Kind::Reduce; }

  /// Whether this is an op of one of these kinds.
  template <typename... Ops> bool is() const {
    return kind == Kind::Op && (isNamed<Ops>() || ...);
  }
  /// Whether this combines values with an op of this kind.
  template <typename Op> bool isReduceOf() const {
    return kind == Kind::Reduce && isNamed<Op>();
  }
  const ElementExpr *getOperand(unsigned i) const { return operands[i]; }
  /// The attribute of an op; null if it has none of that name.
  template <typename Attr> Attr getAttr(StringRef attrName) const {
    return attributes ? attributes.getAs<Attr>(attrName) : Attr();
  }
  /// The terms of a sum, and what is added to it.
  const ElementExpr *getBody() const { return operands[0]; }
  const ElementExpr *getInit() const { return operands[1]; }

  // The name is llvm::FoldingSet's.
  // NOLINTNEXTLINE(readability-identifier-naming)
  void Profile(llvm::FoldingSetNodeID &id) const;

private:
  template <typename Op> bool isNamed() const {
    return name->getStringRef() == Op::getOperationName();
  }
};

/// The first symbol that is above all that occur.
unsigned getFirstFreeSymbol(ArrayRef<AffineExpr> indices);
/// The first symbol that is above all below `limit` that occur without being
/// bound by a sum inside.
unsigned
getFirstFreeSymbol(const ElementExpr *expr,
                   unsigned limit = std::numeric_limits<unsigned>::max());

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_ELEMENTEXPR_H
