//===- Origin.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locations that say which Frit op a piece of code was made from. They survive
// every lowering, so code can be judged by frit-verify-numerics at any stage.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_TRANSFORMS_ORIGIN_H
#define FRIT_DIALECT_FRIT_TRANSFORMS_ORIGIN_H

#include "frit/Dialect/Frit/IR/Frit.h"

namespace mlir::frit {

/// The location of `op` fused with the origin `#frit.origin<name of op, mode>`.
Location getOriginLoc(Operation *op, FpMode mode);

/// The origin that a location carries, also inside call sites, names and
/// fusions that later passes wrapped around it; null where there is none. Of
/// several, a strict one counts.
OriginAttr getOrigin(Location loc);

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_TRANSFORMS_ORIGIN_H
