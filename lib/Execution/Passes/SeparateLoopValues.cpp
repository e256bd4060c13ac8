//===- SeparateLoopValues.cpp ---------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-separate-loop-values. One-shot analysis takes the results of a
// loop for separate tensors, although an iteration may hand one buffer to two
// of them. Here the second one becomes a copy.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::frit {

#define GEN_PASS_DEF_SEPARATELOOPVALUESPASS
#include "frit/Execution/Passes.h.inc"

namespace {

using ValueSet = llvm::SmallSetVector<Value, 8>;

/// The tensors that `value` may be read as a part of, itself included. An
/// update is a tensor of its own: where the one before is needed later,
/// analysis finds that by itself.
ValueSet findSources(Value value) {
  ValueSet found;
  found.insert(value);
  auto add = [&](ValueRange values) {
    for (Value v : values)
      if (isa<TensorType>(v.getType()))
        found.insert(v);
  };
  for (size_t next = 0; next < found.size(); ++next) {
    auto result = dyn_cast<OpResult>(found[next]);
    if (!result || isa<DestinationStyleOpInterface>(result.getOwner()))
      continue;
    if (auto ifOp = dyn_cast<scf::IfOp>(result.getOwner())) {
      unsigned number = result.getResultNumber();
      add({ifOp.thenYield().getOperand(number),
           ifOp.elseYield().getOperand(number)});
      continue;
    }
    add(result.getOwner()->getOperands());
  }
  return found;
}

class SeparateLoopValuesPass
    : public impl::SeparateLoopValuesPassBase<SeparateLoopValuesPass> {
public:
  using SeparateLoopValuesPassBase::SeparateLoopValuesPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (isa<scf::ConditionOp>(op) ||
          (isa<scf::YieldOp>(op) &&
           isa<scf::ForOp, scf::WhileOp>(op->getParentOp())))
        separate(op);
    });
  }

private:
  void separate(Operation *terminator) {
    ValueSet earlier;
    for (OpOperand &operand : terminator->getOpOperands()) {
      Value value = operand.get();
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!type)
        continue;
      ValueSet sources = findSources(value);
      if (llvm::none_of(sources,
                        [&](Value v) { return earlier.contains(v); })) {
        earlier.insert(sources.begin(), sources.end());
        continue;
      }
      OpBuilder builder(terminator);
      operand.set(bufferization::AllocTensorOp::create(
          builder, value.getLoc(), type, /*dynamicSizes=*/ValueRange(),
          /*copy=*/value));
      ++numSeparated;
    }
  }
};

} // namespace
} // namespace mlir::frit
