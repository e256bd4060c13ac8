//===- Expand.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half: columns of y along the 16 rows of the matrix unit's tiles,
// tokens along their 8 columns. A warp takes strips of 32 or 64 columns; in a
// strip a thread's rows of all tiles are neighbouring columns, so that it reads
// B and reads and writes y in vectors without any exchange. The strips' steps
// of 16 or 32 ranks form one sequence, whose operands are loaded several steps
// ahead, the first of them before the rank vectors are there.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_EXPAND_CUH
#define FRIT_KERNELS_LORA_EXPAND_CUH

#include "Elements.cuh"
#include "Hidden.cuh"
#include "Prefetch.cuh"

namespace frit::lora {

/// The ordinary loads of y, which this kernel also writes.
template <class E, int Count>
__device__ Fragment<E, Count> loadWritten(const E *from) {
  Fragment<E, Count> result;
  if constexpr (result.kBytes == 8)
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(result.words[0]), "=r"(result.words[1])
                 : "l"(from));
  else
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(result.words[0]), "=r"(result.words[1]),
                   "=r"(result.words[2]), "=r"(result.words[3])
                 : "l"(from));
  return result;
}

/// The first `count` elements, the others zero.
template <class E, int Count>
__device__ __forceinline__ Fragment<E, Count> loadWrittenSome(const E *from,
                                                              int count) {
  Fragment<E, Count> result;
  result.clear();
#pragma unroll
  for (int i = 0; i < Count; ++i)
    if (i < count)
      result.setBits(i, loadWrittenBits(from + i));
  return result;
}

/// The value of y from the expanded sum and what y held.
template <class X, class W>
__device__ __forceinline__ float finishOutput(int32_t flags, float scale,
                                              float sum, float old) {
  float v = sum;
  if (flags & kStepwise)
    v = roundTo<W>(__fmul_rn(scale, roundTo<W>(v)));
  else if (flags & kExpandOnly)
    v = __fmul_rn(scale, v);
  if (flags & kRoundSum)
    v = roundTo<X>(v);
  return flags & kAccumulate ? __fadd_rn(old, v) : v;
}

/// Whether that is a sum and what y held, no more.
__device__ __forceinline__ bool isPlain(int32_t flags) {
  return (flags & (kAccumulate | kRoundSum | kStepwise | kExpandOnly)) ==
         kAccumulate;
}

/// Expands one warp's strips; `Vectors`: see usesVectors; a step
/// takes `Depth` ranks, 16 or 32.
template <class X, class W, int TokenTiles, bool Vectors, int Depth>
class Expander {
public:
  static constexpr int kTokens = 8 * TokenTiles;
  /// Tokens of one thread.
  static constexpr int kOwn = 2 * TokenTiles;
  /// Tiles of the matrix unit across a strip, its width, and how many of its
  /// columns are neighbours in one thread.
  static constexpr int kTiles =
      Vectors && TokenTiles == 2 && sizeof(X) == 2 && sizeof(W) == 2 ? 4 : 2;
  static constexpr int kStrip = 16 * kTiles;
  static constexpr int kColumns = 2 * kTiles;
  /// Steps of B held in registers.
  static constexpr int kAhead =
      Vectors && TokenTiles == 1 && sizeof(W) == 2 ? 2 : 1;
  /// Neighbouring ranks in one thread.
  static constexpr int kRanks = Depth / 4;

  /// What a thread holds between the two calls of a use. Kept apart from the
  /// object: the compiler keeps small arrays in registers, but not a large
  /// object of them.
  using Weights =
      Fragment<W, kRanks>[kAhead][kColumns];   ///< The next steps' rows of B.
  using Outputs = Fragment<X, kColumns>[kOwn]; ///< A strip of y.
  using Sums = float[kTiles][TokenTiles][4];
  using Rows = X *[kOwn]; ///< This thread's tokens, from its columns on.

  __device__ __forceinline__ Expander(const Arguments<X, W> &args,
                                      const Tile<X, W, kTokens> &tile,
                                      int first, int stride)
      : args(args), tile(tile), quad(static_cast<int>(threadIdx.x) % 4),
        group(static_cast<int>(threadIdx.x) % 32 / 4),
        steps(max((tile.rank + Depth - 1) / Depth, 1)), stride(stride),
        rank(static_cast<int>(args.rank)), columns(static_cast<int>(args.n)),
        strips((columns + kStrip - 1) / kStrip), fullStrips(columns / kStrip),
        loading(first), working(first), plain(isPlain(args.flags)) {
    used = 0;
#pragma unroll
    for (int t = 0; t < kOwn; ++t)
      used |= (rowOf(t) >= 0 ? 1u : 0u) << t;
  }

  __device__ __forceinline__ void findRows(Rows &y) const {
#pragma unroll
    for (int t = 0; t < kOwn; ++t)
      y[t] = tile.y[8 * (t / 2) + 2 * quad + t % 2] + kColumns * group;
  }

  /// Brings what the first strip reads closer, without registers.
  __device__ __forceinline__ void prefetch(const Rows &y) const {
    if (working >= fullStrips)
      return;
    const int n = working * kStrip;
    // A strip of B is one piece of memory.
    const char *from =
        reinterpret_cast<const char *>(tile.b + static_cast<int64_t>(n) * rank);
    const int bytes = kStrip * rank * static_cast<int>(sizeof(W));
    for (int at = (4 * group + quad) * kLine; at < bytes; at += 32 * kLine)
      prefetchToL2(from + at);
    if (args.flags & kAccumulate) {
#pragma unroll
      for (int t = 0; t < kOwn; ++t)
        if (used >> t & 1)
          prefetchToL2(y[t] + n);
    }
  }

  /// Issues the loads of the first steps.
  __device__ __forceinline__ void start(const Rows &y, Weights &weights,
                                        Outputs &next) {
#pragma unroll
    for (int d = 0; d < kAhead; ++d)
      loadWeights(weights[d]);
    if (working < strips)
      loadOutputs(working, y, next);
  }

  __device__ __forceinline__ void run(const SharedLayout &shared, const Rows &y,
                                      Weights &weights, Outputs &next) {
    Outputs now;
    Sums sums;
    const int terms = hiddenTerms<W>(args.flags);
    const __nv_bfloat16 *hidden =
        shared.terms + group * shared.termPitch + kRanks * quad;
    int step = 0;
    while (working < strips) {
#pragma unroll
      for (int d = 0; d < kAhead; ++d) {
        if (working >= strips)
          continue;
        if (step == 0) {
#pragma unroll
          for (int i = 0; i < kTiles; ++i)
#pragma unroll
            for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
              for (int e = 0; e < 4; ++e)
                sums[i][j][e] = 0.0f;
#pragma unroll
          for (int t = 0; t < kOwn; ++t)
            now[t] = next[t];
          if (working + stride < strips)
            loadOutputs(working + stride, y, next);
        }
        multiplyStep(weights[d], hidden + Depth * step, shared.termPitch, terms,
                     sums);
        loadWeights(weights[d]);
        if (++step == steps) {
          store(working, y, now, sums);
          step = 0;
          working += stride;
        }
      }
    }
  }

private:
  __device__ __forceinline__ int rowOf(int t) const {
    return tile.row[8 * (t / 2) + 2 * quad + t % 2];
  }

  /// Loads the next step's rows of B, if there is one. Rows beyond the last
  /// are another row: their products are never looked at.
  __device__ __forceinline__ void
  loadWeights(Fragment<W, kRanks> (&to)[kColumns]) {
    if (loading >= strips)
      return;
    const int n = loading * kStrip + kColumns * group;
    // Never beyond the row, whose length is a multiple of a vector's here.
    const int r = Depth * loadingStep + kRanks * quad;
    const W *from = tile.b + (!Vectors || r < rank ? r : 0);
    const W *rows[kColumns];
    if (loading < fullStrips) {
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        rows[i] = from + static_cast<int64_t>(n + i) * rank;
    } else {
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        rows[i] = from + static_cast<int64_t>(min(n + i, columns - 1)) * rank;
    }
    const int left = tile.rank - Depth * loadingStep;
    if constexpr (Vectors) {
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        to[i] = loadVector<W, kRanks>(rows[i]);
      if (left < Depth) // The partial step: what lies beyond does not count.
#pragma unroll
        for (int i = 0; i < kColumns; ++i)
          to[i].keep(left - kRanks * quad);
    } else {
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        to[i] = loadSome<W, kRanks>(rows[i], left - kRanks * quad);
    }
    if (++loadingStep == steps) {
      loadingStep = 0;
      loading += stride;
    }
  }

  __device__ __forceinline__ void loadOutputs(int strip, const Rows &y,
                                              Outputs &next) const {
    if (!(args.flags & kAccumulate))
      return;
    const int n = strip * kStrip;
    const int count = columnsLeft(n);
#pragma unroll
    for (int t = 0; t < kOwn; ++t)
      if ((used >> t & 1) && count > 0) {
        if constexpr (Vectors)
          next[t] = loadWritten<X, kColumns>(y[t] + n);
        else
          next[t] = loadWrittenSome<X, kColumns>(y[t] + n, count);
      }
  }

  /// Of this thread's four columns in the strip at n, how many there are.
  __device__ __forceinline__ int columnsLeft(int n) const {
    return min(columns - n - kColumns * group, kColumns);
  }

  __device__ __forceinline__ void
  multiplyStep(const Fragment<W, kRanks> (&rows)[kColumns],
               const __nv_bfloat16 *hidden, int pitch, int terms,
               Sums &sums) const {
    // The four neighbouring ranks of one product of the matrix units.
#pragma unroll
    for (int k = 0; k < Depth / 16; ++k) {
      uint32_t bs[kColumns][2][kTerms<W>];
#pragma unroll
      for (int i = 0; i < kColumns; ++i) {
        pairTerms(rows[i], 2 * k, bs[i][0]);
        pairTerms(rows[i], 2 * k + 1, bs[i][1]);
      }
#pragma unroll
      for (int t = 0; t < 3; ++t) {
        if (t >= terms)
          break;
#pragma unroll
        for (int j = 0; j < TokenTiles; ++j) {
          const uint2 h = *reinterpret_cast<const uint2 *>(
              hidden + (t * kTokens + 8 * j) * pitch + 4 * k);
#pragma unroll
          for (int i = 0; i < kTiles; ++i)
#pragma unroll
            for (int s = 0; s < kTerms<W>; ++s)
              if (s + t < kTermOrders)
                multiply<false>(sums[i][j], bs[2 * i][0][s],
                                bs[2 * i + 1][0][s], bs[2 * i][1][s],
                                bs[2 * i + 1][1][s], h.x, h.y);
        }
      }
    }
  }

  __device__ __forceinline__ void
  store(int strip, const Rows &y, const Outputs &now, const Sums &sums) const {
    const int n = strip * kStrip;
    const int count = columnsLeft(n);
#pragma unroll
    for (int t = 0; t < kOwn; ++t)
      if ((used >> t & 1) && count > 0)
        storeToken(y[t] + n, now[t], sums, t, count);
  }

  __device__ __forceinline__ void storeToken(X *to,
                                             const Fragment<X, kColumns> &old,
                                             const Sums &sums, int t,
                                             int count) const {
    float v[kColumns];
#pragma unroll
    for (int i = 0; i < kColumns; ++i)
      v[i] = sums[i / 2][t / 2][t % 2 + i % 2 * 2];
    if (plain) {
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        v[i] = __fadd_rn(old.get(i), v[i]);
    } else {
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        v[i] = finishOutput<X, W>(args.flags, tile.scale, v[i], old.get(i));
    }
    if constexpr (Vectors) {
      Fragment<X, kColumns> out;
#pragma unroll
      for (int i = 0; i < out.kWords; ++i)
        if constexpr (sizeof(X) == 4)
          out.words[i] = __float_as_uint(v[i]);
        else
          out.words[i] = packPair<X>(v[2 * i], v[2 * i + 1]);
      storeVector(to, out);
    } else {
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        if (i < count)
          to[i] = fromFloat<X>(v[i]);
    }
  }

  const Arguments<X, W> args; ///< A copy: a reference would put it in memory.
  const Tile<X, W, kTokens> &tile;
  const int quad, group, steps, stride, rank, columns, strips, fullStrips;
  int loading, loadingStep = 0; ///< Strip and step of the next loads of B.
  int working;                  ///< The strip whose sums are formed.
  const bool plain;
  uint32_t used; ///< Which of this thread's tokens there are.
};

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_EXPAND_CUH
