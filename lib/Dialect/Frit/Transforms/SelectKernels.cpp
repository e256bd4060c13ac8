//===- SelectKernels.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-select-kernels: applies the decisions of FritKernels to the IR
// and reports them.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Passes.h"
#include "frit/Kernels/KernelSelection.h"

#include "KernelGuard.h"
#include "RemarkOptions.h"

namespace mlir::frit {

#define GEN_PASS_DEF_SELECTKERNELSPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

using Outcome = KernelVerdict::Outcome;

/// Name and category of a remark on an op.
remark::RemarkOpts getOpts(StringRef name, Operation *op) {
  return getRemarkOpts(op, name, "frit-select-kernels");
}

/// One remark for each candidate, and one for what the policy gave up.
void emitRemarks(KernelDecision &decision) {
  KernelOpInterface op = decision.op;
  for (const KernelVerdict &verdict : decision.candidates) {
    remark::RemarkOpts opts = getOpts(verdict.entry->id, op);
    if (verdict.outcome == Outcome::Picked ||
        verdict.outcome == Outcome::Guarded)
      remark::passed(op.getLoc(), opts) << remark::add("{0}", verdict.reason);
    else
      remark::missed(op.getLoc(), opts)
          << remark::reason("{0}", verdict.reason);
  }
  if (!decision.forgone)
    return;
  const KernelVerdict &forgone = decision.candidates[*decision.forgone];
  const KernelVerdict &pick = decision.getPick();
  remark::analysis(op.getLoc(), getOpts("batch-invariant", op)) << remark::add(
      "the policy costs '{0}' (priority {1}); '{2}' (priority "
      "{3}) runs instead",
      forgone.entry->id, forgone.priority, pick.entry->id, pick.priority);
}

class SelectKernelsPass
    : public impl::SelectKernelsPassBase<SelectKernelsPass> {
public:
  using SelectKernelsPassBase::SelectKernelsPassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    if (minGroupedTokens < 0) {
      emitError(root->getLoc())
          << getArgument()
          << ": min-grouped-tokens=" << minGroupedTokens.getValue()
          << ": expected a number of tokens of 0 or more";
      return signalPassFailure();
    }
    const KernelTable *table = KernelTable::get(&getContext());
    FailureOr<KernelSelectionOptions> options =
        KernelSelectionOptions::parse(target, policy, priorities, table, [&] {
          return emitError(root->getLoc()) << getArgument() << ": ";
        });
    if (failed(options))
      return signalPassFailure();
    FailureOr<std::vector<KernelDecision>> decisions =
        decideKernels(root, *table, *options);
    if (failed(decisions))
      return signalPassFailure();
    for (KernelDecision &decision : *decisions) {
      emitRemarks(decision);
      decision.isKept ? ++numKept : ++numSelected;
      numGuards += applyDecision(decision, minGroupedTokens);
    }
  }
};

} // namespace
} // namespace mlir::frit
