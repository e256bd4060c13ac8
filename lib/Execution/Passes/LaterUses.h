//===- LaterUses.h --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the contents of a tensor's buffer matter after an op, and which other
// tensors may share it: what must be known before the op's own buffer takes the
// tensor's place.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_PASSES_LATERUSES_H
#define FRIT_LIB_EXECUTION_PASSES_LATERUSES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

namespace mlir::frit {

/// True unless every use of `tensor`, and of each value that may come to lie in
/// the same buffer, is `op` itself, inside it or sure to be over when it runs.
/// One-shot analysis does not see that an op which writes to a memref
/// overwrites the tensors that lie there. The uses of `except`, which is what
/// `op` makes of the tensor, are left out.
bool mayBeUsedAfter(Value tensor, Operation *op, Value except = {});

/// The same of a tensor that takes the place of the operands `uses`.
bool mayBeUsedAfter(ArrayRef<OpOperand *> uses, Operation *op,
                    Value except = {});

/// True unless every value that may come to lie in the buffer of a tensor that
/// takes the place of the operands `uses` is made of that tensor, whichever
/// branch runs. One-shot analysis takes a branch's other value to be in that
/// buffer as well, from the start on, and gives up where a copy to it comes
/// between the other value and its last use. The uses of `except` are left out.
bool mayBeAnotherTensor(ArrayRef<OpOperand *> uses, Value except = {});

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_PASSES_LATERUSES_H
