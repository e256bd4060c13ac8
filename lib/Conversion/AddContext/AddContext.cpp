//===- AddContext.cpp
//--------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-add-context.
//
//===----------------------------------------------------------------------===//

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::frit {

#define GEN_PASS_DEF_ADDCONTEXTPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class AddContextPass : public impl::AddContextPassBase<AddContextPass> {
public:
  using AddContextPassBase::AddContextPassBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        functions.push_back(function);
    if (failed(verify(functions)))
      return signalPassFailure();
    for (func::FuncOp function : functions)
      addContext(function);
    numFunctions += functions.size();
  }

private:
  /// Checks that the signatures of the functions may change.
  LogicalResult verify(ArrayRef<func::FuncOp> functions) {
    SymbolTable symbolTable(getOperation());
    for (func::FuncOp function : functions) {
      if (function.getNumResults() != 0)
        return function.emitError("function '")
               << function.getSymName() << "' still has "
               << function.getNumResults() << " result(s), the first of type "
               << function.getResultTypes().front()
               << "; all must be out-parameters before a status is added";
      WalkResult result = function.walk([&](Operation *op) {
        StringRef callee;
        if (auto call = dyn_cast<func::CallOp>(op))
          callee = call.getCallee();
        else if (auto constant = dyn_cast<func::ConstantOp>(op))
          callee = constant.getValue();
        else
          return WalkResult::advance();
        auto target = symbolTable.lookup<func::FuncOp>(callee);
        if (!target || target.isExternal())
          return WalkResult::advance();
        op->emitError("uses function '")
            << callee
            << "', which is to get a context; inline it first (a recursive "
               "function is not supported)";
        return WalkResult::interrupt();
      });
      if (result.wasInterrupted())
        return failure();
    }
    return success();
  }

  static void addContext(func::FuncOp function) {
    MLIRContext *context = function.getContext();
    auto pointerType = LLVM::LLVMPointerType::get(context);
    auto statusType = IntegerType::get(context, 32);
    // Neither can fail: func.func takes any argument and result.
    (void)function.insertArgument(0, pointerType, {}, function.getLoc());
    (void)function.insertResult(0, statusType, {});
    function.walk([&](func::ReturnOp op) {
      OpBuilder builder(op);
      op->setOperands(
          {arith::ConstantIntOp::create(builder, op.getLoc(), statusType, 0)});
    });
  }
};

} // namespace
} // namespace mlir::frit
