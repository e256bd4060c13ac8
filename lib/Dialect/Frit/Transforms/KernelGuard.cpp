//===- KernelGuard.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the run-time guards of kernels whose conditions depend on dynamic
// sizes.
//
//===----------------------------------------------------------------------===//

#include "KernelGuard.h"

#include "frit/Dialect/Frit/Transforms/KernelSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <optional>
#include <utility>

using namespace mlir;
using namespace mlir::frit;

/// The test of one requirement. Sizes are not negative.
static Value createTest(OpBuilder &builder, Location loc,
                        const KernelRequirement &requirement,
                        const KernelShape &shape) {
  Value number = buildSizeExpr(builder, loc, requirement.expr, shape);
  Value limit = arith::ConstantIndexOp::create(builder, loc, requirement.value);
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  };
  switch (requirement.kind) {
  case KernelRequirement::Kind::MultipleOf: {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value remainder = arith::RemUIOp::create(builder, loc, number, limit);
    return compare(arith::CmpIPredicate::eq, remainder, zero);
  }
  case KernelRequirement::Kind::AtMost:
    return compare(arith::CmpIPredicate::sle, number, limit);
  case KernelRequirement::Kind::AtLeast:
    return compare(arith::CmpIPredicate::sge, number, limit);
  case KernelRequirement::Kind::EqualTo:
    return compare(arith::CmpIPredicate::eq, number, limit);
  }
  llvm_unreachable("unknown kind of requirement");
}

static Value createGuard(OpBuilder &builder, Location loc,
                         ArrayRef<KernelRequirement> requirements,
                         const KernelShape &shape) {
  Value guard;
  for (const KernelRequirement &requirement : requirements) {
    Value test = createTest(builder, loc, requirement, shape);
    guard = guard ? arith::AndIOp::create(builder, loc, guard, test).getResult()
                  : test;
  }
  return guard;
}

static void setKernel(KernelOpInterface op, const KernelEntry &entry) {
  DictionaryAttr params = entry.params ? entry.params(op) : DictionaryAttr();
  op.setKernel(KernelAttr::get(op.getContext(), entry.id, params));
}

namespace {

/// One way to execute an op, where its guard holds.
struct Version {
  const KernelEntry *entry;
  SmallVector<KernelRequirement> guard;
  /// The kernel reads the ids itself; the grouping of the op is not used.
  bool isUngrouped = false;
};

} // namespace

/// The requirement of a guard that bounds the tokens from one side; null
/// without one.
static KernelRequirement *
findTokenLimit(MutableArrayRef<KernelRequirement> guard,
               KernelRequirement::Kind kind, const KernelShape &shape) {
  auto *limit = llvm::find_if(guard, [&](const KernelRequirement &requirement) {
    return requirement.kind == kind &&
           isa<AffineSymbolExpr>(requirement.expr) &&
           shape.dependsOnTokens(requirement.expr);
  });
  return limit == guard.end() ? nullptr : limit;
}

/// Whether the graph computes the grouping of an op: that of an engine costs
/// nothing.
static bool hasComputedGrouping(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LoraMatmulOp, LoraShrinkOp, LoraExpandOp, LoraGeluAndMulSparseOp>(
          [](auto lora) {
            return lora.isGrouped() && !lora.getActive() &&
                   isa_and_present<LoraGroupOp, scf::IfOp>(
                       lora.getOrder().getDefiningOp());
          })
      .Default(false);
}

static void dropGrouping(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<LoraMatmulOp, LoraShrinkOp, LoraExpandOp, LoraGeluAndMulSparseOp>(
          [](auto lora) {
            lora.getOrderMutable().clear();
            lora.getStartsMutable().clear();
          });
}

/// Whether a kernel leaves a grouping unread that the graph computes.
static bool leavesGrouping(const KernelEntry &entry, Operation *op) {
  return entry.ignoresGrouping && hasComputedGrouping(op);
}

/// Whether the kernel of a version of an op can do without its grouping.
static bool worksUngrouped(KernelOpInterface op, const Version &version) {
  Operation *clone = op->clone();
  dropGrouping(clone);
  bool works = meetsConditions(*version.entry, cast<KernelOpInterface>(clone),
                               version.guard);
  clone->destroy();
  return works;
}

/// The guarded versions of an op, in the order in which they are tried. The
/// first that can do without the grouping for all of fewer than
/// `minGroupedTokens` tokens gets a version for these, and so do those before
/// it that can for some. Where there are guards, the kernel picked for what
/// none holds for may be that first one.
static SmallVector<Version> planVersions(const KernelDecision &decision,
                                         int64_t minGroupedTokens) {
  using Kind = KernelRequirement::Kind;
  KernelOpInterface op = decision.op;
  KernelShape shape = op.getKernelShape();
  int64_t mostUngrouped = minGroupedTokens - 1;
  bool mayDrop = mostUngrouped > 0 && hasComputedGrouping(op);
  SmallVector<Version> versions;
  for (const KernelVerdict &verdict : decision.candidates) {
    if (verdict.outcome != KernelVerdict::Outcome::Guarded)
      continue;
    Version version{verdict.entry, verdict.guard};
    KernelRequirement *limit =
        findTokenLimit(version.guard, Kind::AtMost, shape);
    KernelRequirement *least =
        findTokenLimit(version.guard, Kind::AtLeast, shape);
    int64_t most = limit ? limit->value : 0;
    if (mayDrop && limit && (!least || least->value <= mostUngrouped)) {
      limit->value = std::min(most, mostUngrouped);
      if (worksUngrouped(op, version)) {
        version.isUngrouped = true;
        versions.push_back(version);
        mayDrop = least || limit->value < mostUngrouped;
        if (limit->value == most)
          continue;
      }
      version.isUngrouped = false;
      limit->value = most;
    }
    versions.push_back(std::move(version));
  }
  const KernelEntry *pick = decision.getPick().entry;
  std::optional<unsigned> tokens = shape.lookup("T");
  if (!mayDrop || versions.empty() || !tokens ||
      pick->provider == KernelProvider::Native ||
      shape.getExtents()[*tokens].getStaticSize())
    return versions;
  Version few{pick, {}, /*isUngrouped=*/true};
  few.guard.push_back({shape.getSymbol("T", op->getContext()), Kind::AtMost,
                       mostUngrouped, ""});
  if (worksUngrouped(op, few))
    versions.push_back(std::move(few));
  return versions;
}

unsigned frit::applyDecision(const KernelDecision &decision,
                             int64_t minGroupedTokens) {
  KernelOpInterface op = decision.op;
  const KernelEntry &pick = *decision.getPick().entry;
  if (decision.isKept) {
    // A name alone stands for what selection would write beside it.
    DictionaryAttr params = op.getKernel().getParams();
    if (!params || params.empty())
      setKernel(op, pick);
    return 0;
  }
  SmallVector<Version> versions = planVersions(decision, minGroupedTokens);
  if (versions.empty()) {
    if (leavesGrouping(pick, op))
      dropGrouping(op);
    setKernel(op, pick);
    return 0;
  }
  Location loc = op.getLoc();
  OpBuilder builder(op);
  KernelShape shape = op.getKernelShape();
  scf::IfOp outermost;
  auto yieldResults = [&](Operation *from) {
    scf::YieldOp::create(builder, loc, from->getResults());
  };
  auto yieldVersion = [&](const KernelEntry &entry, bool isUngrouped) {
    Operation *clone = builder.clone(*op);
    if (isUngrouped || leavesGrouping(entry, op))
      dropGrouping(clone);
    // Parameters depend on the grouping.
    setKernel(cast<KernelOpInterface>(clone), entry);
    yieldResults(clone);
  };
  for (const Version &version : versions) {
    Value guard = createGuard(builder, loc, version.guard, shape);
    auto ifOp = scf::IfOp::create(builder, loc, op->getResultTypes(), guard,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
    if (outermost)
      yieldResults(ifOp);
    else
      outermost = ifOp;
    builder.setInsertionPointToStart(ifOp.thenBlock());
    yieldVersion(*version.entry, version.isUngrouped);
    builder.setInsertionPointToStart(ifOp.elseBlock());
  }
  yieldVersion(pick, /*isUngrouped=*/false);
  op->replaceAllUsesWith(outermost->getResults());
  op->erase();
  return versions.size();
}
