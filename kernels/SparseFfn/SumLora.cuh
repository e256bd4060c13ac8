//===- SumLora.cuh ---------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The LoRA of down, in the third kernel of the sparse FFN: a block adds its
// token's rank vector over the ranges in their order, and expands it for its
// own columns.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_SUMLORA_CUH
#define FRIT_KERNELS_SPARSEFFN_SUMLORA_CUH

#include "SparseFfn/Lora.cuh"

namespace frit::sparseffn {

inline constexpr int kSumThreads = 256;
inline constexpr int kSumColumns = 32;

/// What the LoRA of down adds to the columns of a block.
template <class E> class DownExpansion {
  static constexpr int kWarps = kSumThreads / 32;
  /// Ranks that the block has at a time; threads that share a column.
  static constexpr int kRanks = 32;
  static constexpr int kSharing = kSumThreads / kSumColumns;

public:
  struct Shared {
    float partial[kWarps][kRanks];
    float hidden[kRanks];
    float expanded[kSumColumns];
  };

  /// `all.hidden` is [shares, tokens, paddedRank(rank)].
  __device__ DownExpansion(const Expansion<E> &all, Shared &shared,
                           int64_t tokens)
      : all(all), shared(shared),
        shareStride(tokens * paddedRank(all.adapters.rank)) {}

  /// Before the kernels ahead have ended: what is read is complete.
  __device__ void begin(int64_t token, int64_t h) {
    adapter = all.b.weights ? all.adapters.find(token) : -1;
    if (adapter < 0)
      return;
    rank = all.adapters.trueRank(adapter, kDownProjection);
    coefficient = all.adapters.coefficient(adapter, kDownProjection, all.scale);
    const int64_t row = firstColumn() + threadIdx.x / kSharing;
    if (row < h)
      withWeights<E>(all.adapters.flags, [&](auto *type) {
        using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
        askLines(all.b.template row<W>(adapter, row), rank * int64_t(sizeof(W)),
                 lane(), kSharing);
      });
  }

  /// By all threads; what `add` adds is there after the block's next barrier.
  __device__ void expand(int64_t token, int64_t h, int64_t shares) {
    if (adapter < 0)
      return;
    const float *hidden = all.hidden + token * paddedRank(all.adapters.rank);
    const int64_t row = firstColumn() + threadIdx.x / kSharing;
    withWeights<E>(all.adapters.flags, [&](auto *type) {
      using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      const W *from = all.b.template row<W>(adapter, row) + 4 * lane();
      const bool isAligned = accessBytes(from, 0) >= 4 * int(sizeof(W));
      float sum = 0;
#pragma unroll 1
      for (int first = 0; first < rank; first += kRanks) {
        const int left = row < h ? rank - first - 4 * lane() : 0;
        Elements<W, 4> loaded;
        loaded.load(from + first, left, isAligned && left >= 4);
        addShares<W>(hidden + first, min(kRanks, rank - first), shares);
        float weights[4];
        loaded.unpack(weights);
#pragma unroll
        for (int i = 0; i < 4; ++i)
          sum = fmaf(weights[i], shared.hidden[4 * lane() + i], sum);
        __syncthreads();
      }
#pragma unroll
      for (int bit = 1; bit < kSharing; bit *= 2)
        sum = __fadd_rn(sum, __shfl_xor_sync(~0u, sum, bit));
      if (lane() == 0)
        shared.expanded[threadIdx.x / kSharing] = sum;
    });
  }

  /// The value of column `threadIdx.x` of the block.
  __device__ float add(float old) const {
    float value = old;
    if (adapter >= 0)
      withWeights<E>(all.adapters.flags, [&](auto *type) {
        using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
        value = addExpanded<E, W>(old, shared.expanded[threadIdx.x],
                                  coefficient, all.adapters.flags);
      });
    return value;
  }

private:
  static __device__ int lane() { return threadIdx.x % kSharing; }
  static __device__ int64_t firstColumn() {
    return int64_t(blockIdx.x) * kSumColumns;
  }

  /// The first `count` ranks of a rank vector into shared memory, zeros behind:
  /// a warp takes every eighth share.
  template <class W>
  __device__ void addShares(const float *from, int count, int64_t shares) {
    const int rank = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0;
    if (rank < count)
#pragma unroll 16
      for (int64_t share = warp; share < shares; share += kWarps)
        sum = __fadd_rn(sum, from[share * shareStride + rank]);
    shared.partial[warp][rank] = sum;
    __syncthreads();
    if (warp == 0) {
      float total = 0;
#pragma unroll
      for (int w = 0; w < kWarps; ++w)
        total = __fadd_rn(total, shared.partial[w][rank]);
      shared.hidden[rank] =
          rank < count ? lora::hiddenValue<W>(flags(), coefficient, total)
                       : 0.0f;
    }
    __syncthreads();
  }
  __device__ int32_t flags() const { return all.adapters.flags; }

  const Expansion<E> &all;
  Shared &shared;
  int64_t shareStride;
  int adapter = -1, rank = 0;
  float coefficient = 0;
};

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_SUMLORA_CUH
