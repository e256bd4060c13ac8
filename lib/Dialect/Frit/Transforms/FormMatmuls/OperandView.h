//===- OperandView.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor as the loops of a linalg op read it, followed through copies.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_FORMMATMULS_OPERANDVIEW_H
#define FRIT_TRANSFORMS_FORMMATMULS_OPERANDVIEW_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::frit {

struct OperandView {
  Value tensor;
  /// The loop that each dimension of the tensor is read along.
  SmallVector<unsigned, 4> loops;

  /// None where the op does not read the operand once along each of some loops.
  static std::optional<OperandView> of(linalg::LinalgOp op, OpOperand &operand);

  /// The view of what the tensor is a copy of: by ops that change nothing but
  /// the order and the number of dimensions and, with `widens`, convert to f32.
  OperandView followCopies(bool widens) const;

  Type getElementType() const {
    return cast<RankedTensorType>(tensor.getType()).getElementType();
  }

private:
  /// One step; false where the tensor is no copy.
  bool followCopy(bool widens);
};

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_FORMMATMULS_OPERANDVIEW_H
