//===- Shrink.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first half: rank vectors of a tile of tokens, ranks along the 16 rows of
// the matrix unit's tiles and tokens along their 8 columns. Each warp of a
// cluster takes its own blocks of 32 k's, in an order that only the cluster's
// size and k decide, straight from memory: a thread's 8 consecutive k's are two
// products' worth of operands, since both factors permute k alike. Of the
// blocks, the full ones run unmasked, the partial one masked, others not at
// all.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_SHRINK_CUH
#define FRIT_KERNELS_LORA_SHRINK_CUH

#include "Terms.cuh"
#include "Tile.cuh"

namespace frit::lora {

inline constexpr int kWarps = 8;
inline constexpr int kThreads = 32 * kWarps;
inline constexpr int kBlockK = 32;

/// Adds the products of one block of 32 k's.
template <class X, class W, int RankTiles, int TokenTiles>
__device__ void shrinkBlock(const Fragment<W, 8> (&a)[RankTiles][2],
                            const Fragment<X, 8> (&x)[TokenTiles],
                            float (&sums)[RankTiles][TokenTiles][4]) {
  if constexpr (std::is_same_v<X, W> && sizeof(X) == 2) {
    constexpr bool half = std::is_same_v<X, __half>;
#pragma unroll
    for (int i = 0; i < RankTiles; ++i)
#pragma unroll
      for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
        for (int k = 0; k < 4; k += 2)
          multiply<half>(sums[i][j], a[i][0].words[k], a[i][1].words[k],
                         a[i][0].words[k + 1], a[i][1].words[k + 1],
                         x[j].words[k], x[j].words[k + 1]);
  } else {
#pragma unroll
    for (int k = 0; k < 4; k += 2) {
      uint32_t xs[TokenTiles][2][kTerms<X>];
#pragma unroll
      for (int j = 0; j < TokenTiles; ++j) {
        pairTerms(x[j], k, xs[j][0]);
        pairTerms(x[j], k + 1, xs[j][1]);
      }
#pragma unroll
      for (int i = 0; i < RankTiles; ++i) {
        uint32_t as[2][2][kTerms<W>];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          pairTerms(a[i][half], k, as[half][0]);
          pairTerms(a[i][half], k + 1, as[half][1]);
        }
#pragma unroll
        for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
          for (int s = 0; s < kTerms<W>; ++s)
#pragma unroll
            for (int t = 0; t < kTerms<X>; ++t)
              if (s + t < kTermOrders)
                multiply<false>(sums[i][j], as[0][0][s], as[1][0][s],
                                as[0][1][s], as[1][1][s], xs[j][0][t],
                                xs[j][1][t]);
      }
    }
  }
}

/// How many blocks of k a warp loads before it multiplies: as many as about 64
/// registers hold.
template <class X, class W, int RankTiles, int TokenTiles>
inline constexpr int kBlocksAhead = [] {
  int words = TokenTiles * Fragment<X, 8>::kWords +
              RankTiles * 2 * Fragment<W, 8>::kWords;
  int blocks = 64 / words;
  return blocks < 1 ? 1 : blocks > 4 ? 4 : blocks;
}();

/// This warp's share of sums for ranks [base, base + 16 * RankTiles).
template <class X, class W, int RankTiles, int TokenTiles, int Tokens>
__device__ void shrinkRanks(const Arguments<X, W> &args,
                            const Tile<Tokens> &tile, int64_t base, int first,
                            int stride,
                            float (&sums)[RankTiles][TokenTiles][4]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int group = lane / 4, quad = lane % 4;
#pragma unroll
  for (int i = 0; i < RankTiles; ++i)
#pragma unroll
    for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        sums[i][j][e] = 0.0f;

  const X *xRows[TokenTiles];
  bool xUsed[TokenTiles];
#pragma unroll
  for (int j = 0; j < TokenTiles; ++j) {
    const int64_t row = tile.row[8 * j + group];
    xUsed[j] = row >= 0;
    xRows[j] = args.x + row * args.xStride + 8 * quad;
  }
  const W *aRow =
      args.a + (tile.adapter * args.rank + base + group) * args.k + 8 * quad;
  const int64_t left = tile.rank - base - group;
  const bool aligned =
      isAligned<8>(args.x, args.xStride) && isAligned<8>(args.a, args.k);

  Fragment<X, 8> x[TokenTiles];
  Fragment<W, 8> a[RankTiles][2];
  const int64_t full = args.k / kBlockK;
  int64_t block = first;
  if (aligned) {
    constexpr int kAhead = kBlocksAhead<X, W, RankTiles, TokenTiles>;
    Fragment<X, 8> xs[kAhead][TokenTiles];
    Fragment<W, 8> as[kAhead][RankTiles][2];
    for (; block < full; block += static_cast<int64_t>(stride) * kAhead) {
#pragma unroll
      for (int u = 0; u < kAhead; ++u) {
        const int64_t at = block + static_cast<int64_t>(u) * stride;
        const bool inside = at < full;
#pragma unroll
        for (int i = 0; i < RankTiles; ++i)
#pragma unroll
          for (int h = 0; h < 2; ++h) {
            const int row = 16 * i + 8 * h;
            if (inside && row < left)
              as[u][i][h] =
                  loadVector<W, 8>(aRow + row * args.k + at * kBlockK);
            else
              as[u][i][h].clear();
          }
#pragma unroll
        for (int j = 0; j < TokenTiles; ++j) {
          if (inside && xUsed[j])
            xs[u][j] = loadVector<X, 8>(xRows[j] + at * kBlockK);
          else
            xs[u][j].clear();
        }
      }
#pragma unroll
      for (int u = 0; u < kAhead; ++u)
        if (block + static_cast<int64_t>(u) * stride < full)
          shrinkBlock(as[u], xs[u], sums);
    }
    if (full % stride != first)
      return;
    block = full;
  }
  for (; block * kBlockK < args.k; block += stride) {
    const int64_t at = block * kBlockK;
    const int64_t count = args.k - at - 8 * quad;
#pragma unroll
    for (int i = 0; i < RankTiles; ++i)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int row = 16 * i + 8 * h;
        a[i][h] = loadSome<W, 8>(aRow + row * args.k + at,
                                 row < left ? count : 0);
      }
#pragma unroll
    for (int j = 0; j < TokenTiles; ++j)
      x[j] = loadSome<X, 8>(xRows[j] + at, xUsed[j] ? count : 0);
    shrinkBlock(a, x, sums);
  }
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_SHRINK_CUH
