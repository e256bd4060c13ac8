//===- KernelChoices.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which kernels a compilation will pick, asked before anything is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_KERNELCHOICES_H
#define FRIT_EXECUTION_KERNELCHOICES_H

#include "frit/Kernels/KernelSelection.h"
#include "frit/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::frit {

/// Decides every op of the module as the pipelines do, on a copy of it, and
/// hands the decisions to `use` while the ops that they are about exist. Fails
/// after a diagnostic.
LogicalResult chooseKernels(ModuleOp module, const GraphOptions &options,
                            function_ref<void(ArrayRef<KernelDecision>)> use);

} // namespace mlir::frit

#endif // FRIT_EXECUTION_KERNELCHOICES_H
