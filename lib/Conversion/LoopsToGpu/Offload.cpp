//===- Offload.cpp - What runs on the device ------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits a function on device memory: the host keeps sizes, control flow over
// them and the order of the work; whatever touches memory goes to launches.
//
//===----------------------------------------------------------------------===//

#include "LoopsToGpu.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::frit;

bool frit::isHostWork(Operation *op) {
  return isa<memref::AllocOp, memref::DeallocOp, memref::CopyOp, gpu::LaunchOp,
             gpu::LaunchFuncOp, KernelOpInterface, CallOpInterface,
             cf::AssertOp>(op);
}

bool frit::accessesMemory(Operation *op) {
  if (isHostWork(op))
    return false;
  bool accesses = false;
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->getNumRegions() > 0) {
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        accesses |= accessesMemory(&inner);
    return accesses;
  }
  return !isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>();
}

namespace {

class Offloader {
public:
  Offloader(func::FuncOp function, RewriterBase &rewriter)
      : function(function), rewriter(rewriter) {}

  LogicalResult run(Block &block);

private:
  /// Where an op goes.
  enum class Place {
    /// Computes with values of the host only.
    Host,
    /// Orders work of the device, itself or in its regions.
    HostWork,
    /// Joins the launch that is being collected.
    Device,
  };

  bool isOfDevice(Value value) const { return deviceValues.contains(value); }
  bool usesDeviceValues(Operation *op) const;
  /// A value of the device that decides over work of the host; null for none.
  Value findDeviceDecision(Operation *op) const;
  FailureOr<Place> classify(Operation *op) const;
  LogicalResult convertHostWork(Operation *op);
  /// Ends the launch that is being collected. Returns the op to go on with.
  FailureOr<Operation *> flush(Operation *next);
  LogicalResult spill(Value value, Operation *end);

  func::FuncOp function;
  RewriterBase &rewriter;
  /// Ops of the block that is being walked.
  SmallVector<Operation *> pending;
  /// What exists on the device only, while the program runs.
  DenseSet<Value> deviceValues;
};

bool Offloader::usesDeviceValues(Operation *op) const {
  WalkResult result = op->walk([&](Operation *inner) {
    return llvm::any_of(inner->getOperands(),
                        [&](Value value) { return isOfDevice(value); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

Value Offloader::findDeviceDecision(Operation *op) const {
  for (Value operand : op->getOperands())
    if (isOfDevice(operand))
      return operand;
  return {};
}

FailureOr<Offloader::Place> Offloader::classify(Operation *op) const {
  Value decision = findDeviceDecision(op);
  bool hasHostWork = false;
  bool hasParallelLoop = false;
  Operation *obstacle = nullptr;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (isHostWork(inner)) {
      hasHostWork = true;
      obstacle = obstacle ? obstacle : inner;
      return WalkResult::skip();
    }
    if (auto loop = dyn_cast<scf::ParallelOp>(inner)) {
      hasParallelLoop |= loop.getInitVals().empty();
      // What is wrong in there is found when the loop is converted.
      return WalkResult::skip();
    }
    return WalkResult::advance();
  });
  if (hasHostWork && decision) {
    InFlightDiagnostic diagnostic =
        obstacle->emitOpError("runs on the host, but depends on a value that "
                              "only the device has");
    diagnostic.attachNote(decision.getLoc()) << "the value is computed here";
    if (isa<cf::AssertOp>(obstacle))
      diagnostic.attachNote(obstacle->getLoc())
          << "a condition on elements is checked on the CPU only (frit-run "
             "--target=cpu --verify); the GPU checks sizes";
    return diagnostic;
  }
  if (hasHostWork || (hasParallelLoop && !decision))
    return Place::HostWork;
  return decision || accessesMemory(op) || usesDeviceValues(op) ? Place::Device
                                                                : Place::Host;
}

LogicalResult Offloader::spill(Value value, Operation *end) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (!end->getParentOp()->isAncestor(use.getOwner()))
      uses.push_back(&use);
  if (uses.empty())
    return success();
  if (!isa<IndexType, IntegerType, FloatType, VectorType>(value.getType())) {
    InFlightDiagnostic diagnostic =
        uses.front()->getOwner()->emitOpError("uses a value of type ")
        << value.getType() << " in other device code than what computes it";
    diagnostic.attachNote(value.getLoc()) << "the value is computed here";
    return diagnostic;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = value.getLoc();
  // Taken once a call; what is left of it at the end goes back by itself.
  rewriter.setInsertionPointToStart(&function.getBody().front());
  Value slot = memref::AllocOp::create(rewriter, loc,
                                       MemRefType::get({}, value.getType()));
  rewriter.setInsertionPoint(end);
  memref::StoreOp::create(rewriter, loc, value, slot);
  for (OpOperand *use : uses) {
    rewriter.setInsertionPoint(use->getOwner());
    Value loaded = memref::LoadOp::create(rewriter, loc, slot);
    rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(loaded); });
  }
  return success();
}

FailureOr<Operation *> Offloader::flush(Operation *next) {
  if (pending.empty())
    return next;
  SmallVector<Value> results;
  for (Operation *op : pending)
    llvm::append_range(results, op->getResults());
  gpu::LaunchOp launch = wrapInLaunch(pending, rewriter);
  pending.clear();
  // Loads of spilled values may come before what follows.
  Operation *end = launch.getBody().front().getTerminator();
  for (Value value : results)
    if (failed(spill(value, end)))
      return failure();
  return launch->getNextNode();
}

LogicalResult Offloader::convertHostWork(Operation *op) {
  if (auto loop = dyn_cast<scf::ParallelOp>(op))
    return convertParallelLoop(loop, rewriter);
  if (isHostWork(op))
    return success();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(run(block)))
        return failure();
  return success();
}

LogicalResult Offloader::run(Block &block) {
  for (Operation *op = &block.front(); op;) {
    FailureOr<Place> place = classify(op);
    if (failed(place))
      return failure();
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      if (Value value = findDeviceDecision(op)) {
        InFlightDiagnostic diagnostic = op->emitOpError(
            "carries a value that only the device has out of host code");
        diagnostic.attachNote(value.getLoc()) << "the value is computed here";
        return diagnostic;
      }
      return flush(op);
    }
    Operation *next = op->getNextNode();
    switch (*place) {
    case Place::HostWork: {
      FailureOr<Operation *> first = flush(op);
      if (failed(first))
        return failure();
      if (*first != op) {
        next = *first;
        break;
      }
      if (failed(convertHostWork(op)))
        return failure();
      break;
    }
    case Place::Device:
      pending.push_back(op);
      deviceValues.insert(op->result_begin(), op->result_end());
      break;
    case Place::Host:
      // Does not depend on the launch, but what is in it may use its results.
      if (!pending.empty())
        rewriter.moveOpBefore(op, pending.front());
      break;
    }
    op = next;
  }
  return success();
}

} // namespace

LogicalResult frit::offloadFunction(func::FuncOp function,
                                    RewriterBase &rewriter) {
  // Addresses of constants are asked for on the host.
  Block &entry = function.getBody().front();
  function.walk([&](memref::GetGlobalOp op) {
    if (op->getBlock() != &entry)
      rewriter.moveOpBefore(op, &entry, entry.begin());
  });
  Offloader offloader(function, rewriter);
  for (Block &block : function.getBody())
    if (failed(offloader.run(block)))
      return failure();
  return success();
}
