//===- ReferencePipeline.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline frit-native-reference.
//
//===----------------------------------------------------------------------===//

#include "frit/Pipelines/Pipelines.h"

#include "Stages.h"

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::frit {

void buildReferencePipeline(OpPassManager &pm,
                            const ReferencePipelineOptions &options) {
  addInliningStage(pm, options.entryPoints);
  FritDecomposePassOptions decomposition;
  decomposition.accumulateInF64 = true;
  pm.addPass(createFritDecomposePass(decomposition));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  addNumericsCheck(pm);
  addBufferizationStage(pm);
  pm.addPass(createConvertStridedCopyToLinalgPass());
  pm.addPass(createForallToForLoopPass());
  pm.addPass(createInterchangeLoopsPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  addNumericsCheck(pm);
  addRuntimeStage(pm, options.entryPoints);
  addLLVMStage(pm, "cpu", options.entryPoints);
}

} // namespace mlir::frit
