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
  /// Emits tensors of the shape of the walker's root, the result of a linalg
  /// op.
  ElementEmitter(OpBuilder &builder, const ElementWalker &elements)
      : builder(builder), elements(elements),
        root(cast<OpResult>(elements.getRoot())) {}

  /// Takes the element of a tensor of the root's shape for an expression.
  void setTensor(ElementWalker::Expr expr, Value tensor) {
    tensors[expr] = tensor;
  }
  /// Whether `emit` can make a tensor of the expression.
  bool canEmit(ElementWalker::Expr expr) const;
  /// A tensor whose element at the root's indices is the expression: the result
  /// of an element-wise linalg.generic, or of tensor.extract_slice where the
  /// expression is an element of a larger tensor.
  OpResult emit(ElementWalker::Expr expr);

private:
  /// An operand of the generic.
  struct Operand {
    Value tensor;
    AffineMap map;
  };
  /// The tensor that an element is read from: one with the root's shape where
  /// there is one, else the part of the tensor that the root's indices cover.
  Operand createOperand(ElementWalker::Expr load);
  /// The size of an axis of the root.
  OpFoldResult createRootSize(int64_t axis);
  /// The scalar that an expression is in the body of the generic.
  Value emitScalar(ElementWalker::Expr expr, OpBuilder &body,
                   const DenseMap<ElementWalker::Expr, Value> &arguments,
                   DenseMap<ElementWalker::Expr, Value> &scalars);

  OpBuilder &builder;
  const ElementWalker &elements;
  OpResult root;
  DenseMap<ElementWalker::Expr, Value> tensors;
};

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_RAISE_ELEMENTEMITTER_H
