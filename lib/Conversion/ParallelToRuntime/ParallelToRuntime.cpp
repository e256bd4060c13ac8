//===- ParallelToRuntime.cpp
//-------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-parallel-to-frit-runtime.
//
//===----------------------------------------------------------------------===//

#include "ParallelToRuntime.h"

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTPARALLELTOFRITRUNTIMEPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class ConvertParallelToFritRuntimePass
    : public impl::ConvertParallelToFritRuntimePassBase<
          ConvertParallelToFritRuntimePass> {
public:
  using ConvertParallelToFritRuntimePassBase::
      ConvertParallelToFritRuntimePassBase;

  void runOnOperation() override {
    RuntimeCalls runtime(getOperation());
    LLVMTypeConverter typeConverter(&getContext());
    // The functions that are there now: outlined ones join the module.
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      makeSequential(function);
      SmallVector<scf::ParallelOp> loops;
      function.walk([&](scf::ParallelOp op) { loops.push_back(op); });
      StackBuffer closureBuffer(function);
      for (scf::ParallelOp op : loops) {
        if (failed(
                outlineParallelLoop(op, runtime, closureBuffer, typeConverter)))
          return signalPassFailure();
        ++numOutlined;
      }
    }
  }

private:
  /// Leaves only the loops that run on threads: without reductions and outside
  /// of every other such loop.
  void makeSequential(func::FuncOp function) {
    SmallVector<scf::ParallelOp> sequential;
    function.walk<WalkOrder::PreOrder>([&](scf::ParallelOp op) {
      if (op.getNumReductions() != 0) {
        sequential.push_back(op);
        return WalkResult::advance();
      }
      op.getRegion().walk(
          [&](scf::ParallelOp inner) { sequential.push_back(inner); });
      return WalkResult::skip();
    });
    IRRewriter rewriter(&getContext());
    for (scf::ParallelOp op : sequential)
      convertToSequentialLoops(rewriter, op);
    numSequential += sequential.size();
  }
};

} // namespace
} // namespace mlir::frit
