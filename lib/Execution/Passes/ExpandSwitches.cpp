//===- ExpandSwitches.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-expand-switches.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::frit {

#define GEN_PASS_DEF_EXPANDSWITCHESPASS
#include "frit/Execution/Passes.h.inc"

namespace {

bool yieldsTensor(scf::IndexSwitchOp op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// A branch for each case, and the next one in the place where none is taken.
void expand(scf::IndexSwitchOp op, IRRewriter &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Block *rest = nullptr;
  for (auto [number, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    Value value = arith::ConstantIndexOp::create(rewriter, loc, number);
    Value isTaken = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, op.getArg(), value);
    auto branch = scf::IfOp::create(rewriter, loc, op->getResultTypes(),
                                    isTaken, /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    rewriter.mergeBlocks(&region.front(), branch.thenBlock());
    if (rest)
      scf::YieldOp::create(rewriter, loc, branch.getResults());
    else
      rewriter.replaceAllUsesWith(op->getResults(), branch.getResults());
    rest = branch.elseBlock();
    rewriter.setInsertionPointToStart(rest);
  }
  Block &last = op.getDefaultBlock();
  if (rest) {
    rewriter.mergeBlocks(&last, rest);
    rewriter.eraseOp(op);
    return;
  }
  Operation *yield = last.getTerminator();
  rewriter.inlineBlockBefore(&last, op);
  rewriter.replaceOp(op, yield->getOperands());
  rewriter.eraseOp(yield);
}

class ExpandSwitchesPass
    : public impl::ExpandSwitchesPassBase<ExpandSwitchesPass> {
public:
  using ExpandSwitchesPassBase::ExpandSwitchesPassBase;

  void runOnOperation() override {
    SmallVector<scf::IndexSwitchOp> switches;
    getOperation()->walk([&](scf::IndexSwitchOp op) {
      if (yieldsTensor(op))
        switches.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (scf::IndexSwitchOp op : switches)
      expand(op, rewriter);
    numExpanded += switches.size();
  }
};

} // namespace
} // namespace mlir::frit
