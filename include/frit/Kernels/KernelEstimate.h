//===- KernelEstimate.h -----------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates of what kernels take, for passes that choose between one op and
// the several that it stands for.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELESTIMATE_H
#define FRIT_KERNELS_KERNELESTIMATE_H

#include "frit/Dialect/Frit/IR/Frit.h"

namespace mlir::frit {

struct KernelDecision;

/// Times in microseconds, for one machine of the target's kind: their ratio
/// counts.
struct KernelEstimate {
  /// Of the kernel.
  double fused;
  /// Of the ops that the op was formed from, one by one.
  double separate;
};

/// The largest number of tokens up to which the kernels that were decided on
/// have estimates, none of which is slower than the ops one by one; 0 where
/// that is so for one token already. At most 4096: the formed op is for few
/// tokens.
int64_t getTokenLimit(const KernelDecision &decision);

/// Of kernel `native.vector` for frit.sparse_ffn, from measurements on two
/// cores. The op's H and d are known.
KernelEstimate estimateSparseFfnOnCpu(KernelOpInterface op, int64_t tokens);

/// Of the kernels `cuda.sparse_ffn_tile*`, from measurements on an H200. The
/// op's H and d are known.
KernelEstimate estimateSparseFfnOnCuda(KernelOpInterface op, int64_t tokens);
/// Of the kernels `cuda.sparse_ffn_dealt*`.
KernelEstimate estimateDealtSparseFfnOnCuda(KernelOpInterface op,
                                            int64_t tokens);

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELESTIMATE_H
