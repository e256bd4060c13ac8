//===- Text.h ---------------------------------------------------*- C++ -*-===//
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

#ifndef FRIT_LIB_CAPI_COMPILER_TEXT_H
#define FRIT_LIB_CAPI_COMPILER_TEXT_H

#include "frit-c/Compiler.h"

#include "mlir/IR/Location.h"

#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"

namespace mlir::frit {

/// Keeps C strings, each text once.
class Text {
public:
  /// A copy that ends with a zero and lives as long as this object.
  const char *keep(const llvm::Twine &text) { return saver.save(text).data(); }

  /// The first place in a file that `location` has.
  FritLocation keep(Location location);

private:
  llvm::BumpPtrAllocator allocator;
  llvm::UniqueStringSaver saver{allocator};
};

} // namespace mlir::frit

#endif // FRIT_LIB_CAPI_COMPILER_TEXT_H
