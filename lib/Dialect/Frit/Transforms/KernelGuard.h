//===- KernelGuard.h ------------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a decision on a kernel into the IR, with run-time guards where it has
// any.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_TRANSFORMS_KERNELGUARD_H
#define FRIT_LIB_DIALECT_FRIT_TRANSFORMS_KERNELGUARD_H

#include "frit/Kernels/KernelSelection.h"

namespace mlir::frit {

/// Writes `frit.kernel` on the op of a decision; a kept one only gets the
/// parameters that it lacks. Where candidates are guarded, replaces the op by
/// an `scf.if` for each of them, in the order of the candidates. Under a guard
/// of fewer than `minGroupedTokens` tokens a kernel that can read the ids
/// itself does so, without the grouping that the graph computes. Returns the
/// number of guards.
unsigned applyDecision(const KernelDecision &decision,
                       int64_t minGroupedTokens);

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_TRANSFORMS_KERNELGUARD_H
