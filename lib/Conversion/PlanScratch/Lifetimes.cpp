//===- Lifetimes.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows a buffer, its views and its address from the allocation to the last
// use.
//
//===----------------------------------------------------------------------===//

#include "Lifetimes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::frit;

namespace {

/// A value through which the buffer can be reached.
struct Alias {
  Value value;
  /// An address or a number that was computed from it, not a memref.
  bool isAddress = false;
};

/// Collects the uses of a buffer, as ops of the block of its allocation.
class Uses {
public:
  explicit Uses(memref::AllocOp alloc) : block(alloc->getBlock()) {
    add({alloc.getResult()});
    while (!worklist.empty()) {
      Alias alias = worklist.pop_back_val();
      for (Operation *user : alias.value.getUsers())
        addUse(user, alias);
    }
  }

  SmallVector<Operation *> ops;
  SmallVector<memref::DeallocOp> deallocs;
  /// Whether the buffer can be reached by values that are not followed.
  bool escapes = false;
  /// Whether an op that is not a memref.dealloc frees it.
  bool isFreedOtherwise = false;

private:
  void add(Alias alias) {
    if (seen.insert(alias.value).second)
      worklist.push_back(alias);
  }

  void addUse(Operation *user, Alias alias) {
    if (auto dealloc = dyn_cast<memref::DeallocOp>(user)) {
      deallocs.push_back(dealloc);
      return;
    }
    isFreedOtherwise |= hasEffect<MemoryEffects::Free>(user);
    if (Operation *ancestor = block->findAncestorOpInBlock(*user))
      ops.push_back(ancestor);
    else
      escapes = true;
    // Which branch runs does not matter: the result may be the buffer.
    if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp())) {
      for (OpOperand &operand : user->getOpOperands())
        if (operand.get() == alias.value)
          add({user->getParentOp()->getResult(operand.getOperandNumber()),
               alias.isAddress});
      return;
    }
    if (keeps(user, alias)) {
      escapes = true;
      return;
    }
    bool givesAddress =
        alias.isAddress ||
        isa<memref::ExtractAlignedPointerAsIndexOp, UnrealizedConversionCastOp>(
            user);
    for (Value result : user->getResults()) {
      if (isa<BaseMemRefType>(result.getType()))
        add({result});
      else if (givesAddress && !result.getType().isInteger(1))
        add({result, /*isAddress=*/true});
    }
  }

  /// Whether an op passes the buffer on by other ways than its results, or to
  /// results in a way of its own.
  static bool keeps(Operation *user, Alias alias) {
    if (user->hasTrait<OpTrait::IsTerminator>())
      return true;
    if (user->getNumRegions() && user->getNumResults())
      return true;
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return store.getValueToStore() == alias.value;
    return alias.isAddress && !isMemoryEffectFree(user) &&
           !isa<CallOpInterface, gpu::LaunchFuncOp>(user);
  }

  Block *block;
  SmallVector<Alias> worklist;
  llvm::SmallDenseSet<Value> seen;
};

/// What an op frees, where that is one buffer for certain.
Value getBuffer(memref::DeallocOp op) {
  Value memref = op.getMemref();
  while (true) {
    if (auto cast = memref.getDefiningOp<memref::CastOp>())
      memref = cast.getSource();
    else if (auto metadata =
                 memref.getDefiningOp<memref::ExtractStridedMetadataOp>())
      memref = metadata.getSource();
    else
      return memref;
  }
}

/// Whether the op runs at most once at a time in a call of its function.
bool isSequential(Operation *op, Operation *function) {
  for (Operation *parent = op->getParentOp();; parent = parent->getParentOp()) {
    if (!op->getParentRegion()->hasOneBlock())
      return false;
    if (parent == function)
      return true;
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::IndexSwitchOp,
             scf::ExecuteRegionOp>(parent))
      return false;
    op = parent;
  }
}

} // namespace

Lifetimes::Lifetimes(FunctionOpInterface function) {
  number(function.getFunctionBody());
}

void Lifetimes::number(Region &region) {
  for (Block &block : region) {
    for (Operation &op : block) {
      uint32_t begin = next++;
      for (Region &inner : op.getRegions())
        number(inner);
      positions[&op] = {begin, next++};
    }
  }
}

BufferLifetime Lifetimes::get(memref::AllocOp alloc) const {
  BufferLifetime result;
  if (!isSequential(alloc, alloc->getParentOfType<FunctionOpInterface>())) {
    result.unknown = "it is not in straight-line code or a sequential loop";
    return result;
  }
  Uses uses(alloc);
  if (uses.isFreedOtherwise || uses.deallocs.size() != 1 ||
      uses.deallocs.front()->getBlock() != alloc->getBlock() ||
      getBuffer(uses.deallocs.front()) != alloc) {
    result.unknown = "it is not freed once, in the block that allocates it";
    return result;
  }
  result.dealloc = uses.deallocs.front();
  Lifetime &lifetime = result.lifetime;
  if (uses.escapes) {
    lifetime = {positions.lookup(alloc).begin,
                positions.lookup(result.dealloc).end};
    return result;
  }
  lifetime = positions.lookup(uses.ops.empty() ? alloc : uses.ops.front());
  for (Operation *op : uses.ops) {
    Lifetime position = positions.lookup(op);
    lifetime.begin = std::min(lifetime.begin, position.begin);
    lifetime.end = std::max(lifetime.end, position.end);
  }
  return result;
}
