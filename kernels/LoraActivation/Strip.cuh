//===- Strip.cuh --------------------------------------------------*- CUDA
//-*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strip of 32 columns of a tile of tokens: its LoRA on the matrix units. The
// tokens are the rows of the unit's tile, and column 2 j + e of the t-th of the
// strip's four tiles is column 8 j + 2 t + e of the strip, so that a thread has
// eight neighbouring columns of a token: one vector. Likewise a thread's four
// ranks are neighbours. Rank vectors are two bf16 terms, as in Lora/Matrix.cuh.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORAACTIVATION_STRIP_CUH
#define FRIT_KERNELS_LORAACTIVATION_STRIP_CUH

#include "Lora/Matrix.cuh"
#include "LoraActivation/Operands.cuh"

namespace frit::loraactivation {

inline constexpr int kStrip = 32;
/// Tiles of the matrix unit side by side in a strip.
inline constexpr int kStripTiles = 4;
inline constexpr int kTerms = 2;

/// The strip's rows of B, those ranks that a thread multiplies.
template <class E, int Steps> struct StripWeights {
  lora::Fragment<E, 4> tiles[kStripTiles][Steps];
};

/// B of one projection and adapter.
template <class E, int Steps> class Weights {
public:
  __device__ Weights(const Operands<E> &all, const E *b, const int32_t *ranks,
                     int adapter)
      : d(static_cast<int>(all.d)), rank(static_cast<int>(all.rank)),
        trueRank(findRank(all, ranks, adapter)),
        rows(b + adapter * all.d * all.rank),
        usual(trueRank == 16 * Steps && rank == 16 * Steps &&
              lora::isAligned<4>(b, 0)) {}

  /// Whether there are as many ranks as the kernel is made for, in vectors.
  __device__ bool isUsual() const { return usual; }
  __device__ int rankOfAdapter() const { return trueRank; }

  /// Asks for a row of B, of those that are usual, in L2.
  __device__ void prefetch(int row) const {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(
        rows + static_cast<int64_t>(row) * (16 * Steps)));
  }

  /// The strip that begins with column `first`. Rows beyond the last are
  /// another one, whose products are never looked at. `Usual`: there are no
  /// others.
  template <bool Usual>
  __device__ StripWeights<E, Steps> load(int first) const {
    StripWeights<E, Steps> result;
    if constexpr (!Usual)
      if (__builtin_expect(!usual || first + kStrip > d, 0)) {
#pragma unroll
        for (int t = 0; t < kStripTiles; ++t) {
          const E *row =
              rows +
              static_cast<int64_t>(min(first + rowInTile(t), d - 1)) * rank;
#pragma unroll
          for (int s = 0; s < Steps; ++s) {
            const int r = 16 * s + 4 * quad();
            result.tiles[t][s] = lora::loadSome<E, 4>(row + r, trueRank - r);
          }
        }
        return result;
      }
    const E *from = rows +
                    static_cast<int64_t>(first + rowInTile(0)) * (16 * Steps) +
                    4 * quad();
#pragma unroll
    for (int t = 0; t < kStripTiles; ++t)
#pragma unroll
      for (int s = 0; s < Steps; ++s)
        result.tiles[t][s] =
            lora::loadVector<E, 4>(from + 2 * t * 16 * Steps + 16 * s);
    return result;
  }

  static __device__ int quad() { return static_cast<int>(threadIdx.x) % 4; }
  /// The adapter's true rank, no more than the kernel is made for.
  static __device__ int findRank(const Operands<E> &all, const int32_t *ranks,
                                 int adapter) {
    const int most = min(static_cast<int>(all.rank), 16 * Steps);
    return ranks ? max(min(lora::loadIndex(ranks + adapter), most), 0) : most;
  }

private:
  /// This thread's row of the strip's tile `t`.
  static __device__ int rowInTile(int t) {
    const int group = static_cast<int>(threadIdx.x) % 32 / 4;
    return group / 2 * 8 + 2 * t + group % 2;
  }

  int d, rank, trueRank;
  const E *rows;
  bool usual;
};

/// The terms of the rank vectors of 16 tokens, as the matrix unit takes them.
template <class E, int Steps> class HiddenTerms {
public:
  /// Of tokens `rows[0]` and `rows[1]`, -1 where there is none. `Usual`: rows
  /// of all ranks, aligned to vectors.
  template <bool Usual>
  __device__ void load(const float *hidden, int pitch, const int (&rows)[2],
                       int rank) {
#pragma unroll
    for (int s = 0; s < Steps; ++s)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int first = 16 * s + 4 * Weights<E, Steps>::quad();
        const float *from = hidden + static_cast<int64_t>(rows[h]) * pitch;
        float4 v = {0, 0, 0, 0};
        if (rows[h] >= 0) {
          if constexpr (Usual) {
            v = *reinterpret_cast<const float4 *>(from + first);
          } else {
            v.x = first < rank ? from[first] : 0.0f;
            v.y = first + 1 < rank ? from[first + 1] : 0.0f;
            v.z = first + 2 < rank ? from[first + 2] : 0.0f;
            v.w = first + 3 < rank ? from[first + 3] : 0.0f;
          }
        }
        split(v.x, v.y, terms[s][0][h], terms[s][1][h]);
        split(v.z, v.w, terms[s][0][h + 2], terms[s][1][h + 2]);
      }
  }

  using Sums = float[kStripTiles][4];

  __device__ void multiply(const StripWeights<E, Steps> &weights,
                           Sums &sums) const {
#pragma unroll
    for (int t = 0; t < kStripTiles; ++t)
#pragma unroll
      for (float &sum : sums[t])
        sum = 0.0f;
#pragma unroll
    for (int i = 0; i < kTerms; ++i)
#pragma unroll
      for (int s = 0; s < Steps; ++s)
#pragma unroll
        for (int t = 0; t < kStripTiles; ++t) {
          const uint32_t *words = weights.tiles[t][s].words;
          frit::multiply<false>(sums[t], terms[s][i][0], terms[s][i][1],
                                terms[s][i][2], terms[s][i][3], words[0],
                                words[1]);
        }
  }

private:
  /// Both values as sums of two terms. Where a term would be infinite of a
  /// finite value, it takes more.
  static __device__ void split(float a, float b, uint32_t &high,
                               uint32_t &low) {
    constexpr float kNearlyInfinite = 3.3e38f;
    const float values[2] = {a, b};
    high = Element<E>::pack(values);
    float highs[2];
    Element<E>::unpack(high, highs);
    const float rests[2] = {__fsub_rn(a, highs[0]), __fsub_rn(b, highs[1])};
    low = Element<E>::pack(rests);
    if (__builtin_expect(fmaxf(fabsf(a), fabsf(b)) >= kNearlyInfinite, 0)) {
      float ofA[2], ofB[2];
      lora::splitRounded(a, ofA);
      lora::splitRounded(b, ofB);
      high = lora::packTerms(ofA[0], ofB[0]);
      low = lora::packTerms(ofA[1], ofB[1]);
    }
  }

  uint32_t terms[Steps][kTerms][4];
};

/// Eight values of a token with what its LoRA adds, rounded once. `half` is
/// which of the two tokens of `sums` it is.
template <class E>
__device__ Vector addLora(const Vector &old,
                          const float (&sums)[kStripTiles][4], int half) {
  Vector result;
#pragma unroll
  for (int t = 0; t < kStripTiles; ++t) {
    float values[2];
    Element<E>::unpack(old.words[t], values);
#pragma unroll
    for (int e = 0; e < 2; ++e)
      values[e] = __fadd_rn(values[e], sums[t][2 * half + e]);
    result.words[t] = Element<E>::pack(values);
  }
  return result;
}

} // namespace frit::loraactivation

#endif // FRIT_KERNELS_LORAACTIVATION_STRIP_CUH
