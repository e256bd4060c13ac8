//===- SequentialLoops.h - Parallel loops in order --------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel loops as loops that run in order.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_UTILS_SEQUENTIALLOOPS_H
#define FRIT_LIB_CONVERSION_UTILS_SEQUENTIALLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

/// Replaces a loop by a nest of scf.for. Reductions keep the order of the
/// iterations.
void convertToSequentialLoops(RewriterBase &rewriter, scf::ParallelOp op);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_UTILS_SEQUENTIALLOOPS_H
