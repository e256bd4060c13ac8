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
#include "frit/Execution/CudaTarget.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::frit {

/// Where a function runs.
struct RunTarget {
  /// Executes the function, or the part of it that stays on the host.
  CpuTarget cpu;
  std::optional<CudaTarget> cuda;

  /// As the kernel table calls it: "cpu", "cuda:sm_90a".
  std::string getKernelTarget() const {
    return cuda ? "cuda:" + cuda->getChip() : "cpu";
  }
  /// The driver's ordinal of the device, or FRIT_NO_DEVICE.
  int32_t getDevice() const { return cuda ? cuda->device : -1; }
};

/// What `--target` names. Errors: a processor or device that is unknown, or
/// whose code could not be run here.
llvm::Expected<RunTarget> getTarget(const RunnerOptions &options);

/// Lowers the module to LLVM's dialect with frit-to-cpu or frit-to-cuda.
/// Diagnostics have been emitted on failure.
LogicalResult lowerToTarget(ModuleOp module, const RunTarget &target,
                            const RunnerOptions &options);

/// The same with frit-native-reference.
LogicalResult lowerToReference(ModuleOp module);

/// Writes what `--dump` asks for, from a lowered module.
llvm::Error dumpModule(ModuleOp module, const RunTarget &target,
                       const RunnerOptions &options);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_COMPILE_H
