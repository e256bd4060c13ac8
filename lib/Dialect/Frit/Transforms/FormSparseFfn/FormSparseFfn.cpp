//===- FormSparseFfn.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-form-sparse-ffn.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/Transforms/Passes.h"
#include "frit/Kernels/KernelSelection.h"

#include "Build.h"

#include "../RemarkOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FORMSPARSEFFNPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// Erases an op without users, and what only its operands were made for.
void eraseWithOperands(Operation *op, RewriterBase &rewriter) {
  SetVector<Operation *> worklist;
  worklist.insert(op);
  while (!worklist.empty()) {
    Operation *dead = worklist.pop_back_val();
    if (!isOpTriviallyDead(dead))
      continue;
    for (Value operand : dead->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        worklist.insert(producer);
    rewriter.eraseOp(dead);
  }
}

class FormSparseFfnPass
    : public impl::FormSparseFfnPassBase<FormSparseFfnPass> {
public:
  using FormSparseFfnPassBase::FormSparseFfnPassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    const KernelTable *table = KernelTable::get(&getContext());
    FailureOr<KernelSelectionOptions> options =
        KernelSelectionOptions::parse(target, policy, {}, table, [&] {
          return emitError(root->getLoc()) << getArgument() << ": ";
        });
    if (failed(options))
      return signalPassFailure();
    SmallVector<GeluAndMulSparseOp> activations;
    root->walk([&](GeluAndMulSparseOp op) { activations.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (GeluAndMulSparseOp activation : activations) {
      std::string reason;
      Location loc = activation.getLoc();
      remark::RemarkOpts opts =
          getRemarkOpts(activation, "sparse-ffn", getArgument());
      if (succeeded(form(activation, *table, *options, rewriter, reason))) {
        remark::passed(loc, opts) << remark::add("{0}", reason);
        ++numFormed;
      } else {
        remark::missed(loc, opts) << remark::reason("{0}", reason);
      }
    }
  }

private:
  /// Forms the op around an activation. `reason` says how, or why not.
  LogicalResult form(GeluAndMulSparseOp activation, const KernelTable &table,
                     const KernelSelectionOptions &options,
                     RewriterBase &rewriter, std::string &reason) {
    FailureOr<DenseChain> chain = matchDenseChain(activation, reason);
    if (failed(chain)) {
      reason = "it " + reason;
      return failure();
    }
    if (!assumeFiniteWeights) {
      reason = "weights are not known to be finite; the option "
               "assume-finite-weights says that they are";
      return failure();
    }
    // The op and the chain give a token different bits, and which of the two is
    // faster depends on how many tokens there are beside it.
    if (options.policy.kind == KernelPolicy::Kind::BatchInvariant) {
      reason =
          llvm::formatv("whether the op is faster depends on the number of "
                        "tokens, which policy '{0}' does not allow",
                        policy.getValue());
      return failure();
    }
    Operation *last = chain->getResult().getDefiningOp();
    rewriter.setInsertionPoint(last);
    SparseFfnOp ffn = buildSparseFfn(*chain, rewriter);
    std::optional<int64_t> limit = getTokenLimit(ffn, table, options, reason);
    if (!limit) {
      eraseWithOperands(ffn, rewriter);
      return failure();
    }
    int64_t tokens = cast<RankedTensorType>(ffn.getX().getType()).getDimSize(0);
    if (tokens > *limit) {
      reason = llvm::formatv("there are {0} tokens, and {1}", tokens, reason);
      eraseWithOperands(ffn, rewriter);
      return failure();
    }
    if (ShapedType::isDynamic(tokens)) {
      guard(*chain, ffn, *limit, rewriter);
      reason = "is one op where it is cheaper: " + reason;
    } else {
      rewriter.replaceAllUsesWith(chain->getResult(), ffn->getResult(0));
      reason = llvm::formatv("is one op for {0} tokens: {1}", tokens, reason);
    }
    eraseDead(*chain, rewriter);
    return success();
  }

  /// Up to how many tokens the kernel that selection would pick is estimated to
  /// beat the chain; none where it never does. `reason` says so.
  std::optional<int64_t> getTokenLimit(SparseFfnOp ffn,
                                       const KernelTable &table,
                                       const KernelSelectionOptions &options,
                                       std::string &reason) {
    FailureOr<KernelDecision> decision = failure();
    {
      // Where no kernel can execute the op it is not formed: no error.
      ScopedDiagnosticHandler quiet(&getContext(),
                                    [](Diagnostic &) { return success(); });
      decision = decideKernel(ffn, table, options);
    }
    if (failed(decision)) {
      reason =
          llvm::formatv("policy '{0}' admits no kernel for the op on '{1}'",
                        policy.getValue(), target.getValue());
      return std::nullopt;
    }
    const KernelEntry &entry = *decision->getPickFor(1).entry;
    if (!entry.estimate) {
      reason = llvm::formatv("the kernel '{0}' has no estimate of its time",
                             entry.id);
      return std::nullopt;
    }
    int64_t limit = frit::getTokenLimit(*decision);
    if (limit == 0) {
      KernelEstimate one = entry.estimate(ffn, 1);
      reason = llvm::formatv(
          "for one token the kernel '{0}' is estimated to take {1:F1} us, and "
          "the ops one by one {2:F1} us",
          entry.id, one.fused, one.separate);
      return std::nullopt;
    }
    reason = llvm::formatv("by estimate '{0}' is faster than the ops one by "
                           "one up to {1} tokens",
                           decision->getPickFor(limit).entry->id, limit);
    return limit;
  }

  /// Puts the op and the chain under a guard on the number of tokens.
  static void guard(const DenseChain &chain, SparseFfnOp ffn, int64_t limit,
                    RewriterBase &rewriter) {
    Location loc = ffn.getLoc();
    Value result = chain.getResult();
    rewriter.setInsertionPoint(ffn);
    Value tokens = tensor::DimOp::create(rewriter, loc, ffn.getX(), 0);
    Value most = arith::ConstantIndexOp::create(rewriter, loc, limit);
    Value isFew = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::sle, tokens, most);
    auto branch = scf::IfOp::create(rewriter, loc, result.getType(), isFew,
                                    /*withElseRegion=*/true);
    rewriter.replaceAllUsesWith(result, branch.getResult(0));
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, ffn->getResults());
    rewriter.moveOpBefore(ffn, branch.thenBlock(), branch.thenBlock()->begin());
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, cloneChain(chain, rewriter));
  }
};

} // namespace
} // namespace mlir::frit
