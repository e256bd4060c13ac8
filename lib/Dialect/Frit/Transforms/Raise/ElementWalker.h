//===- ElementWalker.h - From IR to element expressions ---------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks from an element of a tensor back to what it is computed from. What only
// moves elements (casts, slices with static offsets, reshapes, transposes,
// broadcasts, fills, generics that yield an argument) is seen through at once.
// What computes them is seen through one linalg op at a time, by `expand`, so
// that a matcher stops where its pattern ends.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_ELEMENTWALKER_H
#define FRIT_TRANSFORMS_RAISE_ELEMENTWALKER_H

#include "ElementExpr.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Allocator.h"

namespace mlir::frit {

class ElementWalker {
public:
  using Expr = const ElementExpr *;
  /// A linalg op with more ops in its body is not seen through, and neither is
  /// a scalar that takes more steps. Formulas have some 20 ops, also fused.
  static constexpr unsigned kMaxBodyOps = 1024;

  /// A walker whose dims are the indices of `root`, a ranked tensor.
  explicit ElementWalker(Value root);
  ElementWalker(const ElementWalker &) = delete;
  ElementWalker &operator=(const ElementWalker &) = delete;

  Value getRoot() const { return root; }
  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  /// The sizes of the root's axes.
  ArrayRef<Extent> getShape() const { return shape; }
  /// The dims d0, d1, ... of the root; 0 for an axis of size 1.
  ArrayRef<AffineExpr> getIdentity() const { return identity; }

  /// The element of the root at its own indices.
  Expr getRootElement() { return load(root, identity); }
  /// The element of a tensor at these indices.
  Expr load(Value tensor, ArrayRef<AffineExpr> indices) {
    return load(tensor, indices, /*isNoted=*/true);
  }
  /// A scalar of the IR.
  Expr scalar(Value value) { return scalar(value, /*depth=*/0); }
  /// A float op on expressions; what changes nothing (casts there and back,
  /// a product with 1, a sum with 0) is left out.
  Expr makeOp(OperationName name, Type type, ArrayRef<Expr> operands,
              DictionaryAttr attributes = {}, Value value = {});
  Expr makeReduce(OperationName name, Expr body, Expr init,
                  unsigned firstSymbol, ArrayRef<Extent> extents);
  Expr makeConstant(TypedAttr constant);

  /// The expression that an element is computed by; null if it is not
  /// the result of a linalg op on tensors that can be seen through.
  Expr expand(Expr load);
  /// Expands until the node is no element of a tensor, or cannot be expanded.
  Expr peel(Expr expr);

  /// The expression with `dims[i]` (those not null) in place of dim i.
  Expr substituteDims(Expr expr, ArrayRef<AffineExpr> dims);
  /// The expression at index `index` of the last axis of the root.
  Expr atLastIndex(Expr expr, AffineExpr index);
  /// Whether two expressions are the same value, expanding as needed.
  bool areEqual(Expr lhs, Expr rhs);
  /// Whether two sizes are the same; false if that is not known.
  bool areEqual(const Extent &lhs, const Extent &rhs) const;
  /// Whether a linalg op has more than `kMaxBodyOps` ops in its body.
  static bool isLarge(linalg::LinalgOp op);
  /// The size of an axis of a tensor.
  static Extent getExtent(Value tensor, int64_t axis);

  /// Tensors of the root's shape whose element at the root's indices is
  /// `expr`, as far as they were met: what an operand can be taken from. The
  /// nearest to the root is first.
  ArrayRef<Value> getTensors(Expr expr) const;

private:
  struct Body;
  /// `load`; the tensors passed are not noted for `getTensors` if not
  /// `isNoted`.
  Expr load(Value tensor, ArrayRef<AffineExpr> indices, bool isNoted);
  /// Whether a tensor of this type whose elements are read at the root's
  /// indices has no others.
  bool mayHaveShapeOfRoot(RankedTensorType type) const;
  /// `scalar`, of what is computed from it in `depth` steps.
  Expr scalar(Value value, unsigned depth);
  /// The interned node with these contents; `contents` owns nothing.
  Expr intern(ElementExpr contents);
  /// The loops of a linalg op in terms of the indices of a result; failure
  /// if the result's map is no projection. Loops that run over nothing that the
  /// result has get symbols from `firstSymbol` on, and their sizes go to
  /// `extents`.
  FailureOr<SmallVector<AffineExpr>>
  getLoops(linalg::LinalgOp op, OpOperand *init, ArrayRef<AffineExpr> indices,
           unsigned firstSymbol, SmallVectorImpl<Extent> &extents);
  Expr evaluate(Value value, Body &body);
  Expr evaluateOp(Operation *op, ArrayRef<Expr> operands);
  Expr computeScalar(Value value, unsigned depth);
  Expr computeExpansion(Expr load);
  Expr substitute(Expr expr, ArrayRef<AffineExpr> dims,
                  ArrayRef<AffineExpr> symbols, DenseMap<Expr, Expr> &memo);
  bool areEqualNodes(Expr lhs, Expr rhs, unsigned depth);
  /// Simplified with the known ranges of dims and symbols.
  AffineExpr simplify(AffineExpr expr);
  void boundSymbol(unsigned symbol, const Extent &extent);

  Value root;
  SmallVector<Extent> shape;
  SmallVector<AffineExpr> identity;
  /// The largest index of each symbol, over all sums that bind it; none where
  /// it is not known.
  SmallVector<std::optional<int64_t>> symbolBounds;
  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<ElementExpr> nodes;
  unsigned numNodes = 0;
  DenseMap<Expr, Expr> expansions;
  DenseMap<Value, Expr> scalars;
  DenseMap<Expr, SmallVector<Value, 2>> tensors;
  DenseMap<std::pair<Expr, Expr>, bool> equalities;
};

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_ELEMENTWALKER_H
