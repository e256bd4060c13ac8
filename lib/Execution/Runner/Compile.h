//===- Compile.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the function to run.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_COMPILE_H
#define FRIT_LIB_EXECUTION_RUNNER_COMPILE_H

#include "Options.h"

#include "frit/Execution/CpuTarget.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::frit {

/// The processor that `--target` names. Errors: one that is unknown, or whose
/// code could not be run here.
llvm::Expected<CpuTarget> getTarget(const RunnerOptions &options);

/// Lowers the module to LLVM's dialect with frit-to-cpu. Diagnostics have been
/// emitted on failure.
LogicalResult lowerToCpu(ModuleOp module, const CpuTarget &target,
                         const RunnerOptions &options);

/// The same with frit-native-reference.
LogicalResult lowerToReference(ModuleOp module);

/// Writes what `--dump` asks for, from a lowered module.
llvm::Error dumpModule(ModuleOp module, const CpuTarget &target,
                       const RunnerOptions &options);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_COMPILE_H
