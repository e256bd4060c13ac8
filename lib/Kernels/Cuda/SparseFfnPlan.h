//===- SparseFfnPlan.h - Launches of the sparse FFN's kernels ---*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the kernels of kernels/SparseFfn are launched and what they are given, as
// kernels/SparseFfn/README.md states it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_CUDA_SPARSEFFNPLAN_H
#define FRIT_LIB_KERNELS_CUDA_SPARSEFFNPLAN_H

#include "CudaKernels.h"

namespace mlir::frit {

/// Bytes of shared memory that the kernel of rows has for rows of x, up and
/// down.
inline constexpr int64_t kSparseFfnRowsBytes = 225280;

/// The tokens that the kernels take at once.
struct SparseFfnTile {
  /// Of the entry.
  int64_t most;
  int64_t gate, rows;
  /// The rows of a token are dealt evenly to blocks of its own.
  bool isDealt = false;
};

/// Columns that can be dealt, and ranks of LoRAs of theirs.
int64_t getSparseFfnDealtColumns(SparseFfnTile tile);
inline constexpr int64_t kSparseFfnDealtRanks = 32;

/// Bytes of an element of the op's matrices.
int64_t getSparseFfnElementBytes(KernelOpInterface op);

/// What selection fixes for an op, whose H is known: `cluster`,
/// `clusterRows`, `resident` and `inboxBytes` of the gate's kernel.
DictionaryAttr getSparseFfnParams(SparseFfnTile tile, KernelOpInterface op);

/// The launches, in order: four where there are LoRAs, else three.
std::vector<KernelStep> getSparseFfnSteps(SparseFfnTile tile, bool hasLora);

/// Bytes of memory that the launches share.
AffineExpr getSparseFfnWorkspace(SparseFfnTile tile, bool hasLora,
                                 const KernelPlanSizes &sizes);

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_CUDA_SPARSEFFNPLAN_H
