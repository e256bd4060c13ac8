//===- ExportHint.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way round for graphs that torch-mlir left in dialects of its own, which
// MLIR's parser refuses by a message that has none.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_SUPPORT_EXPORTHINT_H
#define FRIT_SUPPORT_EXPORTHINT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>
#include <string>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace mlir::frit {

/// What an exporter can do, and where the first op or type of torch-mlir's
/// dialects is. Lines and columns are counted from 1.
struct ExportHint {
  unsigned line;
  unsigned column;
  std::string message;
};

/// Looks through IR text that could not be parsed; none where it has nothing of
/// torch-mlir's dialects.
std::optional<ExportHint> findExportHint(llvm::StringRef text);

/// The same as a note, if there is one.
void noteExportHint(MLIRContext *context, llvm::MemoryBufferRef buffer);

} // namespace mlir::frit

#endif // FRIT_SUPPORT_EXPORTHINT_H
