//===- ExportHint.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds ops and types by how they are written, as the text cannot be parsed.
//
//===----------------------------------------------------------------------===//

#include "frit/Support/ExportHint.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::frit;

static std::string getMessage(StringRef name) {
  std::string what = "'" + name.str() + "' is of torch-mlir's own dialects";
  if (name.starts_with("tm_tensor."))
    return what + ", which it has for cumsum, sort and scatter: keep those out "
                  "of the exported module, or pass their results as arguments";
  return what + ": export with output_type=\"linalg-on-tensors\"";
}

std::optional<ExportHint> frit::findExportHint(StringRef text) {
  // Of megabytes of constants nearly all text has neither.
  if (!text.contains("torch.") && !text.contains("torch_c.") &&
      !text.contains("tm_tensor."))
    return std::nullopt;
  // An op after its results or in quotes, or a type.
  static const llvm::Regex pattern(
      "(^|[[:space:]\"!(<])((torch|torch_c|tm_tensor)\\.[A-Za-z_][A-Za-z0-9_.]*"
      ")");
  unsigned number = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    ++number;
    llvm::SmallVector<StringRef> groups;
    if (pattern.match(line.split("//").first, &groups)) {
      auto column = static_cast<unsigned>(groups[2].data() - line.data());
      return ExportHint{number, column + 1, getMessage(groups[2])};
    }
  }
  return std::nullopt;
}

void frit::noteExportHint(MLIRContext *context, llvm::MemoryBufferRef buffer) {
  std::optional<ExportHint> hint = findExportHint(buffer.getBuffer());
  if (!hint)
    return;
  auto place = FileLineColLoc::get(context, buffer.getBufferIdentifier(),
                                   hint->line, hint->column);
  context->getDiagEngine().emit(place, DiagnosticSeverity::Note)
      << hint->message;
}
