//===- Export.cpp - Modules for object files ------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a module the functions that C calls.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Compiler.h"
#include "frit/Execution/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::frit {

LogicalResult exportEntries(ModuleOp module, llvm::StringRef prefix) {
  PassManager pm(module.getContext());
  ExportEntriesPassOptions options;
  options.prefix = prefix.str();
  pm.addPass(createExportEntriesPass(options));
  return pm.run(module);
}

} // namespace mlir::frit
