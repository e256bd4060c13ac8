//===- ActivationSlices.h ---------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows that the gated activations read and write.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOVECTOR_ACTIVATIONSLICES_H
#define FRIT_LIB_CONVERSION_FRITTOVECTOR_ACTIVATIONSLICES_H

#include "RowLoop.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::frit {

/// The columns that are worth a thread's start: several microseconds of work.
constexpr int64_t activationGrain = 16384;

/// The operands of a gated activation by row: out, gate, up.
template <typename OpTy>
SmallVector<RowSlice> getActivationSlices(OpTy op, OpBuilder &builder) {
  OpFoldResult zero = builder.getIndexAttr(0);
  OpFoldResult columns =
      memref::getMixedSizes(builder, op.getLoc(), op.getOut()).back();
  Value up = op.isPacked() ? op.getX() : op.getUp();
  return {{op.getOut(), zero, columns},
          {op.getGate(), zero, columns},
          {up, op.isPacked() ? columns : zero, columns}};
}

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOVECTOR_ACTIVATIONSLICES_H
