//===- Updates.h ----------------------------------------------- -*- C++
//-*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tensor an op updates, also in the branches between which a kernel's
// run-time guard chooses.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_PASSES_UPDATES_H
#define FRIT_LIB_EXECUTION_PASSES_UPDATES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::frit {

/// The tensor that `result` is made of by ops that write to a destination: the
/// destination of its op or, where that is an `scf.if`, the one from outside
/// that every branch updates or passes on. Null where there is none. `uses`
/// gets the uses of that tensor to put another one in its place.
Value findUpdatedTensor(OpResult result, SmallVectorImpl<OpOperand *> &uses);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_PASSES_UPDATES_H
