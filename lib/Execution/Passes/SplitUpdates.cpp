//===- SplitUpdates.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-split-updates. One-shot analysis compares every write of a
// buffer with every read of it, so that a long chain of updates takes it a time
// that is cubic in their number. Here each link of such a chain becomes a
// tensor of its own, and lies in the same buffer because the IR says so. So
// does each of very many reads of the last one.
//
//===----------------------------------------------------------------------===//

#include "LaterUses.h"
#include "Updates.h"

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::frit {

#define GEN_PASS_DEF_SPLITUPDATESPASS
#include "frit/Execution/Passes.h.inc"

namespace {

/// Updates of one tensor after another, in the order of their block, each of
/// which may overwrite the one before.
struct Chain {
  /// What the first one updates, and its uses there.
  Value start;
  SmallVector<OpOperand *> startUses;
  SmallVector<OpResult> updates;
};

/// The only update of `value`, in its block and after all other uses; null
/// where there is none.
OpResult findNextUpdate(OpResult value) {
  Block *block = value.getOwner()->getBlock();
  llvm::SmallSetVector<Operation *, 8> users;
  for (Operation *user : value.getUsers())
    if (Operation *ancestor = block->findAncestorOpInBlock(*user))
      users.insert(ancestor);
  OpResult update;
  for (Operation *user : users)
    for (OpResult result : user->getResults()) {
      SmallVector<OpOperand *> uses;
      if (findUpdatedTensor(result, uses) != value)
        continue;
      if (update)
        return {};
      update = result;
    }
  if (update && mayBeUsedAfter(value, update.getOwner(), update))
    return {};
  return update;
}

/// Whether an argument of a function is the caller's, who does not let it be
/// written to.
bool isReadOnlyArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return false;
  auto writable = function.getArgAttrOfType<BoolAttr>(
      argument.getArgNumber(),
      bufferization::BufferizationDialect::kWritableAttrName);
  return writable && !writable.getValue();
}

/// Whether a tensor is written into a part of another one, where upstream would
/// rather have it computed.
bool isInserted(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto op = dyn_cast<SubsetInsertionOpInterface>(use.getOwner());
    return op && &op.getSourceOperand() == &use;
  });
}

/// Whether it is known which buffer the chain comes to lie in.
bool hasKnownBuffer(Chain &chain) {
  OpResult update = chain.updates.front();
  Operation *first = update.getOwner();
  auto type = dyn_cast<RankedTensorType>(chain.start.getType());
  if (!type || type.getEncoding())
    return false;
  // It is copied before the first update.
  if (isReadOnlyArgument(chain.start))
    return chain.start.getParentBlock() == first->getBlock() &&
           !mayBeUsedAfter(chain.startUses, first, update) &&
           !mayBeAnotherTensor(chain.startUses, update);
  if (mayBeUsedAfter(chain.start, first, update))
    return false;
  if (auto op = chain.start.getDefiningOp<bufferization::ToTensorOp>())
    return op.getRestrict() && op.getWritable();
  return chain.start.getDefiningOp<tensor::EmptyOp>() &&
         !isInserted(chain.updates.back());
}

class SplitUpdatesPass : public impl::SplitUpdatesPassBase<SplitUpdatesPass> {
public:
  using SplitUpdatesPassBase::SplitUpdatesPassBase;

  void runOnOperation() override {
    if (minReads < 1) {
      emitError(getOperation()->getLoc())
          << getArgument() << ": min-reads=" << minReads.getValue()
          << ": expected a number of reads of 1 or more";
      return signalPassFailure();
    }
    if (minUpdates < 2) {
      emitError(getOperation()->getLoc())
          << getArgument() << ": min-updates=" << minUpdates.getValue()
          << ": expected a number of updates of 2 or more";
      return signalPassFailure();
    }
    // All are found before the first is split, which changes the order of ops.
    for (Chain &chain : findChains())
      split(chain);
  }

private:
  std::vector<Chain> findChains() {
    std::vector<Chain> chains;
    DenseSet<Value> visited;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (OpResult result : op->getResults()) {
        Chain chain;
        if (!isa<TensorType>(result.getType()) || visited.contains(result))
          continue;
        chain.start = findUpdatedTensor(result, chain.startUses);
        if (!chain.start)
          continue;
        for (OpResult update = result; update;
             update = findNextUpdate(update)) {
          visited.insert(update);
          chain.updates.push_back(update);
        }
        int64_t numUpdates = chain.updates.size();
        if ((numUpdates >= minUpdates || hasManyReads(chain)) &&
            hasKnownBuffer(chain))
          chains.push_back(std::move(chain));
      }
    });
    return chains;
  }

  /// The buffer of a chain, which from here on is that of its start.
  static Value placeStart(Chain &chain) {
    if (auto op = chain.start.getDefiningOp<bufferization::ToTensorOp>())
      return op.getBuffer();
    auto empty = chain.start.getDefiningOp<tensor::EmptyOp>();
    OpBuilder builder(empty ? empty : chain.updates.front().getOwner());
    Location loc = chain.start.getLoc();
    auto type = cast<RankedTensorType>(chain.start.getType());
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(
            empty ? empty.getDynamicSize(dim)
                  : tensor::DimOp::create(builder, loc, chain.start, dim)
                        .getResult());
    auto buffer = memref::AllocOp::create(
        builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
        sizes);
    buffer.setAlignment(bufferization::BufferizationOptions().bufferAlignment);
    Value start = createTensor(builder, loc, type, buffer, /*writable=*/true);
    if (!empty)
      start = bufferization::MaterializeInDestinationOp::create(
                  builder, loc, type, chain.start, start)
                  .getResult();
    for (OpOperand *use : chain.startUses)
      use->set(start);
    return buffer;
  }

  bool hasManyReads(Chain &chain) {
    return chain.updates.back().hasNUsesOrMore(minReads);
  }

  void split(Chain &chain) {
    Value buffer = placeStart(chain);
    if (hasManyReads(chain))
      splitReads(chain.updates.back(), buffer);
    for (OpResult update : ArrayRef(chain.updates).drop_back()) {
      OpBuilder builder(&getContext());
      auto write = createWrite(builder, update, buffer);
      update.replaceAllUsesExcept(createTensor(builder, update.getLoc(),
                                               update.getType(), buffer,
                                               /*writable=*/true),
                                  write);
      ++numSplit;
    }
  }

  /// Gives each use of the last value a tensor. Whoever wants to write to one
  /// gets a copy, because the others are in the same buffer.
  void splitReads(OpResult last, Value buffer) {
    OpBuilder builder(&getContext());
    auto write = createWrite(builder, last, buffer);
    for (OpOperand &use : llvm::make_early_inc_range(last.getUses())) {
      if (use.getOwner() == write)
        continue;
      builder.setInsertionPoint(use.getOwner());
      use.set(createTensor(builder, last.getLoc(), last.getType(), buffer,
                           /*writable=*/false));
      ++numSplit;
    }
  }

  /// Writes a value to its own place, after its op.
  static bufferization::MaterializeInDestinationOp
  createWrite(OpBuilder &builder, OpResult value, Value buffer) {
    builder.setInsertionPointAfterValue(value);
    return bufferization::MaterializeInDestinationOp::create(
        builder, value.getLoc(), /*result=*/Type(), value, buffer,
        /*restrict=*/false, /*writable=*/true);
  }

  static Value createTensor(OpBuilder &builder, Location loc, Type type,
                            Value buffer, bool writable) {
    return bufferization::ToTensorOp::create(builder, loc, type, buffer,
                                             /*restrict=*/true, writable);
  }
};

} // namespace
} // namespace mlir::frit
