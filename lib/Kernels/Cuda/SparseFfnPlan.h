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

/// How the kernel of rows divides them.
enum class SparseFfnRows {
  /// Blocks have ranges of columns.
  Ranges,
  /// Each token has blocks, which read all of its gate's values and take equal
  /// shares of its active columns.
  Dealt,
  /// The same in groups of blocks, which read parts of them.
  Grouped,
};

/// The tokens that the kernels take at once.
struct SparseFfnTile {
  /// Of the entry.
  int64_t most;
  int64_t gate, rows;
  SparseFfnRows form = SparseFfnRows::Ranges;

  bool isDealt() const { return form != SparseFfnRows::Ranges; }
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
