//===- RaisePass.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-raise: tries its patterns on the linalg ops of a graph, the
// last first, so that a whole structure is seen before its parts.
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"

#include "../RemarkOptions.h"

#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::frit {

#define GEN_PASS_DEF_RAISEPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

/// Raises one result by the first pattern that fits, and then what that pattern
/// had to compute apart.
static void raise(OpResult root, const RaisePatternList &patterns,
                  Raiser &raiser) {
  if (root.use_empty() || !isa<RankedTensorType>(root.getType()))
    return;
  ElementWalker elements(root);
  for (const std::unique_ptr<RaisePattern> &pattern : patterns) {
    raiser.getRewriter().setInsertionPoint(root.getOwner());
    if (!pattern->raise(root, elements, raiser))
      continue;
    for (OpResult newRoot : raiser.takeNewRoots())
      raise(newRoot, patterns, raiser);
    return;
  }
}

void raiseToFrit(Operation *root, Fidelity fidelity,
                 function_ref<void(const RaiseEvent &)> report) {
  RaisePatternList patterns;
  populateRaiseActivationPatterns(patterns);
  populateRaiseLoraPatterns(patterns);

  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
  Raiser raiser(fidelity, root->getContext(), report);
  for (Operation *op : llvm::reverse(ops)) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && ElementWalker::isLarge(linalgOp))
      report({RaiseEvent::Kind::Missed, op, "large-body",
              llvm::formatv("its body has {0} operations, of more than {1}, "
                            "and is not looked into",
                            linalgOp.getBlock()->getOperations().size(),
                            ElementWalker::kMaxBodyOps)});
    else if (linalgOp && linalgOp.hasPureTensorSemantics())
      for (OpResult result : op->getResults())
        raise(result, patterns, raiser);
    // What only a raised structure used is not looked at for parts of it.
    if (raiser.getNumRaised() != 0 && isOpTriviallyDead(op))
      raiser.getRewriter().eraseOp(op);
  }
  if (raiser.getNumRaised() != 0)
    mergeLoraSlices(root, raiser.getRewriter());
}

namespace {

class RaisePass : public impl::RaisePassBase<RaisePass> {
public:
  using RaisePassBase::RaisePassBase;

  void runOnOperation() override {
    raiseToFrit(getOperation(), fidelity,
                [&](const RaiseEvent &event) { emitRemark(event); });
  }

private:
  void emitRemark(const RaiseEvent &event) {
    Location loc = event.op->getLoc();
    remark::RemarkOpts opts = getRemarkOpts(event.op, event.name, "frit-raise");
    switch (event.kind) {
    case RaiseEvent::Kind::Raised:
      ++numRaised;
      remark::passed(loc, opts) << remark::add("{0}", event.text);
      return;
    case RaiseEvent::Kind::Repaired:
      ++numRepaired;
      remark::analysis(loc, opts) << remark::add("repaired: {0}", event.text);
      return;
    case RaiseEvent::Kind::Missed:
      ++numMissed;
      remark::missed(loc, opts) << remark::reason("{0}", event.text);
      return;
    }
  }
};

} // namespace
} // namespace mlir::frit
