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

#include "Build.h"
#include "Choice.h"

#include "../RemarkOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FORMSPARSEFFNPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

class FormSparseFfnPass
    : public impl::FormSparseFfnPassBase<FormSparseFfnPass> {
public:
  using FormSparseFfnPassBase::FormSparseFfnPassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    FailureOr<SparseFfnChoice> choice = SparseFfnChoice::get(
        root, getArgument(), target, policy, assumeFiniteWeights);
    if (failed(choice))
      return signalPassFailure();
    SmallVector<GeluAndMulSparseOp> activations;
    root->walk([&](GeluAndMulSparseOp op) { activations.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (GeluAndMulSparseOp activation : activations) {
      std::string reason, estimate;
      Location loc = activation.getLoc();
      remark::RemarkOpts opts =
          getRemarkOpts(activation, "sparse-ffn", getArgument());
      bool isFormed =
          succeeded(form(activation, *choice, rewriter, reason, estimate));
      numFormed += isFormed;
      auto report = [&](auto &&remark, auto &&text) {
        remark << text;
        if (!estimate.empty())
          remark << remark::metric("Times", estimate);
      };
      if (isFormed)
        report(remark::passed(loc, opts), remark::add("{0}", reason));
      else
        report(remark::missed(loc, opts), remark::reason("{0}", reason));
    }
  }

private:
  /// Forms the op around an activation. `reason` says how, or why not, and
  /// `estimate` what times that is due to.
  LogicalResult form(GeluAndMulSparseOp activation,
                     const SparseFfnChoice &choice, RewriterBase &rewriter,
                     std::string &reason, std::string &estimate) {
    FailureOr<DenseChain> chain = matchDenseChain(activation, reason);
    if (failed(chain)) {
      reason = "it " + reason;
      return failure();
    }
    if (failed(choice.check(*chain, reason)))
      return failure();
    Operation *last = chain->getResult().getDefiningOp();
    Operation *before = last->getPrevNode();
    rewriter.setInsertionPoint(last);
    SparseFfnOp ffn = buildSparseFfn(*chain, rewriter);
    TokenLimit found = choice.getLimit(ffn, reason);
    int64_t limit = found.tokens;
    estimate = std::move(found.estimate);
    int64_t tokens = cast<RankedTensorType>(ffn.getX().getType()).getDimSize(0);
    if (limit == 0 || tokens > limit) {
      if (limit != 0)
        reason = llvm::formatv("there are {0} tokens, and {1}", tokens, reason);
      eraseWithOperands(ffn, rewriter);
      return failure();
    }
    bool isGuarded =
        ShapedType::isDynamic(tokens) || !chain->equalSizes.empty();
    Value result = buildResult(*chain, ffn, rewriter);
    if (isGuarded)
      guard(*chain, before, result, ffn, limit, rewriter);
    else
      rewriter.replaceAllUsesWith(chain->getResult(), result);
    reason = describe(*chain, tokens, reason);
    if (choice.provesFiniteWeights())
      reason += "; its weights are constants and finite";
    eraseDead(*chain, rewriter);
    return success();
  }

  /// What was formed, and why it is faster.
  static std::string describe(const DenseChain &chain, int64_t tokens,
                              StringRef estimate) {
    std::string text =
        ShapedType::isDynamic(tokens)
            ? std::string("is one op where it is cheaper")
            : llvm::formatv("is one op for {0} tokens", tokens).str();
    if (!chain.equalSizes.empty())
      text += ShapedType::isDynamic(tokens) ? " and" : " where";
    if (!chain.equalSizes.empty())
      text += " its LoRAs have the same numbers of adapters and of ranks";
    text += llvm::formatv(": {0}", estimate);
    if (chain.residual.value)
      text += "; it adds to the residual";
    if (!chain.residual.whyApart.empty())
      text += llvm::formatv("; an addition behind it stays apart, as it {0}",
                            chain.residual.whyApart);
    return text;
  }

  /// Whether the op may take the chain's place, and is faster.
  static Value buildCondition(const DenseChain &chain, SparseFfnOp ffn,
                              int64_t limit, RewriterBase &rewriter) {
    Location loc = ffn.getLoc();
    Value condition;
    auto add = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
      Value part = arith::CmpIOp::create(rewriter, loc, predicate, lhs, rhs);
      condition = condition
                      ? arith::AndIOp::create(rewriter, loc, condition, part)
                      : part;
    };
    if (cast<RankedTensorType>(ffn.getX().getType()).isDynamicDim(0)) {
      Value tokens = tensor::DimOp::create(rewriter, loc, ffn.getX(), 0);
      add(arith::CmpIPredicate::sle, tokens,
          arith::ConstantIndexOp::create(rewriter, loc, limit));
    }
    for (const EqualSizes &sizes : chain.equalSizes) {
      auto getSize = [&](Value value) {
        return tensor::DimOp::create(rewriter, loc, value, sizes.dim);
      };
      Value lhs = getSize(sizes.lhs), rhs = getSize(sizes.rhs);
      add(arith::CmpIPredicate::eq, lhs, rhs);
    }
    return condition;
  }

  /// Puts the op and the chain under a guard. All behind `before` and up to the
  /// chain's last op was made for the op.
  static void guard(const DenseChain &chain, Operation *before, Value result,
                    SparseFfnOp ffn, int64_t limit, RewriterBase &rewriter) {
    Location loc = ffn.getLoc();
    Value old = chain.getResult();
    Operation *last = old.getDefiningOp();
    Block *block = last->getBlock();
    SmallVector<Operation *> made;
    for (auto it = before ? std::next(before->getIterator()) : block->begin();
         it != last->getIterator(); ++it)
      made.push_back(&*it);
    rewriter.setInsertionPoint(last);
    Value condition = buildCondition(chain, ffn, limit, rewriter);
    auto branch = scf::IfOp::create(rewriter, loc, old.getType(), condition,
                                    /*withElseRegion=*/true);
    rewriter.replaceAllUsesWith(old, branch.getResult(0));
    rewriter.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(rewriter, loc, result);
    for (Operation *op : made)
      rewriter.moveOpBefore(op, yield);
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, cloneChain(chain, rewriter));
  }
};

} // namespace
} // namespace mlir::frit
