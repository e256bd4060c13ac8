//===- KernelTarget.h ----------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a graph is compiled for, and where a kernel runs.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELTARGET_H
#define FRIT_KERNELS_KERNELTARGET_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace mlir::frit {

/// A CUDA architecture: `90`, or `90a` with the features of that one alone.
struct CudaArch {
  unsigned sm = 0;
  bool isSpecific = false;

  bool operator==(const CudaArch &other) const {
    return sm == other.sm && isSpecific == other.isSpecific;
  }
  std::string str() const;
  /// Reads `90` or `90a`.
  static std::optional<CudaArch> parse(StringRef text);
  /// True where a binary for this architecture runs on `device`: on the same
  /// one, or on a later one of the same generation.
  bool runsOn(CudaArch device) const;

  /// True where code can be generated for it. No other architecture may reach
  /// a backend: some stop the process.
  bool isKnown() const;
  /// The known architectures as text: "80, 89, ...".
  static std::string describeKnown();
  /// The known architecture whose code is best on a device of the compute
  /// capability `sm` (10 * major + minor); none where no code would run.
  static std::optional<CudaArch> getBestFor(unsigned sm);
};

/// What a graph is compiled for: `cpu` or `cuda:sm_XX`.
class KernelTarget {
public:
  static KernelTarget getCpu() { return KernelTarget(std::nullopt); }
  /// The CPU of a machine that has oneDNN.
  static KernelTarget getCpuWithOneDnn() {
    KernelTarget target = getCpu();
    target.oneDnn = true;
    return target;
  }
  static KernelTarget getCuda(CudaArch arch) { return KernelTarget(arch); }

  /// Reads `cpu`, `cpu+onednn` or `cuda:sm_XX`; the error names the accepted
  /// ones.
  static FailureOr<KernelTarget>
  parse(StringRef text, function_ref<InFlightDiagnostic()> emitError);

  bool isCpu() const { return !arch; }
  bool hasOneDnn() const { return oneDnn; }
  /// The architecture; only where the target is not the CPU.
  CudaArch getCudaArch() const { return *arch; }
  std::string str() const;

private:
  explicit KernelTarget(std::optional<CudaArch> arch) : arch(arch) {}

  std::optional<CudaArch> arch;
  bool oneDnn = false;
};

/// The targets that a kernel runs on.
class KernelTargets {
public:
  static KernelTargets any() { return {Kind::Any, {}}; }
  static KernelTargets cpu() { return {Kind::Cpu, {}}; }
  static KernelTargets cpuWithOneDnn() { return {Kind::CpuWithOneDnn, {}}; }
  /// Every CUDA architecture from `sm` on.
  static KernelTargets minimumSm(unsigned sm) {
    return {Kind::MinimumSm, {sm, false}};
  }
  /// The architecture `sm` alone, for kernels that use its specific features.
  static KernelTargets exactSm(unsigned sm) {
    return {Kind::ExactSm, {sm, true}};
  }

  bool contains(KernelTarget target) const;
  std::string str() const;

private:
  enum class Kind { Any, Cpu, CpuWithOneDnn, MinimumSm, ExactSm };
  KernelTargets(Kind kind, CudaArch arch) : kind(kind), arch(arch) {}

  Kind kind;
  CudaArch arch;
};

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELTARGET_H
