//===- Origin.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes and reads the origin of code in its location.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Origin.h"

using namespace mlir;
using namespace mlir::frit;

Location frit::getOriginLoc(Operation *op, FpMode mode) {
  MLIRContext *context = op->getContext();
  auto origin = OriginAttr::get(context, op->getName().getStringRef(), mode);
  return FusedLoc::get(context, {op->getLoc()}, origin);
}

OriginAttr frit::getOrigin(Location loc) {
  OriginAttr found;
  loc->walk([&](Location part) {
    auto fused = dyn_cast<FusedLoc>(part);
    auto origin = fused ? dyn_cast_or_null<OriginAttr>(fused.getMetadata())
                        : OriginAttr();
    if (!origin)
      return WalkResult::advance();
    found = origin;
    return origin.getMode() == FpMode::Strict ? WalkResult::interrupt()
                                              : WalkResult::advance();
  });
  return found;
}
