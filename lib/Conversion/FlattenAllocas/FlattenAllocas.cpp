//===- FlattenAllocas.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-flatten-allocas: stack memory of static size is taken once, at
// the entry of the function.
//
//===----------------------------------------------------------------------===//

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FLATTENALLOCASPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

/// Puts the body of a scope in its place. Where memory of dynamic size is taken
/// inside, the stack is cut back behind it.
void inlineScope(memref::AllocaScopeOp scope, RewriterBase &rewriter) {
  Block &body = scope.getBodyRegion().front();
  bool restores = false;
  scope.walk([&](memref::AllocaOp op) {
    restores |= op->getParentOfType<memref::AllocaScopeOp>() == scope;
  });
  Location loc = scope.getLoc();
  Value stack;
  if (restores) {
    rewriter.setInsertionPoint(scope);
    stack = LLVM::StackSaveOp::create(
        rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()));
    rewriter.setInsertionPointAfter(scope);
    LLVM::StackRestoreOp::create(rewriter, loc, stack);
  }
  Operation *terminator = body.getTerminator();
  SmallVector<Value> results(terminator->getOperands());
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(&body, scope);
  rewriter.replaceOp(scope, results);
}

class FlattenAllocasPass
    : public impl::FlattenAllocasPassBase<FlattenAllocasPass> {
public:
  using FlattenAllocasPassBase::FlattenAllocasPassBase;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    Block &entry = function.getFunctionBody().front();
    function.walk([&](memref::AllocaOp op) {
      if (!op.getOperands().empty() || op->getBlock() == &entry)
        return;
      op->moveBefore(&entry, entry.begin());
      ++numHoisted;
    });
    IRRewriter rewriter(&getContext());
    function.walk([&](memref::AllocaScopeOp scope) {
      inlineScope(scope, rewriter);
      ++numScopes;
    });
  }
};

} // namespace
} // namespace mlir::frit
