//===- Launches.cpp - Parallel loops as launches --------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds launches from parallel loops and from runs of sequential ops.
//
//===----------------------------------------------------------------------===//

#include "LoopsToGpu.h"

#include "../Utils/SequentialLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

/// Threads of a block of a generated kernel.
static constexpr int64_t kBlockThreads = 256;

static Value createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// A launch along x, with an empty body.
static gpu::LaunchOp createLaunch(OpBuilder &builder, Location loc,
                                  Value blocks, int64_t threads) {
  Value one = createIndex(builder, loc, 1);
  Value size = createIndex(builder, loc, threads);
  auto launch = gpu::LaunchOp::create(
      builder, loc, blocks, one, one, size, one, one,
      /*dynamicSharedMemorySize=*/Value(), /*asyncTokenType=*/Type(),
      /*asyncDependencies=*/ValueRange(), /*workgroupAttributions=*/TypeRange(),
      /*privateAttributions=*/TypeRange(), /*clusterSizeX=*/Value(),
      /*clusterSizeY=*/Value(), /*clusterSizeZ=*/Value(),
      FlatSymbolRefAttr::get(builder.getContext(), kGeneratedKernels));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&launch.getBody().front());
  gpu::TerminatorOp::create(builder, loc);
  return launch;
}

gpu::LaunchOp frit::wrapInLaunch(ArrayRef<Operation *> run,
                                 RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(run.front());
  Location loc = run.front()->getLoc();
  gpu::LaunchOp launch =
      createLaunch(rewriter, loc, createIndex(rewriter, loc, 1), /*threads=*/1);
  Operation *end = launch.getBody().front().getTerminator();
  for (Operation *op : run)
    rewriter.moveOpBefore(op, end);
  SmallVector<scf::ParallelOp> loops;
  launch.walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
  for (scf::ParallelOp loop : loops)
    convertToSequentialLoops(rewriter, loop);
  return launch;
}

namespace {
/// The iterations of a parallel loop in row-major order, as one dimension.
class Iterations {
public:
  Iterations(OpBuilder &builder, scf::ParallelOp op) : op(op) {
    Location loc = op.getLoc();
    for (auto [lower, upper, step] : llvm::zip_equal(
             op.getLowerBound(), op.getUpperBound(), op.getStep())) {
      Value distance = builder.createOrFold<arith::SubIOp>(loc, upper, lower);
      Value size =
          builder.createOrFold<arith::CeilDivSIOp>(loc, distance, step);
      // An empty range may have its bounds in any order.
      Value zero = createIndex(builder, loc, 0);
      size = builder.createOrFold<arith::MaxSIOp>(loc, size, zero);
      sizes.push_back(size);
      count =
          count ? builder.createOrFold<arith::MulIOp>(loc, count, size) : size;
    }
  }

  Value getCount() const { return count; }

  /// The values of the loop's induction variables in iteration `number`.
  SmallVector<Value> getIndices(OpBuilder &builder, Value number) {
    Location loc = op.getLoc();
    SmallVector<Value> indices(sizes.size());
    for (size_t dim = sizes.size(); dim-- > 0;) {
      Value position = number;
      if (dim > 0) {
        position =
            builder.createOrFold<arith::RemUIOp>(loc, number, sizes[dim]);
        number = builder.createOrFold<arith::DivUIOp>(loc, number, sizes[dim]);
      }
      Value offset =
          builder.createOrFold<arith::MulIOp>(loc, position, op.getStep()[dim]);
      indices[dim] = builder.createOrFold<arith::AddIOp>(
          loc, offset, op.getLowerBound()[dim]);
    }
    return indices;
  }

private:
  scf::ParallelOp op;
  SmallVector<Value> sizes;
  Value count;
};
} // namespace

/// Moves the body of a loop without results to the insertion point.
static void inlineBody(scf::ParallelOp op, ValueRange indices,
                       RewriterBase &rewriter) {
  rewriter.eraseOp(op.getBody()->getTerminator());
  rewriter.inlineBlockBefore(op.getBody(), rewriter.getInsertionBlock(),
                             rewriter.getInsertionPoint(), indices);
  rewriter.eraseOp(op);
}

/// A thread for each iteration.
static void convertToThreads(scf::ParallelOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  SmallVector<scf::ParallelOp> nested;
  op.getBody()->walk([&](scf::ParallelOp inner) { nested.push_back(inner); });
  for (scf::ParallelOp inner : nested)
    convertToSequentialLoops(rewriter, inner);
  rewriter.setInsertionPoint(op);
  Iterations iterations(rewriter, op);
  Value threads = createIndex(rewriter, loc, kBlockThreads);
  Value blocks = rewriter.createOrFold<arith::CeilDivSIOp>(
      loc, iterations.getCount(), threads);
  gpu::LaunchOp launch = createLaunch(rewriter, loc, blocks, kBlockThreads);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Value first = arith::MulIOp::create(rewriter, loc, launch.getBlockIds().x,
                                      launch.getBlockSize().x);
  Value number =
      arith::AddIOp::create(rewriter, loc, first, launch.getThreadIds().x);
  Value isInside = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::ult, number, iterations.getCount());
  auto ifOp = scf::IfOp::create(rewriter, loc, isInside);
  rewriter.setInsertionPointToStart(ifOp.thenBlock());
  SmallVector<Value> indices = iterations.getIndices(rewriter, number);
  inlineBody(op, indices, rewriter);
}

/// Shares an inner loop among the threads of a block.
static void distribute(scf::ParallelOp op, gpu::LaunchOp launch,
                       RewriterBase &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  gpu::BarrierOp::create(rewriter, loc);
  Iterations iterations(rewriter, op);
  auto loop =
      scf::ForOp::create(rewriter, loc, launch.getThreadIds().x,
                         iterations.getCount(), launch.getBlockSize().x);
  gpu::BarrierOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> indices =
      iterations.getIndices(rewriter, loop.getInductionVar());
  inlineBody(op, indices, rewriter);
}

/// Lets one thread run an op that writes; the others wait for it.
static void guardWrite(Operation *op, gpu::LaunchOp launch,
                       RewriterBase &rewriter) {
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  gpu::BarrierOp::create(rewriter, loc);
  Value zero = createIndex(rewriter, loc, 0);
  Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        launch.getThreadIds().x, zero);
  auto ifOp = scf::IfOp::create(rewriter, loc, isFirst);
  gpu::BarrierOp::create(rewriter, loc);
  rewriter.moveOpBefore(op, ifOp.thenBlock()->getTerminator());
}

namespace {
/// The ops in the body of a loop that a block runs, by what is done to them.
struct BlockBody {
  /// Outermost loops, which the threads share.
  SmallVector<scf::ParallelOp> shared;
  /// Loops inside of those, and loops with reductions: in a thread.
  SmallVector<scf::ParallelOp> sequential;
  /// Ops outside of the shared loops that write: one thread runs them.
  SmallVector<Operation *> writes;

  explicit BlockBody(scf::ParallelOp op) {
    op.getBody()->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      auto loop = dyn_cast<scf::ParallelOp>(inner);
      if (loop && loop.getInitVals().empty()) {
        shared.push_back(loop);
        loop.getBody()->walk(
            [&](scf::ParallelOp nested) { sequential.push_back(nested); });
        return WalkResult::skip();
      }
      if (loop)
        sequential.push_back(loop);
      if (inner->getNumRegions() == 0 && !isReadOnly(inner))
        writes.push_back(inner);
      return WalkResult::advance();
    });
  }

  /// False where threads could not run it together.
  bool isSuitable() const {
    return !shared.empty() && llvm::all_of(writes, [](Operation *write) {
      return write->use_empty();
    });
  }

private:
  static bool isReadOnly(Operation *op) {
    if (isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>())
      return true;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return effects && effects.onlyHasEffect<MemoryEffects::Read>();
  }
};
} // namespace

/// A block for each iteration. What is outside the shared loops is computed by
/// all threads alike, so that all take the same branches and meet at the
/// barriers.
static void convertToBlocks(scf::ParallelOp op, const BlockBody &body,
                            RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  Iterations iterations(rewriter, op);
  gpu::LaunchOp launch =
      createLaunch(rewriter, op.getLoc(), iterations.getCount(), kBlockThreads);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  SmallVector<Value> indices =
      iterations.getIndices(rewriter, launch.getBlockIds().x);
  inlineBody(op, indices, rewriter);
  for (Operation *write : body.writes)
    guardWrite(write, launch, rewriter);
  for (scf::ParallelOp inner : body.sequential)
    convertToSequentialLoops(rewriter, inner);
  for (scf::ParallelOp inner : body.shared)
    distribute(inner, launch, rewriter);
}

LogicalResult frit::convertParallelLoop(scf::ParallelOp op,
                                        RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  WalkResult result = op.getBody()->walk([&](Operation *inner) {
    if (!isHostWork(inner))
      return WalkResult::advance();
    inner->emitOpError("is in a parallel loop, which runs on the device, where "
                       "it cannot run");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  BlockBody body(op);
  if (body.isSuitable())
    convertToBlocks(op, body, rewriter);
  else
    convertToThreads(op, rewriter);
  return success();
}
