//===- FormMatmuls.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes frit.matmul of contractions, so that kernel selection decides about
// them.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "Epilogue.h"

#include "../OnHost.h"
#include "../RemarkOptions.h"

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"
#include "frit/Kernels/KernelSelection.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FORMMATMULSPASS
#include "frit/Dialect/Frit/Transforms/Passes.h.inc"

namespace {

/// What starts the sum: a destination to be written, or one to be added to.
struct Start {
  Value destination;
  bool accumulates = false;
};

Start getStart(Value init) {
  if (auto fill = init.getDefiningOp<linalg::FillOp>();
      fill && matchPattern(fill.getInputs()[0], m_PosZeroFloat()))
    return {fill.getOutputs()[0]};
  return {init, !matchPattern(init, m_PosZeroFloat())};
}

/// What the sum starts from where an epilogue becomes part of it. A bias in 16
/// bits is what every row starts from, since libraries round before they add
/// one.
Start continueWith(const Epilogue &epilogue, RewriterBase &rewriter) {
  linalg::LinalgOp op = epilogue.op;
  Location loc = op->getLoc();
  Value destination = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(destination.getType());
  if (epilogue.bias && !type.getElementType().isF32()) {
    auto leading = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 1));
    auto rows = linalg::BroadcastOp::create(rewriter, loc, epilogue.bias,
                                            destination, leading);
    return {rows->getResult(0), /*accumulates=*/true};
  }
  if (!epilogue.old)
    return {destination};
  return {epilogue.old, /*accumulates=*/true};
}

class FormMatmulsPass : public impl::FormMatmulsPassBase<FormMatmulsPass> {
public:
  using FormMatmulsPassBase::FormMatmulsPassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    FailureOr<bool> admitted = admitsLibrary();
    if (failed(admitted))
      return signalPassFailure();
    if (!*admitted)
      return;
    SmallVector<linalg::LinalgOp> ops;
    root->walk([&](linalg::LinalgOp op) {
      if (isSumOfProducts(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      form(op, rewriter);
  }

private:
  FailureOr<bool> admitsLibrary() {
    auto fail = [&] {
      return emitError(getOperation()->getLoc()) << getArgument() << ": ";
    };
    FailureOr<KernelTarget> parsedTarget = KernelTarget::parse(target, fail);
    if (failed(parsedTarget))
      return failure();
    FailureOr<KernelPolicy> parsedPolicy = KernelPolicy::parse(policy, fail);
    if (failed(parsedPolicy))
      return failure();
    return (!parsedTarget->isCpu() || parsedTarget->hasOneDnn()) &&
           parsedPolicy->admits(KernelProvider::Library);
  }

  void form(linalg::LinalgOp op, RewriterBase &rewriter) {
    std::string reason = "is in code of the device";
    FailureOr<MatmulForm> form = failure();
    if (isOnHost(op))
      form = matchMatmul(op, reason);
    remark::RemarkOpts opts = getRemarkOpts(op, "matmul", getArgument());
    if (failed(form)) {
      remark::missed(op->getLoc(), opts) << remark::reason("it {0}", reason);
      return;
    }
    remark::passed(op->getLoc(), opts) << remark::add("is one op");
    ++numFormed;
    Start start = getStart(op.getDpsInits()[0]);
    std::optional<Epilogue> epilogue;
    // What is added to in f32 cannot be rounded in the same place.
    if (!start.accumulates)
      epilogue = matchEpilogue(cast<OpResult>(op->getResult(0)),
                               getElementTypeOrSelf(form->a.getType()));
    Operation *last = epilogue ? epilogue->op : op;
    rewriter.setInsertionPoint(last);
    Value bias;
    if (epilogue) {
      start = continueWith(*epilogue, rewriter);
      if (!start.accumulates)
        bias = epilogue->bias;
    }
    auto matmul = MatmulOp::create(rewriter, op->getLoc(),
                                   last->getResultTypes(), form->a, form->b,
                                   bias, start.destination, form->transposesA,
                                   form->transposesB, start.accumulates);
    rewriter.replaceOp(last, matmul.getResults());
    if (last != op)
      rewriter.eraseOp(op);
  }
};

} // namespace
} // namespace mlir::frit
