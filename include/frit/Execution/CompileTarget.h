//===- CompileTarget.h - Where a module's functions run ---------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The target of a compilation, by the text that users write for it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_COMPILETARGET_H
#define FRIT_EXECUTION_COMPILETARGET_H

#include "frit/Execution/CpuTarget.h"
#include "frit/Execution/CudaTarget.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlir::frit {

/// Where functions run.
struct CompileTarget {
  /// Executes the functions, or the part of them that stays on the host.
  CpuTarget cpu;
  std::optional<CudaTarget> cuda;
  /// The machine has oneDNN, so that matmuls of the CPU may be its.
  bool oneDnn = false;

  /// As the kernel table calls it: "cpu", "cpu+onednn", "cuda:sm_90a".
  std::string getKernelTarget() const {
    return cuda ? "cuda:" + cuda->getChip() : oneDnn ? "cpu+onednn" : "cpu";
  }
  /// The driver's ordinal of the device, or FRIT_NO_DEVICE.
  int32_t getDevice() const { return cuda ? cuda->device : -1; }
};

/// The kernel targets of code for several architectures of GPUs, or of one
/// target: "cuda:sm_90a,sm_80".
std::string getKernelTargets(llvm::ArrayRef<CompileTarget> targets);

/// A target as it is written: `cpu`, `cpu:MARCH`, `cpu+onednn[:MARCH]`, `cuda`,
/// `cuda:N` or `cuda:sm_XX`, before the machine is asked what it is.
struct TargetName {
  enum class Kind {
    /// A GPU if there is one, else the CPU.
    Default,
    Cpu,
    Cuda,
  };

  Kind kind = Kind::Default;
  /// LLVM's name of the processor of the code, or of its part on the host;
  /// "native" or empty: this machine's.
  std::string march;
  /// The driver's ordinal of a GPU.
  int32_t device = 0;
  /// An architecture in place of a device; may be empty.
  std::string chip;
  /// Of a CPU: it has oneDNN.
  bool oneDnn = false;

  /// Errors: a text that is no target; the message has the forms there are.
  static llvm::Expected<TargetName> parse(llvm::StringRef text);

  /// What is done with the code.
  enum class Use {
    /// It is called in this process: the processor must be able to execute it,
    /// and a GPU must be there.
    Call,
    /// It is written to a file, which may be for another machine.
    Write,
  };

  /// Errors: a processor, an architecture or a device that is unknown, or whose
  /// code cannot be called here.
  llvm::Expected<CompileTarget> resolve(Use use) const;
};

/// Reads a target, or several architectures of GPUs that code is written for,
/// `cuda:sm_90a,sm_80`: one target for each. Errors: a text that is none, and
/// an architecture that is there twice.
llvm::Expected<llvm::SmallVector<TargetName>>
parseTargetList(llvm::StringRef text);

} // namespace mlir::frit

#endif // FRIT_EXECUTION_COMPILETARGET_H
