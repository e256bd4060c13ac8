//===- KernelSelection.h -------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which kernel executes an op, and why every other candidate does not.
// The pass frit-select-kernels applies these decisions; tools print them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELSELECTION_H
#define FRIT_KERNELS_KERNELSELECTION_H

#include "frit/Kernels/KernelTable.h"

namespace mlir::frit {

/// What selection may pick.
struct KernelPolicy {
  enum class Kind {
    /// The first admissible entry by priority.
    Auto,
    /// Entries of provider `native` only.
    Native,
    /// Entries of one provider only; no admissible one is an error.
    Require,
    /// The choice does not depend on the number of tokens.
    BatchInvariant,
  };

  Kind kind = Kind::Auto;
  /// Of `Require`.
  KernelProvider provider = KernelProvider::Native;

  /// Reads `auto`, `native`, `require=<provider>` or `batch-invariant`; the
  /// error names the accepted ones.
  static FailureOr<KernelPolicy>
  parse(StringRef text, function_ref<InFlightDiagnostic()> emitError);

  /// True where entries of a provider may be picked at all.
  bool admits(KernelProvider candidate) const;

  std::string str() const;
};

struct KernelSelectionOptions {
  KernelTarget target = KernelTarget::getCpu();
  KernelPolicy policy;
  /// Priorities by id, in place of the table's.
  llvm::StringMap<int64_t> priorities;

  /// Reads the options of frit-select-kernels; each of `priorities` is
  /// `<id>:<number>`. `table` is that of the context; null, where it has none,
  /// is an error like the others.
  static FailureOr<KernelSelectionOptions>
  parse(StringRef target, StringRef policy, ArrayRef<std::string> priorities,
        const KernelTable *table, function_ref<InFlightDiagnostic()> emitError);
};

/// What became of one candidate.
struct KernelVerdict {
  enum class Outcome {
    /// Executes the op, where no guarded candidate does.
    Picked,
    /// Executes the op where its guard holds at run time.
    Guarded,
    /// Could execute the op, but another candidate goes before it.
    Admissible,
    /// Cannot execute the op, or the policy keeps it out.
    Refused,
  };

  const KernelEntry *entry;
  /// The table's, or what the options put in its place.
  int64_t priority;
  Outcome outcome;
  /// Why it does not execute the op, or what guards it: one sentence without a
  /// stop.
  std::string reason;
  /// Id of the condition that failed; empty where none did.
  std::string condition;
  /// What the guard requires, all of it.
  SmallVector<KernelRequirement> guard;
};

struct KernelDecision {
  KernelOpInterface op;
  /// The op's own frit.kernel was valid and stays.
  bool isKept = false;
  /// In the order in which they were tried.
  std::vector<KernelVerdict> candidates;
  /// The position of the candidate that policy batch-invariant gave up, where
  /// it gave up one.
  std::optional<size_t> forgone;

  const KernelVerdict &getPick() const;

  /// The candidate that executes the op where there are so many tokens: one
  /// with a guard where that follows from the tokens.
  const KernelVerdict &getPickFor(int64_t tokens) const;
};

/// Decides one op. Fails with a located error that lists every candidate and
/// its reason where none is admissible, where the policy's provider cannot be
/// promised at compile time, or where the op names a kernel that is unknown or
/// not admissible.
FailureOr<KernelDecision> decideKernel(KernelOpInterface op,
                                       const KernelTable &table,
                                       const KernelSelectionOptions &options);

/// Decides every op below `root`, in the order of the walk.
FailureOr<std::vector<KernelDecision>>
decideKernels(Operation *root, const KernelTable &table,
              const KernelSelectionOptions &options);

/// Whether an op meets all conditions of an entry wherever a guard holds, which
/// is over the sizes of the op's KernelShape.
bool meetsConditions(const KernelEntry &entry, KernelOpInterface op,
                     ArrayRef<KernelRequirement> guard);

/// Prints decisions as a table: op, kernel, outcome and reason of each
/// candidate.
void printKernelDecisions(raw_ostream &os, ArrayRef<KernelDecision> decisions);

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELSELECTION_H
