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

static Operation *cloneWithKernel(OpBuilder &builder, KernelOpInterface op,
                                  const KernelEntry &entry) {
  Operation *clone = builder.clone(*op);
  setKernel(cast<KernelOpInterface>(clone), entry);
  return clone;
}

unsigned frit::applyDecision(const KernelDecision &decision) {
  KernelOpInterface op = decision.op;
  const KernelEntry &pick = *decision.getPick().entry;
  if (decision.isKept) {
    // A name alone stands for what selection would write beside it.
    DictionaryAttr params = op.getKernel().getParams();
    if (!params || params.empty())
      setKernel(op, pick);
    return 0;
  }
  Location loc = op.getLoc();
  OpBuilder builder(op);
  scf::IfOp outermost;
  unsigned numGuards = 0;
  auto yieldResults = [&](Operation *from) {
    scf::YieldOp::create(builder, loc, from->getResults());
  };
  for (const KernelVerdict &verdict : decision.candidates) {
    if (verdict.outcome != KernelVerdict::Outcome::Guarded)
      continue;
    Value guard = createGuard(builder, loc, verdict.guard, op.getKernelShape());
    auto ifOp = scf::IfOp::create(builder, loc, op->getResultTypes(), guard,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
    if (outermost)
      yieldResults(ifOp);
    else
      outermost = ifOp;
    builder.setInsertionPointToStart(ifOp.thenBlock());
    yieldResults(cloneWithKernel(builder, op, *verdict.entry));
    builder.setInsertionPointToStart(ifOp.elseBlock());
    ++numGuards;
  }
  if (!outermost) {
    setKernel(op, pick);
    return 0;
  }
  yieldResults(cloneWithKernel(builder, op, pick));
  op->replaceAllUsesWith(outermost->getResults());
  op->erase();
  return numGuards;
}
