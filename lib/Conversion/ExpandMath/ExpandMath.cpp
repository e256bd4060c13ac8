//===- ExpandMath.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass frit-expand-math. Host and device code differ in what their
// instructions do right: the host lacks functions and conversions; a device has
// conversions, and approximations that are good enough where any are allowed.
//
//===----------------------------------------------------------------------===//

#include "DeviceFunctions.h"
#include "ElementaryFunctions.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::frit {

#define GEN_PASS_DEF_FRITEXPANDMATHPASS
#include "frit/Conversion/Passes.h.inc"

namespace {

using FunctionBuilder = Value (*)(OpBuilder &, Location, Value);

/// Matches ops of f32 whose origin allows explicit fma and errors of their own.
LogicalResult matchFunction(Operation *op, PatternRewriter &rewriter) {
  Type type = op->getResult(0).getType();
  if (!getElementTypeOrSelf(type).isF32())
    return rewriter.notifyMatchFailure(op, "is not of f32");
  OriginAttr origin = getOrigin(op->getLoc());
  if (!origin || origin.getMode() != FpMode::Fma)
    return rewriter.notifyMatchFailure(op, "has no origin that allows fma");
  auto vector = dyn_cast<VectorType>(type);
  if (isDeviceCode(op) && vector && vector.getRank() != 1)
    return rewriter.notifyMatchFailure(op, "is not of rank 0 or 1");
  return success();
}

/// Replaces a math function by code for the host or the device.
template <typename OpTy, FunctionBuilder host, FunctionBuilder device = host>
struct ExpandFunction : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (failed(matchFunction(op, rewriter)))
      return failure();
    FunctionBuilder build = isDeviceCode(op) ? device : host;
    rewriter.replaceOp(op, build(rewriter, op.getLoc(), op.getOperand()));
    return success();
  }
};

/// The host keeps its exact division: it has no other that is fast.
struct ExpandDivision : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    if (failed(matchFunction(op, rewriter)))
      return failure();
    if (!isDeviceCode(op))
      return rewriter.notifyMatchFailure(op, "is host code");
    rewriter.replaceOp(op, buildDeviceDivision(rewriter, op.getLoc(),
                                               op.getLhs(), op.getRhs()));
    return success();
  }
};

class ExpandMathPass : public impl::FritExpandMathPassBase<ExpandMathPass> {
public:
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet expansions(context);
    expansions.add<ExpandFunction<math::TanhOp, buildTanh, buildDeviceTanh>,
                   ExpandFunction<math::ErfOp, buildErf>,
                   ExpandFunction<math::ExpOp, buildExp, buildDeviceExp>,
                   ExpandDivision>(context);
    functions = std::move(expansions);
    RewritePatternSet conversions(context);
    arith::populateExpandBFloat16Patterns(conversions);
    hostConversions = std::move(conversions);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), functions);
    SmallVector<Operation *> conversions;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) && !isDeviceCode(op))
        conversions.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps)
        .enableFolding(false);
    (void)applyOpPatternsGreedily(conversions, hostConversions, config);
  }

private:
  FrozenRewritePatternSet functions, hostConversions;
};

} // namespace
} // namespace mlir::frit
