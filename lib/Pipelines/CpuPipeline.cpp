//===- CpuPipeline.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline frit-to-cpu.
//
//===----------------------------------------------------------------------===//

#include "frit/Pipelines/Pipelines.h"

#include "Stages.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::frit {

static void addLoopStage(OpPassManager &pm, const CpuPipelineOptions &options) {
  pm.addPass(createConvertStridedCopyToLinalgPass());
  pm.addPass(createForallToParallelLoopPass());
  ConvertFritToVectorPassOptions fritToVector;
  fritToVector.vectorWidth = options.vectorWidth;
  pm.addPass(createConvertFritToVectorPass(fritToVector));
  ConvertContractionToVectorPassOptions contractionToVector;
  contractionToVector.vectorWidth = options.vectorWidth;
  pm.addPass(createConvertContractionToVectorPass(contractionToVector));
  pm.addPass(createInterchangeLoopsPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  if (!options.parallel)
    pm.addPass(createParallelForToNestedForsPass());
  pm.addPass(createFritExpandMathPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  addNumericsCheck(pm);
}

void buildCpuPipeline(OpPassManager &pm, const CpuPipelineOptions &options) {
  addInliningStage(pm, options.entryPoints);
  const GraphOptions graph = {options.oneDnn ? "cpu+onednn" : "cpu",
                              options.policy,
                              options.assumeFiniteWeights,
                              {options.without.begin(), options.without.end()}};
  addTensorStage(pm, graph);
  addBufferizationStage(pm);
  addLoopStage(pm, options);
  if (graph.hasPass(OptionalPass::PlanScratch))
    pm.addNestedPass<func::FuncOp>(createPlanScratchPass());
  addRuntimeStage(pm, options.entryPoints);
  addLLVMStage(pm, "cpu", options.entryPoints);
}

} // namespace mlir::frit
