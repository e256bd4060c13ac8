//===- KernelTarget.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and prints targets and says which kernels run on them.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::frit;

/// In rising order of what they can use.
static constexpr StringLiteral knownArchs[] = {"80",  "89",   "90",  "90a",
                                               "100", "100a", "103", "120"};

std::string CudaArch::str() const {
  return std::to_string(sm) + (isSpecific ? "a" : "");
}

std::optional<CudaArch> CudaArch::parse(StringRef text) {
  CudaArch arch;
  arch.isSpecific = text.consume_back("a");
  if (!llvm::all_of(text, llvm::isDigit) || text.getAsInteger(10, arch.sm))
    return std::nullopt;
  return arch;
}

bool CudaArch::runsOn(CudaArch device) const {
  if (isSpecific || device.sm / 10 != sm / 10)
    return *this == device;
  return sm <= device.sm;
}

bool CudaArch::isKnown() const { return llvm::is_contained(knownArchs, str()); }

std::string CudaArch::describeKnown() {
  return llvm::join(ArrayRef(knownArchs), ", ");
}

std::optional<CudaArch> CudaArch::getBestFor(unsigned sm) {
  std::optional<CudaArch> best;
  for (StringRef text : knownArchs) {
    CudaArch arch = *parse(text);
    // A device has the specific features of its own architecture.
    if (arch.runsOn({sm, /*isSpecific=*/false}) ||
        (arch.isSpecific && arch.sm == sm))
      best = arch;
  }
  return best;
}

FailureOr<KernelTarget>
KernelTarget::parse(StringRef text,
                    function_ref<InFlightDiagnostic()> emitError) {
  if (text == "cpu")
    return getCpu();
  if (text == "cpu+onednn")
    return getCpuWithOneDnn();
  StringRef arch = text;
  if (arch.consume_front("cuda:sm_") && llvm::is_contained(knownArchs, arch))
    return getCuda(*CudaArch::parse(arch));
  return emitError() << "unknown target '" << text
                     << "', expected 'cpu', 'cpu+onednn' or 'cuda:sm_XX' with "
                        "XX one of "
                     << CudaArch::describeKnown();
}

std::string KernelTarget::str() const {
  if (isCpu())
    return hasOneDnn() ? "cpu+onednn" : "cpu";
  return "cuda:sm_" + arch->str();
}

bool KernelTargets::contains(KernelTarget target) const {
  switch (kind) {
  case Kind::Any:
    return true;
  case Kind::Cpu:
    return target.isCpu();
  case Kind::CpuWithOneDnn:
    return target.hasOneDnn();
  case Kind::MinimumSm:
    return !target.isCpu() && target.getCudaArch().sm >= arch.sm;
  case Kind::ExactSm:
    return !target.isCpu() && target.getCudaArch() == arch;
  }
  llvm_unreachable("unknown kind of targets");
}

std::string KernelTargets::str() const {
  switch (kind) {
  case Kind::Any:
    return "any";
  case Kind::Cpu:
    return "cpu";
  case Kind::CpuWithOneDnn:
    return "cpu+onednn";
  case Kind::MinimumSm:
    return "sm_" + arch.str() + " and later";
  case Kind::ExactSm:
    return "sm_" + arch.str();
  }
  llvm_unreachable("unknown kind of targets");
}
