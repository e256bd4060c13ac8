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

#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::frit {

#define GEN_PASS_DEF_RAISEPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

class RaisePass : public impl::RaisePassBase<RaisePass> {
public:
  using RaisePassBase::RaisePassBase;

  void runOnOperation() override {
    RaisePatternList patterns;
    populateRaiseActivationPatterns(patterns);
    populateRaiseLoraPatterns(patterns);

    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      ops.push_back(op);
      return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                       : WalkResult::advance();
    });
    Raiser raiser(fidelity, &getContext());
    for (Operation *op : llvm::reverse(ops)) {
      auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
      if (linalgOp && linalgOp.hasPureTensorSemantics())
        for (OpResult result : op->getResults())
          raise(result, patterns, raiser);
      // What only a raised structure used is not looked at for parts of it.
      if (raiser.getNumRaised() != 0 && isOpTriviallyDead(op))
        raiser.getRewriter().eraseOp(op);
    }
    if (raiser.getNumRaised() != 0)
      mergeLoraSlices(getOperation(), raiser.getRewriter());
    numRaised += raiser.getNumRaised();
    numRepaired += raiser.getNumRepaired();
    numMissed += raiser.getNumMissed();
  }

private:
  static void raise(OpResult root, const RaisePatternList &patterns,
                    Raiser &raiser) {
    if (root.use_empty() || !isa<RankedTensorType>(root.getType()))
      return;
    ElementWalker elements(root);
    for (const std::unique_ptr<RaisePattern> &pattern : patterns) {
      raiser.getRewriter().setInsertionPoint(root.getOwner());
      if (pattern->raise(root, elements, raiser))
        return;
    }
  }
};

} // namespace
} // namespace mlir::frit
