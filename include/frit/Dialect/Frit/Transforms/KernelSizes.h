//===- KernelSizes.h - Sizes of ops as values -------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that computes what conditions and launch plans of kernels say about the
// sizes of an op.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_TRANSFORMS_KERNELSIZES_H
#define FRIT_DIALECT_FRIT_TRANSFORMS_KERNELSIZES_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/IR/Builders.h"

namespace mlir::frit {

/// Computes an expression over the sizes of a shape, of type index. `extra` is
/// the value of the symbol after those of the shape; null where `expr` does not
/// use it.
Value buildSizeExpr(OpBuilder &builder, Location loc, AffineExpr expr,
                    const KernelShape &shape, Value extra = {});

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_TRANSFORMS_KERNELSIZES_H
