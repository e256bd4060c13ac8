//===- Stages.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages that pipelines share.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"
#include "frit/Execution/Passes.h"
#include "frit/Pipelines/Pipelines.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::frit {

void addNumericsCheck(OpPassManager &pm) {
  pm.addPass(createFritVerifyNumericsPass());
}

void addInliningStage(OpPassManager &pm, bool entryPoints, bool hasDevice) {
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createDecomposeLinalgPass());
  // Arithmetic on whole tensors has no bufferization of its own.
  pm.addPass(createConvertElementwiseToLinalgPass());
  if (entryPoints) {
    pm.addPass(createEmitResultShapesPass());
    pm.addPass(createRecordSignaturesPass());
  }
  // After the functions that compute the sizes of results: those do not hold
  // ops whose results have known sizes, and need no checks of them.
  CheckSizesPassOptions checks;
  checks.linalgOnHost = hasDevice;
  // A grouping is in the memory of the device.
  checks.groupings = !hasDevice;
  pm.addPass(createCheckSizesPass(checks));
}

int64_t getMinGroupedTokens(StringRef target) {
  // A device's kernels look at so many ids themselves, which costs less than a
  // launch that groups them.
  return target.starts_with("cuda") ? 33 : GroupTokensPassOptions().minTokens;
}

bool GraphOptions::hasPass(OptionalPass pass) const {
  // It does what makes the op faster, and other ops slower.
  if (pass == OptionalPass::TransposeWeights &&
      !hasPass(OptionalPass::FormSparseFfn))
    return false;
  return !llvm::is_contained(without, pass);
}

/// Options of a pass that decides by the kernels there are.
template <typename PassOptions>
static PassOptions getPassOptions(const GraphOptions &graph) {
  PassOptions options;
  options.target = graph.target;
  options.policy = graph.policy;
  return options;
}

void addFormingPasses(OpPassManager &pm, const GraphOptions &options) {
  if (options.hasPass(OptionalPass::TransposeWeights)) {
    auto weights = getPassOptions<TransposeWeightsPassOptions>(options);
    weights.assumeFiniteWeights = options.assumeFiniteWeights;
    pm.addPass(createTransposeWeightsPass(weights));
  }
  // Before there may be branches, in which no op is known to be the host's.
  if (options.hasPass(OptionalPass::FormMatmuls))
    pm.addPass(
        createFormMatmulsPass(getPassOptions<FormMatmulsPassOptions>(options)));
  if (options.hasPass(OptionalPass::FormSparseFfn)) {
    auto sparseFfn = getPassOptions<FormSparseFfnPassOptions>(options);
    sparseFfn.assumeFiniteWeights = options.assumeFiniteWeights;
    pm.addPass(createFormSparseFfnPass(sparseFfn));
  }
  if (options.hasPass(OptionalPass::GroupTokens)) {
    GroupTokensPassOptions grouping;
    grouping.minTokens = getMinGroupedTokens(options.target);
    pm.addPass(createGroupTokensPass(grouping));
  }
  // After groupings, which the ops that it makes share.
  if (options.hasPass(OptionalPass::FormLoraActivations))
    pm.addPass(createFormLoraActivationsPass(
        getPassOptions<FormLoraActivationsPassOptions>(options)));
}

void addTensorStage(OpPassManager &pm, const GraphOptions &options) {
  addFormingPasses(pm, options);
  auto selection = getPassOptions<SelectKernelsPassOptions>(options);
  selection.minGroupedTokens = getMinGroupedTokens(options.target);
  pm.addPass(createSelectKernelsPass(selection));
  FritDecomposePassOptions decomposition;
  decomposition.onlyNativeLinalg = true;
  pm.addPass(createFritDecomposePass(decomposition));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (options.hasPass(OptionalPass::SinkGroupings))
    pm.addPass(createSinkGroupingsPass());
  // The scalar code of a fused op keeps its locations, and so its origins.
  pm.addPass(createLinalgElementwiseOpFusionPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  addNumericsCheck(pm);
}

void addBufferizationStage(OpPassManager &pm) {
  pm.addPass(createCheckSupportedPass());
  pm.addPass(createExpandSwitchesPass());
  pm.addPass(createSeparateLoopValuesPass());
  pm.addPass(createAddOutParamsPass());
  // Layers that compute in one tensor.empty have a result each.
  pm.addPass(createSplitEmptyTensorsPass());
  pm.addPass(createPlaceResultsPass());
  // Before the passes that run one-shot analysis.
  pm.addPass(createSplitUpdatesPass());
  pm.addPass(createEliminateEmptyTensorsPass());
  pm.addPass(createBufferizePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Upstream's pipeline, with one more canonicalization, which takes buffers
  // that are another's to free off the lists of those that may be the same, and
  // with those lists expanded.
  memref::ExpandReallocPassOptions realloc;
  realloc.emitDeallocs = false;
  pm.addPass(memref::createExpandReallocPass(realloc));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createExpandDeallocationsPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  // What a function calls becomes a part of it, as far as it does not call
  // itself: later passes look at one function at a time.
  pm.addPass(createInlinerPass());
  addNumericsCheck(pm);
}

void addRuntimeStage(OpPassManager &pm, bool entryPoints) {
  pm.addPass(createAddContextPass());
  if (entryPoints)
    pm.addPass(createEmitEntryPointsPass());
  pm.addPass(createConvertParallelToFritRuntimePass());
  // Bodies of loops are functions now, with stacks of their own.
  pm.addPass(createConvertMatmulToFritRuntimePass());
  pm.addPass(createMergeEqualFunctionsPass());
  pm.addPass(createConvertAllocToFritRuntimePass());
  pm.addNestedPass<func::FuncOp>(createFlattenAllocasPass());
  addNumericsCheck(pm);
}

void addLLVMStage(OpPassManager &pm, const std::string &target,
                  bool entryPoints, bool hasVectors) {
  if (hasVectors)
    pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertAssertToFritRuntimePass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (hasVectors)
    pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  // What has no intrinsic is a function of libm.
  pm.addPass(createConvertMathToLibmPass());
  if (hasVectors)
    pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (hasVectors)
    pm.addPass(createFritBF16MemoryAsIntegerPass());
  if (entryPoints) {
    EmitEntryMetadataPassOptions metadata;
    metadata.target = target;
    pm.addPass(createEmitEntryMetadataPass(metadata));
  }
  addNumericsCheck(pm);
}

} // namespace mlir::frit
