//===- OnHost.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an op of a graph runs that is compiled for a device.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_ONHOST_H
#define FRIT_TRANSFORMS_ONHOST_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::frit {

/// Whether a device never runs an op by itself: not in a parallel loop, nor
/// where a value may decide that only the device has.
inline bool isOnHost(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa<scf::ForOp>(parent))
    parent = parent->getParentOp();
  return isa<FunctionOpInterface>(parent);
}

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_ONHOST_H
