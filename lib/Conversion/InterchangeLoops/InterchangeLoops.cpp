//===- InterchangeLoops.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-interchange-loops: reductions get an innermost loop that walks
// memory in order, without changing the order of any sum.
//
//===----------------------------------------------------------------------===//

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

#define GEN_PASS_DEF_INTERCHANGELOOPSPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// The number of operands that a loop over `dim` does not walk in order: `dim`
/// moves them, but not by their innermost dimension.
int64_t countStridedOperands(linalg::LinalgOp op, unsigned dim) {
  return llvm::count_if(op.getIndexingMapsArray(), [&](AffineMap map) {
    if (!map.isFunctionOfDim(dim))
      return false;
    auto inner = dyn_cast<AffineDimExpr>(map.getResults().back());
    return !inner || inner.getPosition() != dim;
  });
}

/// The parallel loop that should be innermost instead of the reduction that is;
/// nothing where the order is good.
std::optional<unsigned> findBetterInnermostLoop(linalg::LinalgOp op) {
  unsigned numLoops = op.getNumLoops();
  if (numLoops == 0)
    return std::nullopt;
  unsigned innermost = numLoops - 1;
  if (!linalg::isReductionIterator(op.getIteratorTypesArray()[innermost]))
    return std::nullopt;
  std::optional<unsigned> best;
  int64_t fewest = countStridedOperands(op, innermost);
  SmallVector<unsigned> parallelLoops;
  op.getParallelDims(parallelLoops);
  for (unsigned dim : parallelLoops) {
    int64_t strided = countStridedOperands(op, dim);
    if (strided < fewest) {
      fewest = strided;
      best = dim;
    }
  }
  return best;
}

class InterchangeLoopsPass
    : public impl::InterchangeLoopsPassBase<InterchangeLoopsPass> {
public:
  using InterchangeLoopsPassBase::InterchangeLoopsPassBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      interchange(op, rewriter);
  }

private:
  void interchange(linalg::LinalgOp op, RewriterBase &rewriter) {
    std::optional<unsigned> innermost = findBetterInnermostLoop(op);
    if (!innermost)
      return;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        isa<linalg::GenericOp>(op)
            ? FailureOr<linalg::GenericOp>(cast<linalg::GenericOp>(op))
            : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return;
    SmallVector<unsigned> order;
    for (unsigned dim = 0; dim < generic->getNumLoops(); ++dim)
      if (dim != *innermost)
        order.push_back(dim);
    order.push_back(*innermost);
    if (succeeded(linalg::interchangeGenericOp(rewriter, *generic, order)))
      ++numInterchanged;
  }
};

} // namespace
} // namespace mlir::frit
