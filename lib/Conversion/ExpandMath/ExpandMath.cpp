//===- ExpandMath.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-expand-math.
//
//===----------------------------------------------------------------------===//

#include "ElementaryFunctions.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FRITEXPANDMATHPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

using FunctionBuilder = Value (*)(OpBuilder &, Location, Value);

/// Replaces a math function of f32 whose origin allows explicit fma.
template <typename OpTy, FunctionBuilder build>
struct ExpandFunction : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "is not of f32");
    OriginAttr origin = getOrigin(op.getLoc());
    if (!origin || origin.getMode() != FpMode::Fma)
      return rewriter.notifyMatchFailure(op, "has no origin that allows fma");
    rewriter.replaceOp(op, build(rewriter, op.getLoc(), op.getOperand()));
    return success();
  }
};

class ExpandMathPass : public impl::FritExpandMathPassBase<ExpandMathPass> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet expansions(context);
    expansions.add<ExpandFunction<math::TanhOp, buildTanh>,
                   ExpandFunction<math::ErfOp, buildErf>,
                   ExpandFunction<math::ExpOp, buildExp>>(context);
    arith::populateExpandBFloat16Patterns(expansions);
    patterns = std::move(expansions);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), patterns);
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
} // namespace mlir::frit
