//===- Compilation.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One compilation, from a source to a program.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CAPI_COMPILER_COMPILATION_H
#define FRIT_LIB_CAPI_COMPILER_COMPILATION_H

#include "Program.h"
#include "Reporting.h"

#include "frit/Execution/Compiler.h"

namespace mlir::frit {

/// Has a context of its own, so that compilations share nothing and leave
/// nothing behind.
class Compilation {
public:
  Compilation(const DialectRegistry &registry,
              const FritCompilerOptions &handlers,
              const FritCompileOptions &options);

  /// Compiles the main buffer of `sources`. Null after `fail`.
  std::unique_ptr<FritProgram>
  run(const std::shared_ptr<llvm::SourceMgr> &sources, FritStatus &status);

private:
  FritStatus readOptions();
  FritStatus parse(const std::shared_ptr<llvm::SourceMgr> &sources);
  FritStatus choose();
  FritStatus generate();
  /// The functions that become entries.
  llvm::Expected<SmallVector<func::FuncOp>> findEntries();
  /// Fails with the errors that were reported.
  FritStatus failAsReported();

  bool hasFlag(FritCompileFlags flag) const { return options.flags & flag; }

  const FritCompilerOptions &handlers;
  const FritCompileOptions &options;
  MLIRContext context;
  DiagnosticReporter reporter;
  CompileTarget target;
  CompileOptions compileOptions;
  OwningOpRef<ModuleOp> module;
  SmallVector<std::string> entryNames;
  std::unique_ptr<FritProgram> program;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CAPI_COMPILER_COMPILATION_H
