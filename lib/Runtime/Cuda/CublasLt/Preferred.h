//===- Preferred.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of the algorithms that cuBLASLt's heuristics find is taken, where that
// is not the first one. The choice is a table that was measured beforehand, not
// a race at run time: every process gets the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PREFERRED_H
#define FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PREFERRED_H

#include "Plan.h"

namespace frit::runtime::cuda::cublaslt {

/// What tells an algorithm from others, as cuBLASLt numbers it.
struct AlgorithmForm {
  /// cublasLtMatmulTile_t.
  uint32_t tile;
  /// In how many parts k is split.
  int32_t splits;
  /// cublasLtClusterShape_t.
  uint16_t cluster;

  bool operator==(const AlgorithmForm &other) const {
    return tile == other.tile && splits == other.splits &&
           cluster == other.cluster;
  }
};

/// The form to prefer for a matmul on devices of a compute capability (10 *
/// major + minor); null where the heuristics' first algorithm is as good.
const AlgorithmForm *getPreferred(const PlanKey &key, int32_t smVersion);

} // namespace frit::runtime::cuda::cublaslt

#endif // FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PREFERRED_H
