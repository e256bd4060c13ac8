//===- ExpandDeallocations.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-expand-deallocations. Upstream lowers the deallocation of
// several buffers that may be one another to a helper that compares addresses
// in memory. Here they are compared as values, which stay on the host also
// where memory is a device's.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::frit {

#define GEN_PASS_DEF_EXPANDDEALLOCATIONSPASS
#include "frit/Execution/Passes.h.inc"

namespace {

SmallVector<Value> readAddresses(ImplicitLocOpBuilder &builder,
                                 ValueRange buffers) {
  SmallVector<Value> addresses;
  for (Value buffer : buffers)
    addresses.push_back(
        memref::ExtractAlignedPointerAsIndexOp::create(builder, buffer));
  return addresses;
}

void expand(bufferization::DeallocOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, predicate, a, b).getResult();
  };
  SmallVector<Value> addresses = readAddresses(builder, op.getMemrefs());
  SmallVector<Value> kept = readAddresses(builder, op.getRetained());
  OperandRange conditions = op.getConditions();

  // A kept buffer is owned where one of the buffers that it is was.
  for (auto [address, result] : llvm::zip_equal(kept, op.getResults())) {
    Value owned;
    for (auto [other, condition] : llvm::zip_equal(addresses, conditions)) {
      Value isOwned = arith::AndIOp::create(
          builder, compare(arith::CmpIPredicate::eq, other, address),
          condition);
      owned = owned ? arith::OrIOp::create(builder, owned, isOwned) : isOwned;
    }
    result.replaceAllUsesWith(owned);
  }

  // All conditions before the first buffer ends: its address may be the next
  // one's afterwards.
  SmallVector<Value> decisions;
  for (size_t i = 0; i < addresses.size(); ++i) {
    Value decision = conditions[i];
    for (Value other : llvm::concat<Value>(
             MutableArrayRef(kept), MutableArrayRef(addresses).take_front(i)))
      decision = arith::AndIOp::create(
          builder, decision,
          compare(arith::CmpIPredicate::ne, addresses[i], other));
    decisions.push_back(decision);
  }
  for (auto [buffer, decision] : llvm::zip_equal(op.getMemrefs(), decisions)) {
    auto branch = scf::IfOp::create(builder, decision, /*withElse=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();
    memref::DeallocOp::create(inside, op.getLoc(), buffer);
  }
  op.erase();
}

class ExpandDeallocationsPass
    : public impl::ExpandDeallocationsPassBase<ExpandDeallocationsPass> {
public:
  using ExpandDeallocationsPassBase::ExpandDeallocationsPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](bufferization::DeallocOp op) {
      if (op.getMemrefs().size() < 2)
        return;
      expand(op);
      ++numExpanded;
    });
  }
};

} // namespace
} // namespace mlir::frit
