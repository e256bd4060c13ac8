//===- Text.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strings and places of sources as the C API shows them.
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::frit;

FritLocation Text::keep(Location location) {
  auto place = location->findInstanceOf<FileLineColRange>();
  if (!place)
    return {"", 0, 0};
  return {keep(place.getFilename().getValue()),
          static_cast<int32_t>(place.getStartLine()),
          static_cast<int32_t>(place.getStartColumn())};
}
