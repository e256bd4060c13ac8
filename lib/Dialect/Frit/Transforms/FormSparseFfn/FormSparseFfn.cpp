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
    if (ShapedType::isDynamic(tokens)) {
      guard(*chain, ffn, limit, rewriter);
      reason = "is one op where it is cheaper: " + reason;
    } else {
      rewriter.replaceAllUsesWith(chain->getResult(), ffn->getResult(0));
      reason = llvm::formatv("is one op for {0} tokens: {1}", tokens, reason);
    }
    if (choice.provesFiniteWeights())
      reason += "; its weights are constants and finite";
    eraseDead(*chain, rewriter);
    return success();
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
