//===- Load.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the module and finds the function to run.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_LOAD_H
#define FRIT_LIB_EXECUTION_RUNNER_LOAD_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::frit {

/// Reads a file ("-": standard input) into `sources`, which diagnostics quote.
llvm::Error readSource(llvm::StringRef path, llvm::SourceMgr &sources);

/// The function named `entry`; without a name the only public function with a
/// body, or `main`. The error lists what there is.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, llvm::StringRef entry);

/// Leaves `entry` as the only public function, so that only what it needs is
/// compiled.
void isolateEntry(ModuleOp module, func::FuncOp entry);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_LOAD_H
