//===- DiagnosticLog.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps diagnostics, and the functions of the C API that give them out.
//
//===----------------------------------------------------------------------===//

#include "DiagnosticLog.h"

using namespace mlir::frit;

DiagnosticLog &DiagnosticLog::get() {
  static thread_local DiagnosticLog log;
  return log;
}

void DiagnosticLog::clear() {
  diagnostics.clear();
  allocator.Reset();
}

void DiagnosticLog::add(const FritDiagnostic &diagnostic) {
  llvm::StringSaver saver(allocator);
  FritDiagnostic kept = diagnostic;
  kept.location.file = saver.save(diagnostic.location.file).data();
  kept.message = saver.save(diagnostic.message).data();
  diagnostics.push_back(kept);
}

const FritDiagnostic *DiagnosticLog::at(int32_t index) const {
  return index >= 0 && index < size() ? &diagnostics[index] : nullptr;
}

int32_t fritCompilerNumDiagnostics(void) { return DiagnosticLog::get().size(); }

const FritDiagnostic *fritCompilerDiagnostic(int32_t index) {
  return DiagnosticLog::get().at(index);
}
