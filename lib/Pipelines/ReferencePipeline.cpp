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

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::frit {

void buildReferencePipeline(OpPassManager &pm,
                            const ReferencePipelineOptions &options) {
  addInliningStage(pm, options.entryPoints);
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  addBufferizationStage(pm);
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  addFunctionStage(pm, options.entryPoints);
  addLLVMStage(pm);
}

} // namespace mlir::frit
