//===- CompiledText.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR text that is compiled and called in this process.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_EXECUTION_COMPILEDTEXT_H
#define FRIT_TEST_UNIT_EXECUTION_COMPILEDTEXT_H

#include "frit/Execution/Executable.h"
#include "frit/IO/HostTensor.h"

#include "frit-c/Runtime.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::frit {

class KernelTable;

/// A module of functions over tensors, compiled for the host.
class CompiledText {
public:
  /// Parses and compiles `text` after the passes that `buildPipeline` adds,
  /// with the kernels that `addEntries` adds to the table. Diagnostics go to
  /// stderr.
  static llvm::Expected<CompiledText>
  compile(llvm::StringRef text,
          llvm::function_ref<void(OpPassManager &)> buildPipeline,
          void (*addEntries)(KernelTable &) = nullptr);

  /// Calls a function with its arguments followed by its results, which are
  /// checked as those of other callers.
  llvm::Error call(llvm::StringRef name, llvm::ArrayRef<HostTensor *> tensors);

private:
  struct ContextDeleter {
    void operator()(FritContext *context) { fritContextDestroy(context); }
  };

  std::unique_ptr<Executable> executable;
  std::unique_ptr<FritContext, ContextDeleter> context;
};

} // namespace mlir::frit

#endif // FRIT_TEST_UNIT_EXECUTION_COMPILEDTEXT_H
