//===- InitAll.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one entry that registers everything of Frit.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_INITALL_H
#define FRIT_INITALL_H

#include "frit/Conversion/Passes.h"
#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Dialect/Frit/Transforms/ExternalModels.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"
#include "frit/Execution/Passes.h"
#include "frit/Kernels/KernelTable.h"
#include "frit/Pipelines/Pipelines.h"

namespace mlir::frit {

/// As registerAll, with native kernels only: for those who have all others of
/// their own.
inline void registerAllButFusedKernels(DialectRegistry &registry) {
  registry.insert<FritDialect>();
  registerFritExternalModels(registry);
  registerKernelTable(registry);
  registerFritTransformsPasses();
  registerFritConversionPasses();
  registerFritExecutionPasses();
  registerFritPipelines();
}

/// Registers Frit's dialect with all external models, its passes, its pipelines
/// and its kernels. May be called more than once.
inline void registerAll(DialectRegistry &registry) {
  registerAllButFusedKernels(registry);
  registerCudaKernels(registry);
}

} // namespace mlir::frit

#endif // FRIT_INITALL_H
