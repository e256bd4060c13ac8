//===- Reporting.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hands the diagnostics and remarks of one compilation to the caller.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CAPI_COMPILER_REPORTING_H
#define FRIT_LIB_CAPI_COMPILER_REPORTING_H

#include "frit-c/Compiler.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <string>

namespace mlir::frit {

/// Receives the diagnostics of a context while it lives.
class DiagnosticReporter {
public:
  DiagnosticReporter(MLIRContext &context, const FritCompilerOptions &options);

  /// The errors and their notes, one a line.
  StringRef getErrors() const { return StringRef(errors).rtrim(); }

private:
  void report(const Diagnostic &diagnostic);

  const FritCompilerOptions &options;
  std::string errors;
  /// The last diagnostic that is no note was an error.
  bool inError = false;
  ScopedDiagnosticHandler handler;
};

/// Lets a context make remarks, if the caller receives them.
LogicalResult enableRemarks(MLIRContext &context,
                            const FritCompilerOptions &options);

} // namespace mlir::frit

#endif // FRIT_LIB_CAPI_COMPILER_REPORTING_H
