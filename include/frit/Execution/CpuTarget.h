//===- CpuTarget.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CPU that code is generated for.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_CPUTARGET_H
#define FRIT_EXECUTION_CPUTARGET_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir::frit {

/// A CPU as LLVM names it, without the features that break the numerics:
/// hardware conversions to bf16 flush subnormals, and so do the bf16 and
/// tile instructions (avx512bf16, avxneconvert, amx, avx10.2).
struct CpuTarget {
  std::string triple;
  /// LLVM's name of the processor: "znver4", "x86-64-v3", ...
  std::string cpu;
  /// Features as LLVM takes them: "+avx2,-amx-tile,...".
  std::string features;
  /// Bits of the widest vector register.
  unsigned vectorWidth = 128;

  /// The machine that this process runs on.
  static llvm::Expected<CpuTarget> getHost();

  /// A processor by LLVM's name, of the architecture of this process. Errors:
  /// a name that LLVM does not know (names ones it knows).
  static llvm::Expected<CpuTarget> get(llvm::StringRef cpu);

  /// LLVM's name of the oldest processor of the architecture of this process,
  /// whose code all later ones execute.
  static llvm::StringRef getBaselineName();

  /// Checks that this process can execute code for the target; the error
  /// lists the features that the host lacks.
  llvm::Error checkRunsHere() const;

  /// The instructions beyond those of the oldest processor that code for the
  /// target may use, as ProcessorFeatures.def calls them. None on another
  /// architecture than x86-64.
  llvm::Expected<llvm::SmallVector<llvm::StringRef>>
  getProcessorFeatures() const;

  /// A machine that never contracts a product into a sum.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
  createTargetMachine() const;
};

} // namespace mlir::frit

#endif // FRIT_EXECUTION_CPUTARGET_H
