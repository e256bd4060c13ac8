//===- Choices.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decisions about kernels as plain data.
//
//===----------------------------------------------------------------------===//

#include "Choices.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::frit;

static FritOutcome getOutcome(KernelVerdict::Outcome outcome) {
  switch (outcome) {
  case KernelVerdict::Outcome::Picked:
    return FRIT_OUTCOME_PICKED;
  case KernelVerdict::Outcome::Guarded:
    return FRIT_OUTCOME_GUARDED;
  case KernelVerdict::Outcome::Admissible:
    return FRIT_OUTCOME_ADMISSIBLE;
  case KernelVerdict::Outcome::Refused:
    return FRIT_OUTCOME_REFUSED;
  }
  llvm_unreachable("unknown outcome");
}

void Choices::add(const KernelDecision &decision) {
  Operation *op = decision.op;
  auto function = op->getParentOfType<FunctionOpInterface>();
  FritChoice choice;
  choice.location = text.keep(op->getLoc());
  choice.op = text.keep(op->getName().getStringRef());
  choice.function = text.keep(function ? function.getName() : "");
  choice.kernel = text.keep(decision.getPick().entry->id);
  choice.numCandidates = static_cast<int32_t>(decision.candidates.size());
  choices.push_back(choice);

  std::vector<FritCandidate> &list = candidates.emplace_back();
  for (const KernelVerdict &verdict : decision.candidates) {
    FritCandidate candidate;
    candidate.kernel = text.keep(verdict.entry->id);
    candidate.provider =
        text.keep(stringifyKernelProvider(verdict.entry->provider));
    candidate.condition = text.keep(verdict.condition);
    candidate.reason = text.keep(verdict.reason);
    candidate.priority = verdict.priority;
    candidate.outcome = getOutcome(verdict.outcome);
    list.push_back(candidate);
  }
}

const FritChoice *Choices::getChoice(int32_t choice) const {
  return choice >= 0 && choice < size() ? &choices[choice] : nullptr;
}

const FritCandidate *Choices::getCandidate(int32_t choice,
                                           int32_t candidate) const {
  if (!getChoice(choice))
    return nullptr;
  const std::vector<FritCandidate> &list = candidates[choice];
  return candidate >= 0 && static_cast<size_t>(candidate) < list.size()
             ? &list[candidate]
             : nullptr;
}
