//===- VectorWidth.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The option `vector-width` of the passes that make vector code.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_VECTORWIDTH_H
#define FRIT_LIB_CONVERSION_UTILS_VECTORWIDTH_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::frit {

/// Emits an error that names the pass unless `width` is a number of bits that
/// vector registers can have.
inline LogicalResult verifyVectorWidth(MLIRContext *context, StringRef pass,
                                       unsigned width) {
  if (width >= 128 && width <= 2048 && llvm::isPowerOf2_32(width))
    return success();
  return emitError(UnknownLoc::get(context))
         << pass << ": vector-width is " << width
         << ", expected a power of two from 128 to 2048";
}

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_VECTORWIDTH_H
