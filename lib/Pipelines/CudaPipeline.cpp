//===- CudaPipeline.cpp - Tensors to an NVIDIA GPU ------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline frit-to-cuda.
//
//===----------------------------------------------------------------------===//

#include "frit/Pipelines/Pipelines.h"

#include "Stages.h"

#include "frit/Conversion/Passes.h"
#include "frit/Execution/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::frit {

/// Ops on buffers to launches, with the bodies of generated kernels in them.
static void addLaunchStage(OpPassManager &pm) {
  pm.addPass(createConvertStridedCopyToLinalgPass());
  pm.addPass(createForallToParallelLoopPass());
  pm.addPass(createConvertFritToGpuPass());
  pm.addPass(createConvertFritToSimtPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToParallelLoopsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertLoopsToGpuPass());
  // What it does depends on what is device code.
  pm.addPass(createFritExpandMathPass());
  addNumericsCheck(pm);
}

/// The bodies of launches to device code.
static void addDeviceStage(OpPassManager &pm,
                           const CudaPipelineOptions &options,
                           const GraphOptions &graph) {
  // Constants and sizes are computed in the kernel: fewer arguments, and equal
  // kernels look alike.
  pm.addPass(createGpuLaunchSinkIndexComputationsPass());
  pm.addPass(createGpuKernelOutliningPass());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createMergeEqualFunctionsPass());
  if (graph.hasPass(OptionalPass::LaunchEarly)) {
    LaunchEarlyPassOptions early;
    early.chip = options.chip;
    pm.addPass(createLaunchEarlyPass(early));
  }
  OpPassManager &code = pm.nest<gpu::GPUModuleOp>();
  code.addPass(createConvertVectorToSCFPass());
  code.addPass(createSCFToControlFlowPass());
  code.addPass(memref::createExpandStridedMetadataPass());
  code.addPass(createLowerAffinePass());
  code.addPass(createCanonicalizerPass());
  code.addPass(createCSEPass());
  code.addPass(createConvertGpuModuleToNVVMPass());
  code.addPass(createReconcileUnrealizedCastsPass());
  addNumericsCheck(pm);
  GpuModuleToBinaryPassOptions binary;
  binary.chip = options.chip;
  binary.toolkit = options.toolkit;
  binary.ptxOnly = options.ptxOnly;
  pm.addPass(createGpuModuleToBinaryPass(binary));
}

/// What is left on the host to calls of the runtime.
static void addHostStage(OpPassManager &pm, const CudaPipelineOptions &options,
                         const GraphOptions &graph) {
  if (graph.hasPass(OptionalPass::PlanScratch))
    pm.addNestedPass<func::FuncOp>(createPlanScratchPass());
  if (options.entryPoints)
    pm.addPass(createEmitEntryPointsPass());
  pm.addPass(createConvertGpuToFritRuntimePass());
  ConvertAllocToFritRuntimePassOptions memory;
  memory.device = true;
  pm.addPass(createConvertAllocToFritRuntimePass(memory));
  // Functions that compute sizes on the host may have loops.
  pm.addPass(createParallelForToNestedForsPass());
  pm.addNestedPass<func::FuncOp>(createFlattenAllocasPass());
  addNumericsCheck(pm);
}

void buildCudaPipeline(OpPassManager &pm, const CudaPipelineOptions &options) {
  addInliningStage(pm, options.entryPoints, /*hasDevice=*/true);
  const GraphOptions graph = {"cuda:" + options.chip,
                              options.policy,
                              options.assumeFiniteWeights,
                              {options.without.begin(), options.without.end()}};
  addTensorStage(pm, graph);
  addBufferizationStage(pm);
  pm.addPass(createAddContextPass());
  pm.addPass(createOutlineGuardsPass());
  pm.addPass(createMergeEqualFunctionsPass());
  addLaunchStage(pm);
  addDeviceStage(pm, options, graph);
  addHostStage(pm, options, graph);
  // Vectors are in kernels only.
  addLLVMStage(pm, "cuda:" + options.chip, options.entryPoints,
               /*hasVectors=*/false);
}

} // namespace mlir::frit
