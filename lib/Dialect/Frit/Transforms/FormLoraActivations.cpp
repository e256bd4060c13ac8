//===- FormLoraActivations.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes one op of the second half of a LoRA of gate and up and the activation
// that reads its result, where the target has a kernel for the two together.
//
//===----------------------------------------------------------------------===//

#include "RemarkOptions.h"

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"
#include "frit/Kernels/KernelSelection.h"
#include "frit/Kernels/KernelTable.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/Support/FormatVariadic.h"

#include <optional>
#include <string>

namespace mlir::frit {

#define GEN_PASS_DEF_FORMLORAACTIVATIONSPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// A kernel may keep rank vectors to 16 bits and more, which is less than what
/// sums of so many products may be off.
constexpr int64_t kMinSummands = 144;

int64_t getDim(Value value, int64_t dim) {
  return cast<ShapedType>(value.getType()).getDimSize(dim);
}

/// The LoRA of gate and up that the activation reads. `reason` says why it is
/// none that the op can stand for.
LoraMatmulOp findLora(GeluAndMulSparseOp activation, std::string &reason) {
  if (!activation.isPacked()) {
    reason = "gate and up are two operands";
    return {};
  }
  auto lora = activation.getX().getDefiningOp<LoraMatmulOp>();
  if (!lora || lora->getBlock() != activation->getBlock()) {
    reason = "its input is not the result of a LoRA beside it";
    return {};
  }
  if (!lora->hasOneUse()) {
    reason = "what the LoRA adds to has other readers";
    return {};
  }
  int64_t width = getDim(activation.getOut(), 1);
  if (lora.getNumSlices() != LoraGeluAndMulSparseOp::kNumSlices ||
      lora.getOffset() != 0 || ShapedType::isDynamic(width) ||
      getDim(lora.getB(0), 1) != width || getDim(lora.getB(1), 1) != width) {
    reason = "the LoRA's slices are not known to be gate and up";
    return {};
  }
  if (!lora.getAccumulate() || lora.getRounding() != LoraRounding::Final ||
      lora.getIntermediate() != Intermediate::F32) {
    reason = "the LoRA does not round its sum with the matmul's result alone";
    return {};
  }
  if (int64_t depth = getDim(lora.getX(), 1);
      ShapedType::isDynamic(depth) || depth < kMinSummands) {
    reason = llvm::formatv("the LoRA is not known to sum {0} products or more",
                           kMinSummands);
    return {};
  }
  if (lora.getKernel() || activation.getKernel()) {
    reason = "its kernel is given";
    return {};
  }
  return lora;
}

/// The rank vectors, and the op on them, in front of the activation.
LoraGeluAndMulSparseOp build(LoraMatmulOp lora, GeluAndMulSparseOp activation,
                             RewriterBase &rewriter) {
  Location loc = activation.getLoc();
  SmallVector<Value> a, b;
  for (unsigned slice = 0; slice < lora.getNumSlices(); ++slice) {
    a.push_back(lora.getA(slice));
    b.push_back(lora.getB(slice));
  }
  Value hidden = tensor::EmptyOp::create(
      rewriter, loc,
      ArrayRef<OpFoldResult>{
          rewriter.getIndexAttr(lora.getNumSlices()),
          tensor::getMixedSize(rewriter, loc, lora.getX(), 0),
          tensor::getMixedSize(rewriter, loc, a.front(), 1)},
      rewriter.getF32Type());
  auto shrink = LoraShrinkOp::create(
      rewriter, lora.getLoc(), hidden.getType(), lora.getX(), lora.getIds(), a,
      lora.getScales(), lora.getRanks(), lora.getOrder(), lora.getStarts(),
      lora.getActive(), hidden, lora.getScale());
  return LoraGeluAndMulSparseOp::create(
      rewriter, loc, activation.getOut().getType(), lora.getOut(),
      shrink.getResult(0), lora.getIds(), b, lora.getRanks(), lora.getOrder(),
      lora.getStarts(), lora.getActive(), activation.getOut(),
      activation.getStdMultiplier(), activation.getApproximate(),
      activation.getRounding(), activation.getCorrection());
}

class FormLoraActivationsPass
    : public impl::FormLoraActivationsPassBase<FormLoraActivationsPass> {
public:
  using FormLoraActivationsPassBase::FormLoraActivationsPassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    table = KernelTable::get(&getContext());
    FailureOr<KernelSelectionOptions> options =
        KernelSelectionOptions::parse(target, policy, {}, table, [&] {
          return emitError(root->getLoc()) << getArgument() << ": ";
        });
    if (failed(options))
      return signalPassFailure();
    SmallVector<GeluAndMulSparseOp> activations;
    root->walk([&](GeluAndMulSparseOp op) {
      if (op.hasTensorSemantics())
        activations.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (GeluAndMulSparseOp activation : activations) {
      std::string reason;
      Location loc = activation.getLoc();
      bool readsLora = isa_and_present<LoraMatmulOp>(
          activation.isPacked() ? activation.getX().getDefiningOp() : nullptr);
      remark::RemarkOpts opts = getRemarkOpts(
          activation, readsLora ? "lora-activation" : "activation",
          getArgument());
      if (failed(form(activation, *options, rewriter, reason))) {
        remark::missed(loc, opts) << remark::reason("{0}", reason);
        continue;
      }
      ++numFormed;
      remark::passed(loc, opts) << remark::add("{0}", reason);
    }
  }

private:
  LogicalResult form(GeluAndMulSparseOp activation,
                     const KernelSelectionOptions &options,
                     RewriterBase &rewriter, std::string &reason) {
    LoraMatmulOp lora = findLora(activation, reason);
    if (!lora)
      return failure();
    if (options.policy.kind == KernelPolicy::Kind::BatchInvariant) {
      reason = llvm::formatv("whether there is a kernel depends on the number "
                             "of tokens, which policy '{0}' does not allow",
                             policy);
      return failure();
    }
    Operation *before = activation->getPrevNode();
    rewriter.setInsertionPoint(activation);
    LoraGeluAndMulSparseOp fused = build(lora, activation, rewriter);
    std::string refusals;
    std::optional<std::string> kernel = findKernel(fused, options, refusals);
    if (!kernel) {
      while (activation->getPrevNode() != before)
        rewriter.eraseOp(activation->getPrevNode());
      reason = llvm::formatv("policy '{0}' has no kernel for it and the LoRA "
                             "together on '{1}'{2}",
                             policy, target, refusals);
      return failure();
    }
    rewriter.replaceOp(activation, fused);
    rewriter.eraseOp(lora);
    reason = llvm::formatv("is one op with the LoRA before it: '{0}'", *kernel);
    return success();
  }

  /// The kernel of the target for the op, whatever the number of tokens; the
  /// native form is slower than the two ops. `refusals` says what was in the
  /// way of each other kernel, and of a guarded one what its guard asks.
  std::optional<std::string> findKernel(LoraGeluAndMulSparseOp op,
                                        const KernelSelectionOptions &options,
                                        std::string &refusals) const {
    ScopedDiagnosticHandler quiet(op.getContext(),
                                  [](Diagnostic &) { return success(); });
    FailureOr<KernelDecision> decision = decideKernel(op, *table, options);
    if (failed(decision))
      return std::nullopt;
    const KernelEntry *entry = decision->getPick().entry;
    if (entry->provider != KernelProvider::Native)
      return entry->id;
    for (const KernelVerdict &verdict : decision->candidates)
      if (verdict.entry->provider != KernelProvider::Native)
        refusals +=
            llvm::formatv("; {0}: {1}", verdict.entry->id, verdict.reason);
    return std::nullopt;
  }

  const KernelTable *table = nullptr;
};

} // namespace
} // namespace mlir::frit
