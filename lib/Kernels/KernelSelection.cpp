//===- KernelSelection.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decision itself: judges each candidate, orders what is admissible, and
// says why the others are not.
//
//===----------------------------------------------------------------------===//

#include "frit/Kernels/KernelSelection.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace mlir;
using namespace mlir::frit;

using Outcome = KernelVerdict::Outcome;

static KernelVerdict refuse(KernelCandidate candidate, std::string reason,
                            StringRef condition = "") {
  return {candidate.entry,   candidate.priority, Outcome::Refused,
          std::move(reason), condition.str(),    {}};
}

/// Makes a candidate that could execute the op one that does not.
static void passOver(KernelVerdict &verdict, std::string reason) {
  verdict.outcome = Outcome::Admissible;
  verdict.reason = std::move(reason);
  verdict.guard.clear();
}

/// Why an admissible candidate does not execute an op that `picked` executes.
static std::string compareByPriority(KernelCandidate candidate,
                                     KernelCandidate picked) {
  if (candidate.priority == picked.priority)
    return llvm::formatv("admissible, but of the same priority as '{0}' ({1}), "
                         "whose name comes first",
                         picked.entry->id, picked.priority);
  return llvm::formatv(
      "admissible, but of lower priority than '{0}' ({1} to {2})",
      picked.entry->id, candidate.priority, picked.priority);
}

/// Two limits of a guard that no number meets; null without.
static std::pair<const KernelRequirement *, const KernelRequirement *>
findContradiction(ArrayRef<KernelRequirement> guard) {
  for (const KernelRequirement &least : guard)
    for (const KernelRequirement &most : guard)
      if (least.kind == KernelRequirement::Kind::AtLeast &&
          most.kind == KernelRequirement::Kind::AtMost &&
          least.expr == most.expr && least.value > most.value)
        return {&least, &most};
  return {};
}

/// Judges the conditions of an entry. What only run time can tell becomes the
/// guard.
static KernelVerdict judgeConditions(KernelCandidate candidate,
                                     KernelOpInterface op,
                                     const KernelShape &shape,
                                     bool isBatchInvariant) {
  KernelVerdict verdict{
      candidate.entry,
      candidate.priority,
      Outcome::Picked,
      llvm::formatv("admissible, with priority {0}", candidate.priority),
      "",
      {}};
  for (const KernelCondition &condition : candidate.entry->conditions) {
    KernelFinding finding = condition.check(op, shape);
    if (!finding.failure.empty())
      return refuse(candidate, finding.failure, condition.id);
    for (KernelRequirement &requirement : finding.requirements) {
      if (isBatchInvariant && shape.dependsOnTokens(requirement.expr))
        return refuse(candidate,
                      "needs " + requirement.needs +
                          ", and a batch-invariant choice must not depend on "
                          "the number of tokens",
                      condition.id);
      switch (decideRequirement(requirement, shape)) {
      case KernelTruth::Yes:
        break;
      case KernelTruth::No:
        return refuse(candidate,
                      "needs " + requirement.needs + ", but " +
                          describeSizes(requirement, shape),
                      condition.id);
      case KernelTruth::Unknown:
        verdict.guard.push_back(std::move(requirement));
        break;
      }
    }
  }
  if (verdict.guard.empty())
    return verdict;
  combineRequirements(verdict.guard);
  if (auto [least, most] = findContradiction(verdict.guard); least)
    return refuse(candidate,
                  "needs " + least->needs + ", but also " + most->needs);
  verdict.outcome = Outcome::Guarded;
  verdict.reason =
      "where the run-time guard holds: " +
      llvm::join(llvm::map_range(verdict.guard,
                                 [](const KernelRequirement &requirement) {
                                   return requirement.needs;
                                 }),
                 ", ");
  return verdict;
}

static std::string formatType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Judges whether an entry could execute an op by itself, whatever the policy.
static KernelVerdict judge(KernelCandidate candidate, KernelOpInterface op,
                           const KernelShape &shape, KernelTarget target,
                           bool isBatchInvariant) {
  const KernelEntry &entry = *candidate.entry;
  if (!entry.targets.contains(target))
    return refuse(candidate, llvm::formatv("runs on {0}, but the target is {1}",
                                           entry.targets.str(), target.str()));
  std::string elementType = formatType(op.getKernelElementType());
  if (!llvm::is_contained(entry.elementTypes, elementType))
    return refuse(candidate,
                  llvm::formatv("takes {0}, but the element type is {1}",
                                llvm::join(entry.elementTypes, ", "),
                                elementType));
  if (entry.provider == KernelProvider::Cuda) {
    if (entry.images.empty())
      return refuse(candidate, entry.describeBuild());
    if (llvm::none_of(entry.getBuiltArchs(), [&](CudaArch arch) {
          return arch.runsOn(target.getCudaArch());
        }))
      return refuse(candidate, llvm::formatv("not built for sm_{0} ({1})",
                                             target.getCudaArch().str(),
                                             entry.describeBuild()));
  }
  if (isBatchInvariant && entry.bitsFollowTokens)
    return refuse(candidate, "chooses an algorithm by the number of tokens, on "
                             "which a batch-invariant result must not depend");
  return judgeConditions(candidate, op, shape, isBatchInvariant);
}

/// Why the policy keeps an entry out; empty where it does not.
static std::string excludeByPolicy(const KernelEntry &entry,
                                   const KernelPolicy &policy) {
  if (policy.admits(entry.provider))
    return "";
  return llvm::formatv("its provider is {0}, but the policy is {1}",
                       stringifyKernelProvider(entry.provider), policy.str());
}

/// Whether a number that meets `narrow` meets `wide` as well.
static bool isImplied(const KernelRequirement &wide,
                      const KernelRequirement &narrow) {
  if (wide.expr != narrow.expr || wide.kind != narrow.kind)
    return false;
  switch (wide.kind) {
  case KernelRequirement::Kind::MultipleOf:
    return narrow.value % wide.value == 0;
  case KernelRequirement::Kind::AtMost:
    return narrow.value <= wide.value;
  case KernelRequirement::Kind::AtLeast:
    return narrow.value >= wide.value;
  case KernelRequirement::Kind::EqualTo:
    return narrow.value == wide.value;
  }
  llvm_unreachable("unknown kind of requirement");
}

/// Whether a requirement is met wherever a guard holds.
static bool isImpliedBy(const KernelRequirement &wide,
                        ArrayRef<KernelRequirement> guard) {
  return llvm::any_of(guard, [&](const KernelRequirement &narrow) {
    return isImplied(wide, narrow);
  });
}

/// An earlier candidate whose guard holds wherever that of `verdict` does;
/// null without one.
static const KernelVerdict *findEarlier(ArrayRef<KernelVerdict> candidates,
                                        const KernelVerdict &verdict) {
  const auto *earlier =
      llvm::find_if(candidates, [&](const KernelVerdict &other) {
        return other.outcome == Outcome::Guarded &&
               llvm::all_of(other.guard, [&](const KernelRequirement &wide) {
                 return isImpliedBy(wide, verdict.guard);
               });
      });
  return earlier == candidates.end() ? nullptr : earlier;
}

bool frit::meetsConditions(const KernelEntry &entry, KernelOpInterface op,
                           ArrayRef<KernelRequirement> guard) {
  KernelShape shape = op.getKernelShape();
  return llvm::all_of(entry.conditions, [&](const KernelCondition &condition) {
    KernelFinding finding = condition.check(op, shape);
    return finding.failure.empty() &&
           llvm::all_of(
               finding.requirements, [&](const KernelRequirement &wide) {
                 return decideRequirement(wide, shape) == KernelTruth::Yes ||
                        isImpliedBy(wide, guard);
               });
  });
}

/// Adds every candidate and its reason to an error.
static void attachCandidates(InFlightDiagnostic &diagnostic,
                             KernelDecision &decision) {
  for (const KernelVerdict &verdict : decision.candidates)
    diagnostic.attachNote(decision.op->getLoc())
        << "candidate '" << verdict.entry->id << "': " << verdict.reason;
}

const KernelVerdict &KernelDecision::getPick() const {
  return *llvm::find_if(candidates, [](const KernelVerdict &verdict) {
    return verdict.outcome == Outcome::Picked;
  });
}

const KernelVerdict &KernelDecision::getPickFor(int64_t tokens) const {
  KernelOpInterface asked = op;
  KernelShape shape = asked.getKernelShape();
  shape.setTokens(tokens);
  return *llvm::find_if(candidates, [&](const KernelVerdict &verdict) {
    if (verdict.outcome == Outcome::Guarded)
      return llvm::all_of(verdict.guard, [&](const auto &requirement) {
        return decideRequirement(requirement, shape) == KernelTruth::Yes;
      });
    return verdict.outcome == Outcome::Picked;
  });
}

/// Checks the kernel that an op names, and fills in the other candidates.
static LogicalResult keepKernel(KernelDecision &decision,
                                ArrayRef<KernelCandidate> candidates,
                                const KernelShape &shape,
                                const KernelSelectionOptions &options) {
  KernelOpInterface op = decision.op;
  StringRef id = op.getKernel().getId();
  decision.isKept = true;
  bool isKnown = false;
  for (KernelCandidate candidate : candidates) {
    KernelVerdict verdict = judge(candidate, op, shape, options.target,
                                  /*isBatchInvariant=*/false);
    bool isRefused = verdict.outcome == Outcome::Refused;
    if (candidate.entry->id == id) {
      isKnown = true;
      if (isRefused)
        return op.emitOpError()
               << "names kernel '" << id
               << "', which cannot execute it: " << verdict.reason;
      // The guard of an earlier selection, or the writer's promise, holds.
      verdict.outcome = Outcome::Picked;
      verdict.reason = "named by the op";
      verdict.guard.clear();
    } else if (!isRefused) {
      passOver(verdict,
               llvm::formatv("admissible, but the op names '{0}'", id));
    }
    decision.candidates.push_back(std::move(verdict));
  }
  if (isKnown)
    return success();
  return op.emitOpError()
         << "names kernel '" << id
         << "', but the kernel table has for this op only: "
         << llvm::join(llvm::map_range(candidates,
                                       [](KernelCandidate candidate) {
                                         return "'" + candidate.entry->id + "'";
                                       }),
                       ", ");
}

FailureOr<KernelDecision>
frit::decideKernel(KernelOpInterface op, const KernelTable &table,
                   const KernelSelectionOptions &options) {
  KernelDecision decision;
  decision.op = op;
  KernelShape shape = op.getKernelShape();
  SmallVector<KernelCandidate> candidates =
      table.getCandidates(op->getName().getStringRef(), options.priorities);
  if (candidates.empty())
    return op.emitOpError("has no entry in the kernel table");
  // What no CPU runs is of interest there only where it was asked for, and so
  // is on a GPU what is a library's of CPUs.
  llvm::erase_if(candidates, [&](KernelCandidate candidate) {
    const KernelEntry &entry = *candidate.entry;
    bool isAskedFor = options.policy.kind == KernelPolicy::Kind::Require &&
                      options.policy.provider == entry.provider;
    bool isForCpu = entry.targets.contains(KernelTarget::getCpuWithOneDnn());
    bool isAlien =
        options.target.isCpu()
            ? !isForCpu
            : isForCpu && !entry.targets.contains(KernelTarget::getCpu());
    return entry.provider != KernelProvider::Native && !isAskedFor && isAlien &&
           (!op.getKernel() || op.getKernel().getId() != entry.id);
  });
  if (op.getKernel()) {
    if (failed(keepKernel(decision, candidates, shape, options)))
      return failure();
    return decision;
  }

  bool isBatchInvariant =
      options.policy.kind == KernelPolicy::Kind::BatchInvariant;
  std::optional<KernelCandidate> picked;
  for (auto [position, candidate] : llvm::enumerate(candidates)) {
    std::string exclusion = excludeByPolicy(*candidate.entry, options.policy);
    KernelVerdict verdict =
        exclusion.empty()
            ? judge(candidate, op, shape, options.target, isBatchInvariant)
            : refuse(candidate, exclusion);
    if (verdict.outcome == Outcome::Refused) {
      // Without the policy the first such entry would have been tried.
      if (isBatchInvariant && !picked && !decision.forgone &&
          judge(candidate, op, shape, options.target,
                /*isBatchInvariant=*/false)
                  .outcome != Outcome::Refused)
        decision.forgone = position;
    } else if (picked) {
      passOver(verdict, compareByPriority(candidate, *picked));
    } else if (verdict.outcome == Outcome::Picked) {
      picked = candidate;
    } else if (const KernelVerdict *earlier =
                   findEarlier(decision.candidates, verdict)) {
      passOver(verdict,
               llvm::formatv("admissible, but where its guard holds '{0}' goes "
                             "before it",
                             earlier->entry->id));
    }
    decision.candidates.push_back(std::move(verdict));
  }
  if (picked)
    return decision;

  bool isGuarded =
      llvm::any_of(decision.candidates, [](const KernelVerdict &verdict) {
        return verdict.outcome == Outcome::Guarded;
      });
  InFlightDiagnostic diagnostic =
      op.emitOpError(isGuarded ? "has no kernel that is admissible whatever "
                                 "the sizes at run time are"
                               : "has no admissible kernel")
      << " (target " << options.target.str() << ", policy "
      << options.policy.str() << ")";
  attachCandidates(diagnostic, decision);
  return diagnostic;
}

FailureOr<std::vector<KernelDecision>>
frit::decideKernels(Operation *root, const KernelTable &table,
                    const KernelSelectionOptions &options) {
  std::vector<KernelDecision> decisions;
  bool hasFailed = false;
  root->walk([&](KernelOpInterface op) {
    FailureOr<KernelDecision> decision = decideKernel(op, table, options);
    if (failed(decision))
      hasFailed = true;
    else
      decisions.push_back(std::move(*decision));
  });
  if (hasFailed)
    return failure();
  return decisions;
}
