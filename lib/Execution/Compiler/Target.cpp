//===- Target.cpp - The target of a compilation ---------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the text of a target, and asks the machine for what it names.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/CompileTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mlir::frit {

std::string getKernelTargets(ArrayRef<CompileTarget> targets) {
  std::string text = targets.front().getKernelTarget();
  for (const CompileTarget &target : targets.drop_front())
    text += "," + target.cuda->getChip();
  return text;
}

Expected<TargetName> TargetName::parse(StringRef text) {
  auto [name, rest] = text.split(':');
  bool hasEmptyPart = text.contains(':') && rest.empty();
  TargetName target;
  target.kind = name == "cuda" ? Kind::Cuda : Kind::Cpu;
  target.oneDnn = name == "cpu+onednn";
  if ((name == "cpu" || target.oneDnn) && !hasEmptyPart) {
    target.march = rest.str();
    return target;
  }
  if (name == "cuda" && !hasEmptyPart) {
    if (rest.contains(',')) {
      SmallVector<StringRef> chips;
      rest.split(chips, ',');
      return createStringError(
          "code for several architectures, " + join(chips, ", ") +
          ", can only be written to files; name one of them");
    }
    if (rest.starts_with("sm_")) {
      target.chip = rest.str();
      return target;
    }
    if (rest.empty() ||
        (!rest.getAsInteger(10, target.device) && target.device >= 0))
      return target;
  }
  return createStringError("expected cpu, cpu:MARCH, cpu+onednn[:MARCH], cuda, "
                           "cuda:N or cuda:sm_XX, not '" +
                           text + "'");
}

static Expected<CpuTarget> resolveCpu(StringRef march, TargetName::Use use) {
  if (march.empty() || march == "native")
    return CpuTarget::getHost();
  auto target = CpuTarget::get(march);
  if (target && use == TargetName::Use::Call)
    if (Error error = target->checkRunsHere())
      return error;
  return target;
}

Expected<CompileTarget> TargetName::resolve(Use use) const {
  CompileTarget target;
  auto cpu = resolveCpu(march, use);
  if (!cpu)
    return cpu.takeError();
  target.cpu = std::move(*cpu);
  target.oneDnn = oneDnn;
  if (kind == Kind::Cpu || (kind == Kind::Default && countCudaDevices() == 0))
    return target;
  if (!chip.empty() && use == Use::Call)
    return createStringError("code for the architecture " + chip +
                             " can only be written; to call it, name a device");
  auto cuda =
      chip.empty() ? CudaTarget::getDevice(device) : CudaTarget::getArch(chip);
  if (!cuda)
    return cuda.takeError();
  target.cuda = std::move(*cuda);
  return target;
}

Expected<SmallVector<TargetName>> parseTargetList(StringRef text) {
  SmallVector<TargetName> targets;
  StringRef list = text;
  SmallVector<StringRef> chips;
  if (list.consume_front("cuda:") && list.contains(','))
    list.split(chips, ',');
  if (chips.empty()) {
    auto target = TargetName::parse(text);
    if (!target)
      return target.takeError();
    targets.push_back(std::move(*target));
    return targets;
  }
  for (StringRef chip : chips) {
    if (!chip.starts_with("sm_"))
      return createStringError("expected cuda:sm_XX,sm_YY... for several "
                               "architectures, not '" +
                               chip + "' in '" + text + "'");
    if (count(chips, chip) > 1)
      return createStringError("the architecture " + chip + " is there twice");
    targets.emplace_back();
    targets.back().kind = TargetName::Kind::Cuda;
    targets.back().chip = chip.str();
  }
  return targets;
}

} // namespace mlir::frit
