//===- RoundingMode.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frit's ops round to the nearest even. An op of arith that asks for another
// mode cannot become a part of one.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_TRANSFORMS_ROUNDINGMODE_H
#define FRIT_LIB_DIALECT_FRIT_TRANSFORMS_ROUNDINGMODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

namespace mlir::frit {

/// The rounding mode that an op of arith asks for, where it is not that to the
/// nearest even.
inline std::optional<arith::RoundingMode> getOtherRounding(Operation *op) {
  auto rounding = dyn_cast<arith::ArithRoundingModeInterface>(op);
  arith::RoundingModeAttr mode =
      rounding ? rounding.getRoundingModeAttr() : nullptr;
  if (!mode || mode.getValue() == arith::RoundingMode::to_nearest_even)
    return std::nullopt;
  return mode.getValue();
}

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_TRANSFORMS_ROUNDINGMODE_H
