//===- OutlineGuards.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-outline-guards. An op of unknown sizes has a guarded branch for
// each kernel that may run it, and what launches a kernel is long: in functions
// of their own, equal layers of a model share it.
//
//===----------------------------------------------------------------------===//

#include "../RuntimeCalls/RuntimeCalls.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::frit {

#define GEN_PASS_DEF_OUTLINEGUARDSPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// The first op in `guard` that a kernel executes; null where there is none.
Operation *findKernelOp(scf::IfOp guard) {
  Operation *found = nullptr;
  guard.walk([&](KernelOpInterface op) {
    found = op;
    return op.getKernel() ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// What is repeated in the function, because it tells more there than an
/// argument would.
bool isRepeated(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                isa<memref::GetGlobalOp>(op));
}

class OutlineGuardsPass
    : public impl::OutlineGuardsPassBase<OutlineGuardsPass> {
public:
  using OutlineGuardsPassBase::OutlineGuardsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function->hasAttr(FritDialect::getHostAttrName()))
        continue;
      SmallVector<scf::IfOp> guards;
      function.walk<WalkOrder::PreOrder>([&](scf::IfOp op) {
        if (op.getNumResults() != 0 || !findKernelOp(op))
          return WalkResult::advance();
        guards.push_back(op);
        return WalkResult::skip();
      });
      for (scf::IfOp guard : guards)
        if (failed(outline(guard, symbols)))
          return signalPassFailure();
      numFunctions += guards.size();
    }
  }

private:
  static LogicalResult outline(scf::IfOp guard, SymbolTable &symbols) {
    FailureOr<Value> context = getContextArgument(guard);
    if (failed(context))
      return failure();
    SetVector<Value> used;
    used.insert(guard.getCondition());
    getUsedValuesDefinedAbove(guard->getRegions(), used);
    SmallVector<Value> operands = {*context};
    llvm::copy_if(used, std::back_inserter(operands), [&](Value value) {
      return value != *context && !isRepeated(value);
    });

    Location loc = guard.getLoc();
    OpBuilder builder(guard);
    auto parent = guard->getParentOfType<func::FuncOp>();
    auto function = func::FuncOp::create(
        loc,
        (parent.getSymName() + "_" +
         findKernelOp(guard)->getName().stripDialect())
            .str(),
        builder.getFunctionType(TypeRange(ValueRange(operands)),
                                builder.getI32Type()));
    function.setPrivate();
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(guard.getContext(), LLVM::Linkage::Internal));
    symbols.insert(function, std::next(parent->getIterator()));

    auto call = func::CallOp::create(builder, loc, function, operands);
    Value zero =
        arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
    propagateErrorUnless(builder, loc,
                         arith::CmpIOp::create(builder, loc,
                                               arith::CmpIPredicate::eq,
                                               call.getResult(0), zero));

    builder.setInsertionPointToStart(function.addEntryBlock());
    IRMapping mapping;
    mapping.map(operands, function.getArguments());
    for (Value value : used)
      if (!mapping.contains(value))
        builder.clone(*value.getDefiningOp(), mapping);
    builder.clone(*guard, mapping);
    Value status =
        arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
    func::ReturnOp::create(builder, loc, status);
    guard.erase();
    return success();
  }
};

} // namespace
} // namespace mlir::frit
