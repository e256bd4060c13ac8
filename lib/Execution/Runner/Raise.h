//===- Raise.h - Raising of the graph to run --------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frit's ops in place of what exporters write, and what differs from PyTorch
// where a graph is run as it is.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_RAISE_H
#define FRIT_LIB_EXECUTION_RUNNER_RAISE_H

#include "Options.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::frit {

/// Raises a module over tensors as `--raise` says. With `--explain` prints what
/// was found, or, without `--raise`, where the graph differs from what PyTorch
/// computes. On failure diagnostics have been emitted.
LogicalResult raiseModule(ModuleOp module, const RunnerOptions &options,
                          raw_ostream &stream);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_RAISE_H
