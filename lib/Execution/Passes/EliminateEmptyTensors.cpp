//===- EliminateEmptyTensors.cpp ------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-eliminate-empty-tensors: upstream's elimination where it keeps
// the meaning of a graph with several results.
//
//===----------------------------------------------------------------------===//

#include "LaterUses.h"

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

namespace mlir::frit {

#define GEN_PASS_DEF_ELIMINATEEMPTYTENSORSPASS
#include "frit/Execution/Passes.h.inc"

namespace {

/// Whether a tensor.empty may become the place that an op of the module writes
/// to.
bool hasCandidates(ModuleOp module) {
  bool hasEmpty = false, hasWrite = false;
  module.walk([&](Operation *op) {
    hasEmpty |= isa<tensor::EmptyOp>(op);
    auto write = dyn_cast<SubsetInsertionOpInterface>(op);
    // An argument is computed elsewhere, and of a memref that other tensors may
    // share no tensor is made.
    auto toMemref = dyn_cast<bufferization::MaterializeInDestinationOp>(op);
    hasWrite |= write && write.getSourceOperand().get().getDefiningOp() &&
                !(toMemref && !toMemref.getResult() && !toMemref.getRestrict());
  });
  return hasEmpty && hasWrite;
}

/// Whether later tensors may lie in the buffer of a destination without the
/// analysis of one-shot bufferization knowing: of a memref, and of the tensors
/// that passes before this one make of memrefs.
bool mayBeWrittenUnseen(Value destination) {
  while (auto result = dyn_cast<OpResult>(destination)) {
    if (auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner())) {
      destination = op.getTiedOpOperand(result)->get();
      continue;
    }
    return !isa<tensor::EmptyOp>(result.getOwner());
  }
  return isa<BaseMemRefType>(destination.getType()) ||
         !isa<FunctionOpInterface>(destination.getParentBlock()->getParentOp());
}

class EliminateEmptyTensorsPass
    : public impl::EliminateEmptyTensorsPassBase<EliminateEmptyTensorsPass> {
public:
  using EliminateEmptyTensorsPassBase::EliminateEmptyTensorsPassBase;

  void runOnOperation() override {
    // The analysis is what takes the time.
    if (!hasCandidates(getOperation()))
      return;
    bufferization::OneShotBufferizationOptions options;
    options.allowReturnAllocsFromLoops = true;
    options.bufferizeFunctionBoundaries = true;
    bufferization::OneShotAnalysisState state(getOperation(), options);
    if (failed(bufferization::analyzeModuleOp(getOperation(), state)))
      return signalPassFailure();

    auto build = [&](RewriterBase &rewriter, SubsetInsertionOpInterface op,
                     tensor::EmptyOp empty, Operation *user) -> Value {
      // What is written there later may not overwrite a tensor in use.
      // Ops in scf.in_parallel insert at the end of the block around it.
      Operation *parent = op->getParentOp();
      Operation *write = isa<scf::InParallelOp>(parent) ? parent : op;
      if (mayBeWrittenUnseen(op.getDestinationOperand().get()) &&
          mayBeUsedAfter(empty, write)) {
        ++numKept;
        return {};
      }
      return bufferization::buildSubsetExtraction(rewriter, op, empty, user);
    };
    IRRewriter rewriter(&getContext());
    if (failed(bufferization::eliminateEmptyTensors(rewriter, getOperation(),
                                                    state, build)))
      signalPassFailure();
  }
};

} // namespace
} // namespace mlir::frit
