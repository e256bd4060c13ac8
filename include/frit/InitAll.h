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

/// Frit's dialect, with all external models and with native kernels only.
inline void registerDialect(DialectRegistry &registry) {
  registry.insert<FritDialect>();
  registerFritExternalModels(registry);
  registerKernelTable(registry);
}

/// Frit's passes and pipelines, for pipeline texts.
inline void registerPasses() {
  registerFritTransformsPasses();
  registerFritConversionPasses();
  registerFritExecutionPasses();
  registerFritPipelines();
}

/// As registerAll, with native kernels only: for those who have all others of
/// their own.
inline void registerAllButFusedKernels(DialectRegistry &registry) {
  registerDialect(registry);
  registerPasses();
}

/// Registers Frit's dialect with all external models, its passes, its pipelines
/// and its kernels. May be called more than once.
inline void registerAll(DialectRegistry &registry) {
  registerAllButFusedKernels(registry);
  registerCudaKernels(registry);
}

} // namespace mlir::frit

#endif // FRIT_INITALL_H
