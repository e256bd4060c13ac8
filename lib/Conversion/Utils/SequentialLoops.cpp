//===- SequentialLoops.cpp
//---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel loops as nests of sequential ones.
//
//===----------------------------------------------------------------------===//

#include "SequentialLoops.h"

using namespace mlir;
using namespace mlir::frit;

void frit::convertToSequentialLoops(RewriterBase &rewriter,
                                    scf::ParallelOp op) {
  rewriter.setInsertionPoint(op);
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, op.getLoc(), op.getLowerBound(), op.getUpperBound(),
      op.getStep(), op.getInitVals(),
      [](OpBuilder &, Location, ValueRange, ValueRange accumulators) {
        return scf::ValueVector(accumulators);
      });

  SmallVector<Value> indices;
  for (scf::ForOp loop : nest.loops)
    indices.push_back(loop.getInductionVar());
  scf::ForOp innermost = nest.loops.back();
  auto yield = cast<scf::YieldOp>(innermost.getBody()->getTerminator());
  auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
  rewriter.inlineBlockBefore(op.getBody(), yield, indices);

  SmallVector<Value> reduced;
  for (auto [operand, region, accumulator] :
       llvm::zip_equal(reduce.getOperands(), reduce.getReductions(),
                       innermost.getRegionIterArgs())) {
    Block &block = region.front();
    auto reduceReturn = cast<scf::ReduceReturnOp>(block.getTerminator());
    rewriter.inlineBlockBefore(&block, reduce, {accumulator, operand});
    // Asked for now, since inlining replaces the block's arguments.
    reduced.push_back(reduceReturn.getResult());
    rewriter.eraseOp(reduceReturn);
  }
  rewriter.eraseOp(reduce);
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(reduced); });
  rewriter.replaceOp(op, nest.results);
}
