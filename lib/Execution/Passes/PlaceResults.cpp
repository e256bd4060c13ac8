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
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return false;
  if (auto ifOp = dyn_cast<scf::IfOp>(result.getOwner())) {
    unsigned number = result.getResultNumber();
    return findDestinations(ifOp.thenYield().getOperand(number), uses) &&
           findDestinations(ifOp.elseYield().getOperand(number), uses);
  }
  auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
  if (!op)
    return false;
  OpOperand *destination = op.getTiedOpOperand(result);
  if (destination->get().getDefiningOp<tensor::EmptyOp>()) {
    uses.push_back(destination);
    return true;
  }
  return findDestinations(destination->get(), uses);
}

/// The use of a tensor that belongs to the caller, at the end of the chain of
/// ops that update it to a value; null where the chain ends in something else.
OpOperand *findUpdatedArgument(Value value) {
  OpOperand *destination = nullptr;
  while (auto op = value.getDefiningOp<DestinationStyleOpInterface>()) {
    destination = op.getTiedOpOperand(cast<OpResult>(value));
    value = destination->get();
  }
  auto argument = dyn_cast<BlockArgument>(value);
  bool isCallers =
      argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return isCallers ? destination : nullptr;
}

class PlaceResultsPass : public impl::PlaceResultsPassBase<PlaceResultsPass> {
public:
  using PlaceResultsPassBase::PlaceResultsPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](bufferization::MaterializeInDestinationOp op) {
      if (updateInDestination(op))
        return;
      // Where it is the only access to the buffer, and from an scf.if: upstream
      // places all others.
      auto type = dyn_cast<MemRefType>(op.getDest().getType());
      SmallVector<OpOperand *> uses;
      if (!type || !op.getRestrict() || !isa<BlockArgument>(op.getDest()) ||
          !op.getSource().getDefiningOp<scf::IfOp>() ||
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
    OpOperand *argument = findUpdatedArgument(op.getSource());
    if (!type || !op.getRestrict() || !isa<BlockArgument>(op.getDest()) ||
        !argument || argument->get().getType() != op.getSource().getType() ||
        memref::getTensorTypeFromMemRefType(type) != op.getSource().getType())
      return false;
    // Another op may compute its result in the place of a value on the way; if
    // that is needed later, the result may not be written over it.
    auto first = cast<DestinationStyleOpInterface>(argument->getOwner());
    if (mayBeUsedAfter(first.getTiedOpResult(argument), op))
      return false;
    OpBuilder builder(argument->getOwner());
    Value destination = bufferization::ToTensorOp::create(
        builder, op.getLoc(), op.getSource().getType(), op.getDest(),
        /*restrict=*/true, /*writable=*/true);
    argument->set(bufferization::MaterializeInDestinationOp::create(
                      builder, op.getLoc(), destination.getType(),
                      argument->get(), destination)
                      .getResult());
    op.setRestrict(false);
    ++numPlaced;
    return true;
  }
};

} // namespace
} // namespace mlir::frit
