//===- PlaceResults.cpp - Results of branches in their destinations -------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-place-results.
//
//===----------------------------------------------------------------------===//

#include "LaterUses.h"
#include "Updates.h"

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::frit {

#define GEN_PASS_DEF_PLACERESULTSPASS
#include "frit/Execution/Passes.h.inc"

namespace {

/// Finds the uses of tensor.empty ops as destinations that a value is computed
/// in, one for each branch that may run. False where it may be something else.
bool findDestinations(Value value, SmallVectorImpl<OpOperand *> &uses) {
  while (auto result = dyn_cast<OpResult>(value)) {
    SmallVector<OpOperand *> updates;
    if (Value updated = findUpdatedTensor(result, updates)) {
      if (updated.getDefiningOp<tensor::EmptyOp>()) {
        uses.append(updates);
        return true;
      }
      value = updated;
      continue;
    }
    auto ifOp = dyn_cast<scf::IfOp>(result.getOwner());
    if (!ifOp)
      return false;
    // Each branch has its own.
    unsigned number = result.getResultNumber();
    return findDestinations(ifOp.thenYield().getOperand(number), uses) &&
           findDestinations(ifOp.elseYield().getOperand(number), uses);
  }
  return false;
}

/// An argument that belongs to the caller, and the first op that updates it on
/// the way to a value.
struct UpdatedArgument {
  /// Null where the value is made of something else.
  OpResult update;
  /// The uses of the argument there.
  SmallVector<OpOperand *> uses;
};

UpdatedArgument findUpdatedArgument(Value value) {
  UpdatedArgument argument;
  while (auto result = dyn_cast<OpResult>(value)) {
    argument.update = result;
    argument.uses.clear();
    value = findUpdatedTensor(result, argument.uses);
    if (!value)
      return {};
  }
  if (!isa<FunctionOpInterface>(value.getParentBlock()->getParentOp()))
    return {};
  return argument;
}

class PlaceResultsPass : public impl::PlaceResultsPassBase<PlaceResultsPass> {
public:
  using PlaceResultsPassBase::PlaceResultsPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](bufferization::MaterializeInDestinationOp op) {
      if (updateInDestination(op))
        return;
      // Where it is the only access to the buffer.
      auto type = dyn_cast<MemRefType>(op.getDest().getType());
      SmallVector<OpOperand *> uses;
      if (!type || !op.getRestrict() || !isa<BlockArgument>(op.getDest()) ||
          !findDestinations(op.getSource(), uses))
        return;
      // The buffer may have fewer static sizes than the result.
      if (memref::getTensorTypeFromMemRefType(type) != op.getSource().getType())
        return;
      if (llvm::any_of(uses, [&](OpOperand *use) {
            return use->get().getType() != op.getSource().getType() ||
                   mayBeUsedAfter(use->get(), op);
          }))
        return;
      OpBuilder builder =
          OpBuilder::atBlockBegin(cast<BlockArgument>(op.getDest()).getOwner());
      Value destination = bufferization::ToTensorOp::create(
          builder, op.getLoc(), op.getSource().getType(), op.getDest(),
          /*restrict=*/true, /*writable=*/true);
      for (OpOperand *use : uses)
        use->set(destination);
      op.setRestrict(false);
      ++numPlaced;
    });
  }

private:
  /// Copies an argument that ops update to a result to where the result goes,
  /// before the first of them; bufferization would copy it elsewhere, and
  /// the result once more.
  bool updateInDestination(bufferization::MaterializeInDestinationOp op) {
    auto type = dyn_cast<MemRefType>(op.getDest().getType());
    UpdatedArgument argument = findUpdatedArgument(op.getSource());
    if (!type || !op.getRestrict() || !isa<BlockArgument>(op.getDest()) ||
        !argument.update ||
        argument.update.getType() != op.getSource().getType() ||
        memref::getTensorTypeFromMemRefType(type) != op.getSource().getType())
      return false;
    // Another op may compute its result in the place of a value on the way; if
    // that is needed later, the result may not be written over it.
    if (mayBeUsedAfter(argument.uses, op) || mayBeAnotherTensor(argument.uses))
      return false;
    OpBuilder builder(argument.update.getOwner());
    Value destination = bufferization::ToTensorOp::create(
        builder, op.getLoc(), op.getSource().getType(), op.getDest(),
        /*restrict=*/true, /*writable=*/true);
    Value copy = bufferization::MaterializeInDestinationOp::create(
                     builder, op.getLoc(), destination.getType(),
                     argument.uses.front()->get(), destination)
                     .getResult();
    for (OpOperand *use : argument.uses)
      use->set(copy);
    op.setRestrict(false);
    ++numPlaced;
    return true;
  }
};

} // namespace
} // namespace mlir::frit
