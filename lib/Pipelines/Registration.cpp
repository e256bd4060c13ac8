//===- Registration.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers the pipelines for textual use.
//
//===----------------------------------------------------------------------===//

#include "frit/Pipelines/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"

void mlir::frit::registerFritPipelines() {
  static const bool once = [] {
    PassPipelineRegistration<CpuPipelineOptions>(
        "frit-to-cpu", "Lower functions over tensors to LLVM for a CPU",
        buildCpuPipeline);
    PassPipelineRegistration<CudaPipelineOptions>(
        "frit-to-cuda", "Lower functions over tensors for a GPU",
        buildCudaPipeline);
    PassPipelineRegistration<ReferencePipelineOptions>(
        "frit-native-reference",
        "Lower to plain scalar loops, the reference of faster code",
        buildReferencePipeline);
    return true;
  }();
  (void)once;
}
