//===- Explain.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says which kernel executes each op and why, before anything is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_EXPLAIN_H
#define FRIT_LIB_EXECUTION_RUNNER_EXPLAIN_H

#include "frit/Execution/Compiler.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::frit {

/// Decides the kernels of a module over tensors for `target` ("cpu",
/// "cuda:sm_90a") as the pipeline will, and prints for each op the picked
/// kernel and for every other candidate the reason. The module stays as it is.
/// On failure diagnostics have been emitted.
LogicalResult explainKernels(ModuleOp module, StringRef target,
                             const CompileOptions &options,
                             raw_ostream &stream);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_EXPLAIN_H
