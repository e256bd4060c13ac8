//===- CpuTarget.cpp ------------------------------------------------------===//
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

#include "frit/Execution/CpuTarget.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace mlir::frit {

/// Instructions that do not round as NUMERICS demands: they treat subnormals
/// as zero. With a trailing '*' a family of names.
static constexpr StringLiteral kRefusedFeatures[] = {
    "avx512bf16", "avxneconvert", "avx10.2*", "amx-*"};

static bool isRefused(StringRef feature) {
  return any_of(kRefusedFeatures, [&](StringRef refused) {
    return refused.consume_back("*") ? feature.starts_with(refused)
                                     : feature == refused;
  });
}

static Expected<const Target *> lookupTarget(const std::string &triple) {
  static const bool initialized = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
    return true;
  }();
  (void)initialized;
  std::string message;
  if (const Target *target =
          TargetRegistry::lookupTarget(Triple(triple), message))
    return target;
  return createStringError("no code generator for " + triple + ": " + message);
}

static Expected<std::unique_ptr<MCSubtargetInfo>>
createSubtarget(const CpuTarget &target) {
  Expected<const Target *> known = lookupTarget(target.triple);
  if (!known)
    return known.takeError();
  return std::unique_ptr<MCSubtargetInfo>((*known)->createMCSubtargetInfo(
      Triple(target.triple), target.cpu, target.features));
}

/// LLVM's names of what the code generator may use. They live as long as the
/// process.
static Expected<DenseSet<StringRef>>
getEnabledFeatures(const CpuTarget &target) {
  auto subtarget = createSubtarget(target);
  if (!subtarget)
    return subtarget.takeError();
  DenseSet<StringRef> enabled;
  for (const SubtargetFeatureKV &feature :
       (*subtarget)->getEnabledProcessorFeatures())
    enabled.insert(feature.Key);
  return enabled;
}

/// Adds "-name" for each enabled feature that is refused, and finds the width
/// of the vectors.
static Error finish(CpuTarget &target) {
  auto subtarget = createSubtarget(target);
  if (!subtarget)
    return subtarget.takeError();
  SubtargetFeatures features(target.features);
  for (const SubtargetFeatureKV &feature :
       (*subtarget)->getEnabledProcessorFeatures())
    if (isRefused(feature.Key))
      features.AddFeature(feature.Key, /*Enable=*/false);
  target.features = features.getString();
  target.vectorWidth = (*subtarget)->checkFeatures("+avx512f") ? 512
                       : (*subtarget)->checkFeatures("+avx2")  ? 256
                                                               : 128;
  return Error::success();
}

Expected<CpuTarget> CpuTarget::getHost() {
  CpuTarget target;
  target.triple = sys::getProcessTriple();
  target.cpu = sys::getHostCPUName().str();
  // The name alone can promise what a virtual machine hides.
  SubtargetFeatures features;
  for (const auto &[name, enabled] : sys::getHostCPUFeatures())
    features.AddFeature(name, enabled && !isRefused(name));
  target.features = features.getString();
  if (Error error = finish(target))
    return error;
  return target;
}

Expected<CpuTarget> CpuTarget::get(StringRef cpu) {
  CpuTarget target;
  target.triple = sys::getProcessTriple();
  auto subtarget = createSubtarget(target);
  if (!subtarget)
    return subtarget.takeError();
  if (!(*subtarget)->isCPUStringValid(cpu))
    return createStringError("LLVM knows no processor '" + cpu + "' of " +
                             target.triple +
                             "; clang --print-supported-cpus lists them");
  target.cpu = cpu.str();
  if (Error error = finish(target))
    return error;
  return target;
}

StringRef CpuTarget::getBaselineName() {
  return Triple(sys::getProcessTriple()).isX86() ? "x86-64" : "generic";
}

/// Names of ProcessorFeatures.def.
static constexpr StringLiteral kRecordedFeatures[] = {
#define FRIT_PROCESSOR_FEATURE(number, name, identifier, leaf, subleaf, word,  \
                               bit, state)                                     \
  name,
#include "frit-c/ProcessorFeatures.def"
};

Expected<SmallVector<StringRef>> CpuTarget::getProcessorFeatures() const {
  SmallVector<StringRef> recorded;
  if (Triple(triple).getArch() != Triple::x86_64)
    return recorded;
  auto enabled = getEnabledFeatures(*this);
  if (!enabled)
    return enabled.takeError();
  for (StringRef name : kRecordedFeatures)
    if (enabled->contains(name))
      recorded.push_back(name);
  return recorded;
}

Error CpuTarget::checkRunsHere() const {
  SmallVector<StringRef> needed;
  // Of x86-64 it is known what the code generator picks by itself; a virtual
  // machine hides some of the rest.
  if (Triple(triple).getArch() == Triple::x86_64) {
    auto recorded = getProcessorFeatures();
    if (!recorded)
      return recorded.takeError();
    needed = std::move(*recorded);
  } else {
    auto enabled = getEnabledFeatures(*this);
    if (!enabled)
      return enabled.takeError();
    append_range(needed, *enabled);
    sort(needed);
  }
  StringMap<bool> host = sys::getHostCPUFeatures();
  erase_if(needed, [&](StringRef name) {
    // Features that hosts do not report are hints for tuning.
    auto known = host.find(name);
    return known == host.end() || known->second;
  });
  if (needed.empty())
    return Error::success();
  return createStringError(
      "code for '" + cpu + "' does not run here: this machine (" +
      sys::getHostCPUName() + ") lacks " + join(needed, ", "));
}

Expected<std::unique_ptr<TargetMachine>>
CpuTarget::createTargetMachine() const {
  Expected<const Target *> target = lookupTarget(triple);
  if (!target)
    return target.takeError();
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Strict;
  std::unique_ptr<TargetMachine> machine((*target)->createTargetMachine(
      Triple(triple), cpu, features, options, Reloc::PIC_, std::nullopt,
      CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("no code generator for " + triple);
  return machine;
}

} // namespace mlir::frit
