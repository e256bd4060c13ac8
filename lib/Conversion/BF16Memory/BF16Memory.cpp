//===- BF16Memory.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-bf16-memory-as-integer.
//
//===----------------------------------------------------------------------===//

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FRITBF16MEMORYASINTEGERPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class BF16MemoryAsIntegerPass
    : public impl::FritBF16MemoryAsIntegerPassBase<BF16MemoryAsIntegerPass> {
public:
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<LLVM::LoadOp> loads;
    SmallVector<LLVM::StoreOp> stores;
    getOperation()->walk([&](LLVM::LoadOp load) { loads.push_back(load); });
    getOperation()->walk([&](LLVM::StoreOp store) { stores.push_back(store); });
    for (LLVM::LoadOp load : loads)
      rewriteLoad(load, rewriter);
    for (LLVM::StoreOp store : stores)
      rewriteStore(store, rewriter);
  }

private:
  static bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }

  /// Loads the integers that all users cast the loaded value to.
  static void rewriteLoad(LLVM::LoadOp load, RewriterBase &rewriter) {
    if (!isBF16(load.getType()) || load->use_empty())
      return;
    Type type;
    for (Operation *user : load->getUsers()) {
      auto cast = dyn_cast<LLVM::BitcastOp>(user);
      if (!cast || (type && cast.getType() != type))
        return;
      type = cast.getType();
    }
    rewriter.modifyOpInPlace(load, [&] { load.getResult().setType(type); });
    for (Operation *user : llvm::make_early_inc_range(load->getUsers()))
      rewriter.replaceOp(user, load.getResult());
  }

  /// Stores the integers that were cast to the stored value.
  static void rewriteStore(LLVM::StoreOp store, RewriterBase &rewriter) {
    auto cast = store.getValue().getDefiningOp<LLVM::BitcastOp>();
    if (!cast || !isBF16(cast.getType()))
      return;
    rewriter.modifyOpInPlace(
        store, [&] { store.getValueMutable().assign(cast.getArg()); });
    if (cast->use_empty())
      rewriter.eraseOp(cast);
  }
};

} // namespace
} // namespace mlir::frit
