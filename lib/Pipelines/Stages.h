//===- Stages.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages that pipelines share. Every pipeline is a sequence of these and of
// its own passes; the numerics are verified at the end of each.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_PIPELINES_STAGES_H
#define FRIT_LIB_PIPELINES_STAGES_H

#include "frit/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"

namespace mlir::frit {

/// One function for each public one: callees are inlined and dropped. With
/// `entryPoints` also the functions that compute the sizes of results. Ops of
/// Frit and of linalg get checks of their sizes at run time, on the host where
/// there is a device.
void addInliningStage(OpPassManager &pm, bool entryPoints,
                      bool hasDevice = false);

/// Forms the ops that kernels exist for, selects kernels and decomposes what is
/// native.
void addTensorStage(OpPassManager &pm, const GraphOptions &options);

/// Ops on tensors to ops on buffers, results to destinations.
void addBufferizationStage(OpPassManager &pm);

/// Functions get a context and a status, and entry points if asked for;
/// parallel loops and allocations become calls of the runtime.
void addRuntimeStage(OpPassManager &pm, bool entryPoints);

/// Everything that is left on buffers, scalars and, with `hasVectors`, vectors
/// to LLVM's dialect. Entry points get metadata, which names `target`.
void addLLVMStage(OpPassManager &pm, const std::string &target,
                  bool entryPoints, bool hasVectors = true);

/// Checks that no rounding of a Frit op can be lost in what was made so far.
void addNumericsCheck(OpPassManager &pm);

} // namespace mlir::frit

#endif // FRIT_LIB_PIPELINES_STAGES_H
