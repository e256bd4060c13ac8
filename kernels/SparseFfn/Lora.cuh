//===- Lora.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The LoRAs of the sparse FFN, in the arithmetic of frit.lora_matmul. Each
// kernel expands, or sums, where it has the values that a LoRA changes: rank
// vectors are in memory as sums, which whoever reads them scales and rounds.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_LORA_CUH
#define FRIT_KERNELS_SPARSEFFN_LORA_CUH

#include "Common/Memory.cuh"
#include "Lora/Expand.cuh"
#include "Lora/Prefetch.cuh"

namespace frit::sparseffn {

/// A bit of the LoRA flags beside those of lora::Flag: A and B are f32,
/// whatever the type of x.
inline constexpr int32_t kWideWeights = 1 << 16;

/// The number of a projection in the first dimension of scales and ranks.
enum Projection : int { kGateProjection, kUpProjection, kDownProjection };

/// Elements between the rank vectors of two tokens.
inline __device__ int64_t paddedRank(int64_t rank) {
  return (rank + 3) / 4 * 4;
}

/// What all three LoRAs have in common.
struct Adapters {
  const int32_t *ids;   ///< [tokens]
  const float *scales;  ///< [adapters] for each projection, or null.
  const int32_t *ranks; ///< The same.
  int64_t scalesStride, ranksStride; ///< Between projections.
  int64_t count, rank;
  int32_t flags;

  /// -1 where the token has none.
  __device__ int find(int64_t token) const {
    const int id = *reinterpret_cast<const volatile int32_t *>(ids + token);
    return id >= 0 && id < count ? id : -1;
  }
  /// No more than the weights have.
  __device__ int trueRank(int adapter, Projection projection) const {
    const int most = static_cast<int>(rank);
    if (!ranks)
      return most;
    return max(min(ranks[projection * ranksStride + adapter], most), 0);
  }
  __device__ float coefficient(int adapter, Projection projection,
                               float scale) const {
    return scales
               ? __fmul_rn(scale, scales[projection * scalesStride + adapter])
               : scale;
  }
};

/// A or B of a projection; null where it has no LoRA.
struct Factor {
  const void *weights;
  int64_t adapterStride, rowStride; ///< In elements.

  /// A row of an adapter's matrix.
  template <class W> __device__ const W *row(int adapter, int64_t row) const {
    return static_cast<const W *>(weights) + adapter * adapterStride +
           row * rowStride;
  }
};

/// Calls `body` with a null pointer to the type of A and B.
template <class E, class Body>
__device__ void withWeights(int32_t flags, Body body) {
  if constexpr (sizeof(E) == 4)
    body(static_cast<const float *>(nullptr));
  else if (flags & kWideWeights)
    body(static_cast<const float *>(nullptr));
  else
    body(static_cast<const E *>(nullptr));
}

/// Whether rows of `length` elements are whole vectors of 16 bytes.
template <class W>
__device__ bool isWhole(const W *base, int64_t stride, int64_t length) {
  return accessBytes(base, stride) == 16 &&
         length % Element<W>::kPerVector == 0;
}

/// `Count` neighbouring elements as they are in memory.
template <class W, int Count> struct Elements {
  static constexpr int kWords = Count / Element<W>::kPerWord;
  uint32_t words[kWords];

  /// Zeros from the `left`-th on. `isVector`: they are aligned to their size,
  /// or to 16 bytes, and all there. All loads are before the first use.
  __device__ void load(const W *from, int64_t left, bool isVector) {
    constexpr int kWide = kWords < 4 ? kWords : 4;
    struct alignas(4 * kWide) Piece {
      uint32_t words[kWide];
    };
    if (isVector) {
#pragma unroll
      for (int i = 0; i < kWords; i += kWide) {
        const Piece piece =
            *reinterpret_cast<const Piece *>(from + i * Element<W>::kPerWord);
#pragma unroll
        for (int w = 0; w < kWide; ++w)
          words[i + w] = piece.words[w];
      }
      return;
    }
    uint32_t bits[Count];
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      bits[i] = 0;
      if (i < left) {
        if constexpr (sizeof(W) == 4)
          bits[i] = reinterpret_cast<const uint32_t *>(from)[i];
        else
          bits[i] = reinterpret_cast<const uint16_t *>(from)[i];
      }
    }
#pragma unroll
    for (int i = 0; i < kWords; ++i)
      words[i] = sizeof(W) == 4 ? bits[i] : bits[2 * i] | bits[2 * i + 1] << 16;
  }

  __device__ void unpack(float (&to)[Count]) const {
#pragma unroll
    for (int i = 0; i < kWords; ++i)
      Element<W>::unpack(words[i], to + i * Element<W>::kPerWord);
  }
};

/// The sum over the ranks of a row of B times a rank vector, whose sums are in
/// `hidden`, aligned to 16 bytes. `kAtOnce` ranks are loaded together.
template <int kAtOnce, class W>
__device__ float expandRow(const W *row, const float *hidden, int rank,
                           float coefficient, int32_t flags) {
  const bool isAligned = accessBytes(row, 0) == 16;
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rank; r += kAtOnce) {
    const bool isAll = rank - r >= kAtOnce;
    Elements<W, kAtOnce> loaded;
    Elements<float, kAtOnce> sums;
    loaded.load(row + r, rank - r, isAligned && isAll);
    sums.load(hidden + r, rank - r, isAll);
    float weights[kAtOnce], values[kAtOnce];
    loaded.unpack(weights);
    sums.unpack(values);
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i)
      if (r + i < rank)
        sum = fmaf(weights[i],
                   lora::hiddenValue<W>(flags, coefficient, values[i]), sum);
  }
  return sum;
}

/// The rounded value of a projection from what it was and what its LoRA adds.
template <class E, class W>
__device__ float addExpanded(float old, float expanded, float coefficient,
                             int32_t flags) {
  return Element<E>::round(lora::finishOutput<E, W>(
      flags | lora::kAccumulate, coefficient, expanded, old));
}

/// Asks the L2 for the lines of `bytes` bytes, by threads of which this is the
/// `thread`-th.
inline __device__ void askLines(const void *from, int64_t bytes, int thread,
                                int threads) {
  const char *begin = static_cast<const char *>(from);
  for (int64_t at = int64_t(thread) * lora::kLine; at < bytes;
       at += int64_t(threads) * lora::kLine)
    lora::prefetchToL2(begin + at);
}

/// The LoRA of a projection whose rank vectors are there: B and the sums.
template <class E> struct Expansion {
  Adapters adapters;
  Factor b;
  const float *hidden; ///< [tokens, paddedRank(rank)]
  float scale;
  Projection projection;
};

/// What is added to the values of one token. Nothing where the token has no
/// adapter or the projection no LoRA. It may be in shared memory.
template <class E> class TokenExpansion {
public:
  TokenExpansion() = default;
  __device__ TokenExpansion(const Expansion<E> &all, int64_t token)
      : b(all.b), flags(all.adapters.flags),
        adapter(b.weights ? all.adapters.find(token) : -1) {
    if (adapter < 0)
      return;
    rank = all.adapters.trueRank(adapter, all.projection);
    coefficient = all.adapters.coefficient(adapter, all.projection, all.scale);
    hidden = all.hidden + token * paddedRank(all.adapters.rank);
  }

  __device__ bool hasAdapter() const { return adapter >= 0; }
  __device__ void drop() { adapter = -1; }

  /// Asks the L2 for row `row` of B.
  __device__ void ask(int64_t row) const {
    withWeights<E>(flags, [&](auto *type) {
      using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      askLines(b.template row<W>(adapter, row), rank * int64_t(sizeof(W)), 0,
               1);
    });
  }
  /// The sum for row `row` of B.
  template <int kAtOnce = 16> __device__ float expand(int64_t row) const {
    float sum = 0;
    withWeights<E>(flags, [&](auto *type) {
      using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      sum = expandRow<kAtOnce>(b.template row<W>(adapter, row), hidden, rank,
                               coefficient, flags);
    });
    return sum;
  }

  /// The value with `expanded`, a result of `expand`.
  __device__ float add(float old, float expanded) const {
    float value = old;
    withWeights<E>(flags, [&](auto *type) {
      using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      value = addExpanded<E, W>(old, expanded, coefficient, flags);
    });
    return value;
  }

private:
  Factor b;
  const float *hidden;
  int32_t flags;
  int adapter, rank;
  float coefficient;
};

/// What the kernels take in place of a LoRA where there is none.
struct NoExpansion {
  __device__ void startAt(int64_t, int64_t) {}
  __device__ void takeTokens(int64_t) {}
  __device__ float add(float sum, int64_t = 0) const { return sum; }
  __device__ void begin(int64_t, int64_t) {}
  __device__ void expand(int64_t, int64_t, int64_t) {}
};

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_LORA_CUH
