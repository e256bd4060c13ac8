//===- Downstream.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dialect whose ops become ops of Frit, which picks kernels for them.
//
//===----------------------------------------------------------------------===//

#include "Downstream.h"

#include "frit/Pipelines/Pipelines.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include "DownstreamDialect.cpp.inc"

#define GET_OP_CLASSES
#include "DownstreamOps.cpp.inc"

using namespace mlir;

void downstream::DownstreamDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "DownstreamOps.cpp.inc"
      >();
}

namespace {
struct SwigluToFrit : OpRewritePattern<downstream::SwigluOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(downstream::SwigluOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<frit::ActAndMulOp>(
        op, TypeRange{op.getType()}, op.getX(), /*up=*/Value(), op.getInit(),
        frit::Activation::Silu);
    return success();
  }
};

struct DownstreamToFritPass
    : PassWrapper<DownstreamToFritPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DownstreamToFritPass)

  StringRef getArgument() const override { return "downstream-to-frit"; }
  StringRef getDescription() const override {
    return "Turn ops of the downstream dialect into ops of Frit";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<frit::FritDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SwigluToFrit>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

void downstream::registerPasses() {
  PassRegistration<DownstreamToFritPass>();
  PassPipelineRegistration<>(
      "downstream-to-cpu", "Lower the downstream dialect to LLVM's for a CPU",
      [](OpPassManager &pm) {
        pm.addPass(std::make_unique<DownstreamToFritPass>());
        frit::buildCpuPipeline(pm, frit::CpuPipelineOptions());
      });
  // With the options of Frit's pipeline: its GPU, for one.
  PassPipelineRegistration<frit::CudaPipelineOptions>(
      "downstream-to-cuda", "Lower the downstream dialect for a GPU",
      [](OpPassManager &pm, const frit::CudaPipelineOptions &options) {
        pm.addPass(std::make_unique<DownstreamToFritPass>());
        frit::buildCudaPipeline(pm, options);
      });
}
