//===- Widening.h -----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of an operand in the type of the sum.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_CONTRACTIONTOVECTOR_WIDENING_H
#define FRIT_LIB_CONVERSION_CONTRACTIONTOVECTOR_WIDENING_H

#include "../Utils/VectorEmitter.h"

namespace mlir::frit {

/// Allocates a row-major memref of the shape of `memref` and of the sum type
/// and fills it, rows in parallel; null where that is the type already. The
/// caller deallocates it.
Value emitWidened(VectorEmitter &e, Value memref);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_CONTRACTIONTOVECTOR_WIDENING_H
