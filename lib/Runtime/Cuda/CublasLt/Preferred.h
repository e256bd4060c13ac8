//===- Preferred.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which algorithm of cuBLASLt is taken where that is not the first one that its
// heuristics find. Some of the fastest are none that they find at all. The
// choice is a table that was measured beforehand, not a race at run time: every
// process gets the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PREFERRED_H
#define FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PREFERRED_H

#include "Plan.h"

namespace frit::runtime::cuda::cublaslt {

/// The algorithm id of cuBLASLt's kernels with tensor maps on devices of
/// compute capability 9.0. Those of them that add to a result in 16 bits round
/// twice, unless they split k; docs/kernels/Layer.md says how that was found.
inline constexpr int32_t kTensorMapsId = 66;

/// What tensor maps ask of addresses and strides, in bytes.
inline constexpr uint32_t kTensorMapAlignment = 16;

/// What tells an algorithm with tensor maps from others, as cuBLASLt numbers
/// it.
struct AlgorithmForm {
  /// cublasLtMatmulTile_t.
  uint32_t tile;
  /// In how many parts k is split.
  int32_t splits;
  /// cublasLtClusterShape_t.
  uint16_t cluster;
  /// The custom option. As the kernels are named, 1 is TNT and not TNN, 2 h and
  /// not v (which tiles follow each other), 4 two groups of warps to a tile.
  uint32_t option;
};

/// The form to prefer for a matmul on devices of a compute capability (10 *
/// major + minor); null where the heuristics' first algorithm is as good, or
/// tensor maps or the rounding forbid it.
const AlgorithmForm *getPreferred(const PlanKey &key, int32_t smVersion);

} // namespace frit::runtime::cuda::cublaslt

#endif // FRIT_LIB_RUNTIME_CUDA_CUBLASLT_PREFERRED_H
