//===- Operands.cuh --------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the second kernel of the sparse FFN is given.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_OPERANDS_CUH
#define FRIT_KERNELS_SPARSEFFN_OPERANDS_CUH

#include "SparseFfn/Gate.cuh"

namespace frit::sparseffn {

/// Bits of the kernels' flags.
enum Flag : int32_t {
  /// One rounding at the end of the activation, not one after every step.
  kFinal = 1,
  /// The erf form of GELU, not tanh.
  kErf = 2,
};

/// Elements between rows of sums.
inline __device__ int64_t paddedWidth(int64_t h) { return (h + 7) / 8 * 8; }

/// Sizes and strides are in elements.
template <class E> struct Operands {
  const E *x;        ///< [tokens, h]
  const E *gate;     ///< [tokens, d], rows `gateStride` apart.
  const Part *parts; ///< [tokens, partCount]
  const E *up;       ///< [d, h]
  const E *down;     ///< [d, h]
  float *sums;       ///< [blocks, tokens, paddedWidth(h)]
  int64_t sumsStride;
  int64_t tokens, d, h, partCount;
  int64_t xStride, gateStride, upStride, downStride;
  float multiplier;
  int32_t correction, flags;

  /// Keeps at most `count` tokens, from `first` on.
  __device__ void takeTokens(int64_t first, int count) {
    x += first * xStride;
    gate += first * gateStride;
    parts += first * partCount;
    sums += first * paddedWidth(h);
    tokens = min(tokens - first, int64_t(count));
  }
};

/// The LoRAs of up and down; of down the sums of its rank vectors over a
/// block's columns.
template <class E> struct RowsLora {
  Expansion<E> up;
  Factor downA;
  float *sums; ///< [blocks, tokens, paddedRank(rank)]
  int64_t sumsStride;

  __device__ void takeTokens(int64_t first) {
    up.adapters.ids += first;
    const int64_t width = paddedRank(up.adapters.rank);
    up.hidden += first * width;
    sums += first * width;
  }
};

inline constexpr int kWarps = 16;
inline constexpr int kThreads = 32 * kWarps;
/// Rows of up, and of down, that a block has in shared memory at a time.
inline constexpr int kRound = 16;
/// Columns of d that a block works on at a time.
inline constexpr int kColumns = 128;

/// What the warps of a block tell each other.
template <int Tokens> struct Selection {
  /// Moments of the row, from the warps of each token.
  Part parts[Tokens][kWarps / Tokens];
  /// The rounded activations, and for four columns which are not zero.
  float activation[Tokens][kColumns];
  alignas(8) uint8_t active[kColumns / 4][Tokens];
  /// The columns that are active for a token, in order, and for which.
  uint16_t column[kColumns];
  uint16_t tokens[kColumns];
  /// The activations times up of a round.
  float product[kRound][Tokens];
};

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_OPERANDS_CUH
