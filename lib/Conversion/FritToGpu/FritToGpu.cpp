//===- FritToGpu.cpp - Fused kernels as launches --------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass convert-frit-to-gpu.
//
//===----------------------------------------------------------------------===//

#include "FritToGpu.h"

#include "frit/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::frit {

#define GEN_PASS_DEF_CONVERTFRITTOGPUPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

class ConvertFritToGpuPass
    : public impl::ConvertFritToGpuPassBase<ConvertFritToGpuPass> {
public:
  using ConvertFritToGpuPassBase::ConvertFritToGpuPassBase;

  void runOnOperation() override {
    const KernelTable *table = KernelTable::get(&getContext());
    SmallVector<std::pair<KernelOpInterface, const KernelEntry *>> ops;
    WalkResult result = getOperation().walk([&](KernelOpInterface op) {
      if (!op.getKernel())
        return WalkResult::advance();
      FailureOr<const KernelEntry *> entry = findEntry(op, table);
      if (failed(entry))
        return WalkResult::interrupt();
      if (*entry)
        ops.emplace_back(op, *entry);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    IRRewriter rewriter(&getContext());
    LaunchContext launches(getOperation(), overlap);
    for (auto [op, entry] : ops)
      for (KernelOpInterface flat : flattenTokens(op, rewriter))
        for (KernelOpInterface ready : copyGaps(flat, *entry, rewriter)) {
          if (failed(convertToLaunch(ready, *entry, launches, rewriter)))
            return signalPassFailure();
          numLaunches += entry->getSteps().size();
        }
  }

private:
  static SmallVector<KernelOpInterface> copyGaps(KernelOpInterface op,
                                                 const KernelEntry &entry,
                                                 RewriterBase &rewriter) {
    if (!entry.contiguousOperands)
      return {op};
    return makeContiguous(op, entry.contiguousOperands(op), rewriter);
  }

  /// The entry of an op that a fused kernel executes; null for other ops.
  static FailureOr<const KernelEntry *> findEntry(KernelOpInterface op,
                                                  const KernelTable *table) {
    StringRef id = op.getKernel().getId();
    const KernelEntry *entry =
        table ? table->lookup(op->getName().getStringRef(), id) : nullptr;
    if (!entry)
      return op.emitOpError("names kernel '")
             << id << "', which the kernel table does not have for it";
    if (entry->provider != KernelProvider::Cuda)
      return static_cast<const KernelEntry *>(nullptr);
    if (entry->images.empty())
      return op.emitOpError("names kernel '")
             << id << "', but Frit was built without CUDA";
    for (Type type : op->getOperandTypes())
      if (isa<TensorType>(type))
        return op.emitOpError("is to become a launch, but has an operand of "
                              "type ")
               << type << "; bufferize first";
    return entry;
  }
};

} // namespace
} // namespace mlir::frit
