//===- Downstream.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect of a compiler that embeds Frit, its pipelines and its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef DOWNSTREAM_H
#define DOWNSTREAM_H

#include "frit/Dialect/Frit/IR/Frit.h"
#include "mlir/IR/DialectRegistry.h"

#include "DownstreamDialect.h.inc"

#define GET_OP_CLASSES
#include "DownstreamOps.h.inc"

namespace downstream {

/// Registers `downstream-to-frit`, which turns the dialect's ops into Frit's,
/// and `downstream-to-cpu` and `downstream-to-cuda`, which go on with Frit's
/// pipelines.
void registerPasses();

/// Lets Frit pick this compiler's kernels in every context with the registry.
void registerKernels(mlir::DialectRegistry &registry);

} // namespace downstream

#endif // DOWNSTREAM_H
