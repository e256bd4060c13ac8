//===- SinkGroupings.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-sink-groupings: groups tokens only where a branch that runs
// uses the grouping.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::frit {

#define GEN_PASS_DEF_SINKGROUPINGSPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// A branch of an `scf.if`: its condition, and whether it is the then branch.
using Branch = std::pair<Value, bool>;

/// Copies conditions to an earlier place.
class ConditionMover {
public:
  ConditionMover(Operation *place, const DominanceInfo &dominance)
      : place(place), dominance(dominance), builder(place) {}

  /// Whether `condition` can be computed at the place.
  bool canMove(Value condition) {
    llvm::SetVector<Value> values;
    values.insert(condition);
    // Grows while it is read.
    for (size_t index = 0; index < values.size(); ++index) {
      Value value = values[index];
      if (dominance.properlyDominates(value, place))
        continue;
      Operation *op = value.getDefiningOp();
      if (!op || op == place || !isMovable(op))
        return false;
      values.insert(op->operand_begin(), op->operand_end());
    }
    return true;
  }

  /// `value` at the place, where it can be moved there.
  Value move(Value value) {
    if (dominance.properlyDominates(value, place))
      return value;
    if (!mapping.contains(value)) {
      Operation *op = value.getDefiningOp();
      for (Value operand : op->getOperands())
        mapping.map(operand, move(operand));
      builder.clone(*op, mapping);
    }
    return mapping.lookup(value);
  }

  /// The opposite of a condition, at the place.
  Value negate(Value condition) {
    Value one = arith::ConstantIntOp::create(builder, place->getLoc(), 1, 1);
    return arith::XOrIOp::create(builder, place->getLoc(), move(condition),
                                 one);
  }

  OpBuilder &getBuilder() { return builder; }

private:
  /// Whether an op may run where nothing else of its branch does, and costs
  /// little: what tensors hold is left alone, since upstream counts a read of
  /// an element as pure that is in bounds only under the branch's condition.
  static bool isMovable(Operation *op) {
    return op->getNumRegions() == 0 && isPure(op) &&
           (isa<tensor::DimOp>(op) ||
            llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>));
  }

  Operation *place;
  const DominanceInfo &dominance;
  OpBuilder builder;
  IRMapping mapping;
};

/// The branches from the region of `root` to an op that uses a grouping, of
/// those whose conditions are known at `root`. Without the others the grouping
/// is computed where it may not be used.
SmallVector<Branch> getBranches(Operation *user, Operation *root,
                                ConditionMover &mover) {
  SmallVector<Branch> branches;
  while (user->getParentRegion() != root->getParentRegion()) {
    Region *region = user->getParentRegion();
    user = region->getParentOp();
    if (auto ifOp = dyn_cast<scf::IfOp>(user))
      if (mover.canMove(ifOp.getCondition()))
        branches.emplace_back(ifOp.getCondition(),
                              region == &ifOp.getThenRegion());
  }
  std::reverse(branches.begin(), branches.end());
  return branches;
}

/// Where a grouping is used: nowhere, everywhere, or under a condition.
struct Need {
  bool isAlways = false;
  /// Null where there is no condition.
  Value condition;

  bool isNever() const { return !isAlways && !condition; }
};

/// Uses below one branch, each by its further branches, outermost first.
using Uses = SmallVector<ArrayRef<Branch>>;

class NeedBuilder {
public:
  explicit NeedBuilder(ConditionMover &mover)
      : mover(mover), builder(mover.getBuilder()) {}

  /// Where some of the uses below a branch is reached from it.
  Need build(const Uses &uses) {
    llvm::MapVector<Value, std::pair<Uses, Uses>> byCondition;
    for (ArrayRef<Branch> use : uses) {
      if (use.empty())
        return {/*isAlways=*/true, Value()};
      auto [condition, isThen] = use.front();
      auto &[thenUses, elseUses] = byCondition[condition];
      (isThen ? thenUses : elseUses).push_back(use.drop_front());
    }
    Need need;
    for (auto &[condition, branches] : byCondition)
      need = either(need, choose(condition, build(branches.first),
                                 build(branches.second)));
    return need;
  }

private:
  Need choose(Value condition, Need thenNeed, Need elseNeed) {
    if (thenNeed.isAlways && elseNeed.isAlways)
      return thenNeed;
    Need taken = both(condition, /*isNegated=*/false, thenNeed);
    return either(taken, both(condition, /*isNegated=*/true, elseNeed));
  }

  Need both(Value condition, bool isNegated, Need need) {
    if (need.isNever())
      return need;
    Value test = isNegated ? mover.negate(condition) : mover.move(condition);
    if (need.condition)
      test =
          arith::AndIOp::create(builder, test.getLoc(), test, need.condition);
    return {/*isAlways=*/false, test};
  }

  Need either(Need first, Need second) {
    if (first.isAlways || second.isNever())
      return first;
    if (second.isAlways || first.isNever())
      return second;
    return {/*isAlways=*/false,
            arith::OrIOp::create(builder, first.condition.getLoc(),
                                 first.condition, second.condition)};
  }

  ConditionMover &mover;
  OpBuilder &builder;
};

/// The op in whose place a grouping comes about: itself, or the outermost of
/// the guards between kernels, whose branches yield nothing else.
Operation *getRoot(LoraGroupOp group) {
  Operation *root = group;
  while (auto ifOp = dyn_cast<scf::IfOp>(root->getParentOp())) {
    auto yield = cast<scf::YieldOp>(root->getBlock()->getTerminator());
    if (yield.getOperands() != root->getResults())
      break;
    root = ifOp;
  }
  return root;
}

class SinkGroupingsPass
    : public impl::SinkGroupingsPassBase<SinkGroupingsPass> {
public:
  void runOnOperation() override {
    DominanceInfo &dominance = getAnalysis<DominanceInfo>();
    SetVector<Operation *> roots;
    DenseMap<Operation *, LoraGroupOp> groups;
    getOperation()->walk([&](LoraGroupOp group) {
      if (!group.hasTensorSemantics())
        return;
      Operation *root = getRoot(group);
      // The destinations stand for the results where nothing is computed.
      if (llvm::all_of(group.getDpsInits(), [&](Value init) {
            return dominance.properlyDominates(init, root);
          })) {
        roots.insert(root);
        groups[root] = group;
      }
    });
    for (Operation *root : roots)
      sink(root, groups[root].getDpsInits(), dominance);
  }

private:
  void sink(Operation *root, ValueRange inits, const DominanceInfo &dominance) {
    ConditionMover mover(root, dominance);
    // In the order of the text, which that of uses is not.
    SmallVector<SmallVector<Branch>> branches;
    root->getParentOp()->walk([&](Operation *user) {
      if (llvm::any_of(user->getOperands(), [&](Value operand) {
            return operand.getDefiningOp() == root;
          }))
        branches.push_back(getBranches(user, root, mover));
    });
    Need need =
        NeedBuilder(mover).build(Uses(branches.begin(), branches.end()));
    if (!need.condition)
      return;
    OpBuilder &builder = mover.getBuilder();
    Location loc = root->getLoc();
    auto ifOp =
        scf::IfOp::create(builder, loc, root->getResultTypes(), need.condition,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    root->replaceAllUsesWith(ifOp);
    builder.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(builder, loc, inits);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    auto yield = scf::YieldOp::create(builder, loc, root->getResults());
    root->moveBefore(yield);
    ++numSunk;
  }
};

} // namespace
} // namespace mlir::frit
