//===- ElementEmitter.h - From element expressions to IR --------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a tensor of an expression that is no tensor of its own, where a linalg
// op computes what is raised together with what is not.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_RAISE_ELEMENTEMITTER_H
#define FRIT_TRANSFORMS_RAISE_ELEMENTEMITTER_H

#include "ElementWalker.h"

#include "mlir/IR/Builders.h"

namespace mlir::frit {

class ElementEmitter {
public:
  /// Emits tensors of `root`'s shape, the result of a linalg op.
  ElementEmitter(OpBuilder &builder, OpResult root)
      : builder(builder), root(root) {}

  /// Takes the element of a tensor of the root's shape for an expression.
  void setTensor(ElementWalker::Expr expr, Value tensor) {
    tensors[expr] = tensor;
  }
  /// Whether `emit` can make a tensor of the expression.
  bool canEmit(ElementWalker::Expr expr) const;
  /// An element-wise linalg.generic whose element at the root's indices is the
  /// expression.
  OpResult emit(ElementWalker::Expr expr);

private:
  /// The scalar that an expression is in the body of the generic.
  Value emitScalar(ElementWalker::Expr expr, OpBuilder &body,
                   const DenseMap<ElementWalker::Expr, Value> &arguments,
                   DenseMap<ElementWalker::Expr, Value> &scalars);

  OpBuilder &builder;
  OpResult root;
  DenseMap<ElementWalker::Expr, Value> tensors;
};

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_ELEMENTEMITTER_H
