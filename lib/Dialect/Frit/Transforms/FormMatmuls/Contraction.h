//===- Contraction.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions of linalg that are one matmul, or a batch of them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_FORMMATMULS_CONTRACTION_H
#define FRIT_TRANSFORMS_FORMMATMULS_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace mlir::frit {

/// A matmul as frit.matmul has it. The factors are what the contraction's
/// operands are made of: before copies into another order of dimensions, and
/// before conversions to f32 that both went through.
struct MatmulForm {
  Value a, b;
  bool transposesA = false, transposesB = false;
};

/// True for sums of products of two operands along one axis, in floats: what
/// could be a matmul.
bool isSumOfProducts(linalg::LinalgOp op);

/// The matmul that a sum of products is; a reason, to follow "it", where it is
/// none.
FailureOr<MatmulForm> matchMatmul(linalg::LinalgOp op, std::string &reason);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_FORMMATMULS_CONTRACTION_H
