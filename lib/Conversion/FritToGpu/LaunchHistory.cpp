//===- LaunchHistory.cpp - What the kernels ahead may still write ---------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks back from an op over what the stream runs before it.
//
//===----------------------------------------------------------------------===//

#include "LaunchHistory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::frit;

/// What a memref is a view of.
static Value getViewed(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      memref = metadata.getSource();
    else if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      memref = view.getViewSource();
    else
      break;
  }
  return memref;
}

/// The allocation or the argument of a public function that a memref is a view
/// of; null for any other. Two of these never overlap where one is written: of
/// a public function's arguments callers must ensure it (frit-c/Entry.h).
static Value getBuffer(Value memref) {
  memref = getViewed(memref);
  if (Operation *op = memref.getDefiningOp())
    return isa<memref::AllocOp>(op) ? memref : Value();
  auto argument = cast<BlockArgument>(memref);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && function.isPublic() ? memref : Value();
}

/// Whether a memref is in a constant, which no kernel writes.
static bool isConstant(Value memref) {
  auto op = getViewed(memref).getDefiningOp<memref::GetGlobalOp>();
  if (!op)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  return global && global.getConstant();
}

static std::optional<SmallVector<Value, 2>> getWritten(KernelOpInterface op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  cast<MemoryEffectOpInterface>(op.getOperation()).getEffects(effects);
  SmallVector<Value, 2> written;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    if (!isa<MemoryEffects::Write>(effect.getEffect()))
      continue;
    Value buffer = effect.getValue() ? getBuffer(effect.getValue()) : Value();
    if (!buffer)
      return std::nullopt;
    written.push_back(buffer);
  }
  return written;
}

/// Whether an op of the host puts nothing into the stream.
static bool isOffStream(Operation *op) {
  return isa<memref::AllocOp, memref::DeallocOp, scf::YieldOp>(op) ||
         isMemoryEffectFree(op);
}

void LaunchHistory::record(Operation *launch, KernelOpInterface op,
                           bool mayBeSkipped) {
  launches[launch] = {getWritten(op), mayBeSkipped};
}

LaunchHistory::Outcome LaunchHistory::lookBack(Operation *last,
                                               ArrayRef<Value> buffers) const {
  for (Operation *ahead = last; ahead; ahead = ahead->getPrevNode()) {
    if (isOffStream(ahead))
      continue;
    if (auto branches = dyn_cast<scf::IfOp>(ahead)) {
      Outcome first = lookBack(&branches.thenBlock()->back(), buffers);
      Outcome second = branches.elseBlock()
                           ? lookBack(&branches.elseBlock()->back(), buffers)
                           : Outcome::Open;
      if (first == Outcome::Unsafe || second == Outcome::Unsafe)
        return Outcome::Unsafe;
      if (first == Outcome::Safe && second == Outcome::Safe)
        return Outcome::Safe;
      continue;
    }
    auto known = launches.find(ahead);
    if (known == launches.end())
      return Outcome::Unsafe;
    const Past &past = known->second;
    if (!past.written || llvm::any_of(*past.written, [&](Value written) {
          return llvm::is_contained(buffers, written);
        }))
      return Outcome::Unsafe;
    // One that is skipped leaves the one before it as the kernel ahead.
    if (!past.mayBeSkipped)
      return Outcome::Safe;
  }
  return Outcome::Open;
}

bool LaunchHistory::isCompleteBefore(KernelOpInterface op,
                                     ArrayRef<unsigned> positions) const {
  SmallVector<Value> buffers;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()) ||
        llvm::is_contained(positions, operand.getOperandNumber()) ||
        isConstant(operand.get()))
      continue;
    buffers.push_back(getBuffer(operand.get()));
    if (!buffers.back())
      return false;
  }
  // The first launch of a branch comes after what is before the branches.
  for (Operation *place = op; place;
       place = dyn_cast_if_present<scf::IfOp>(place->getParentOp())) {
    Outcome outcome = lookBack(place->getPrevNode(), buffers);
    if (outcome != Outcome::Open)
      return outcome == Outcome::Safe;
  }
  return false;
}
