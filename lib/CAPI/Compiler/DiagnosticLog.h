//===- DiagnosticLog.h - What compilations said -----------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The diagnostics of a thread's last compilation, for callers who would rather
// read them afterwards than receive them while the compiler runs: in a language
// whose callbacks must not fail, such as Python.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CAPI_COMPILER_DIAGNOSTICLOG_H
#define FRIT_LIB_CAPI_COMPILER_DIAGNOSTICLOG_H

#include "frit-c/Compiler.h"

#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"

#include <vector>

namespace mlir::frit {

class DiagnosticLog {
public:
  /// The log of the calling thread.
  static DiagnosticLog &get();

  /// Forgets everything; pointers of `at` end.
  void clear();

  /// Adds a copy.
  void add(const FritDiagnostic &diagnostic);

  int32_t size() const { return static_cast<int32_t>(diagnostics.size()); }

  /// Null if `index` is out of range.
  const FritDiagnostic *at(int32_t index) const;

private:
  llvm::BumpPtrAllocator allocator;
  std::vector<FritDiagnostic> diagnostics;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CAPI_COMPILER_DIAGNOSTICLOG_H
