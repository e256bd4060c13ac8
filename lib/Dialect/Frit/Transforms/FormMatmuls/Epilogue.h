//===- Epilogue.h -----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is done to a matmul's f32 sum and can be part of it: a bias or a tensor
// that is added, and the rounding to another type.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_FORMMATMULS_EPILOGUE_H
#define FRIT_TRANSFORMS_FORMMATMULS_EPILOGUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::frit {

/// An elementwise op behind a matmul.
struct Epilogue {
  linalg::LinalgOp op;
  /// Of the op's element type, as far as it adds something: a vector that is
  /// added to each row, or a tensor of the op's shape.
  Value bias, old;
};

/// The only user of a matmul's f32 result, if frit.matmul can take its part for
/// factors of type `elementType`. It rounds once, as the op itself does.
std::optional<Epilogue> matchEpilogue(OpResult sum, Type elementType);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_FORMMATMULS_EPILOGUE_H
