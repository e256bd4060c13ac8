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

#include "Cluster.cuh"
#include "Terms.cuh"
#include "Tile.cuh"

/// Blocks of a multiprocessor at once. On 9.0 two of them beat one without
/// spilled registers; elsewhere nothing was measured.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
#define FRIT_LORA_RESIDENT 2
#else
#define FRIT_LORA_RESIDENT 1
#endif

namespace frit::lora {

inline constexpr int kWarps = 8;
inline constexpr int kThreads = 32 * kWarps;
inline constexpr int kBlockK = 32;

/// Which tile a block works on, and which part of it.
struct TilePlace {
  int tile;
  int block, blocks; ///< Of those that divide its k's and columns.
  int rankPart;      ///< Of those that divide its ranks.

  /// Blocks that exchange sums are a cluster, and clusters along the grid's z
  /// take parts of the ranks where nothing else is to be done with them. The
  /// second half alone needs no cluster: blocks along the grid's z divide the
  /// columns. Neighbours take one tile, together whole rows of it.
  template <Halves Which> __device__ __forceinline__ static TilePlace find() {
    if constexpr (Which == Halves::Expand) {
      const unsigned index = blockIdx.x + gridDim.x * blockIdx.z;
      const unsigned tile = index / gridDim.z;
      return {static_cast<int>(tile),
              static_cast<int>(index - tile * gridDim.z),
              static_cast<int>(gridDim.z), 0};
    } else {
      return {clusterIndex(), clusterRank(), clusterBlocks(),
              Which == Halves::Shrink ? static_cast<int>(blockIdx.z) : 0};
    }
  }
};

/// Adds the products of one block of 32 k's.
template <class X, class W, int RankTiles, int TokenTiles>
__device__ __forceinline__ void
shrinkBlock(const Fragment<W, 8> (&a)[RankTiles][2],
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

/// The operands of one block of 32 k's, which begins at `at`.
template <class X, class W, int RankTiles, int TokenTiles>
__device__ __forceinline__ void
loadBlock(Fragment<W, 8> (&a)[RankTiles][2], Fragment<X, 8> (&x)[TokenTiles],
          const W *const (&aRows)[RankTiles][2],
          const X *const (&xRows)[TokenTiles], int at) {
#pragma unroll
  for (int i = 0; i < RankTiles; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h)
      a[i][h] = loadVector<W, 8>(aRows[i][h] + at);
#pragma unroll
  for (int j = 0; j < TokenTiles; ++j)
    x[j] = loadVector<X, 8>(xRows[j] + at);
}

/// The same of any alignment, of which this thread has `count` k's.
template <class X, class W, int RankTiles, int TokenTiles>
__device__ __forceinline__ void
loadBlockByElement(Fragment<W, 8> (&a)[RankTiles][2],
                   Fragment<X, 8> (&x)[TokenTiles],
                   const W *const (&aRows)[RankTiles][2],
                   const X *const (&xRows)[TokenTiles], int at, int count) {
#pragma unroll
  for (int i = 0; i < RankTiles; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h)
      a[i][h] = loadSome<W, 8>(aRows[i][h] + at, count);
#pragma unroll
  for (int j = 0; j < TokenTiles; ++j)
    x[j] = loadSome<X, 8>(xRows[j] + at, count);
}

/// No k's.
template <class X, class W, int RankTiles, int TokenTiles>
__device__ __forceinline__ void clearBlock(Fragment<W, 8> (&a)[RankTiles][2],
                                           Fragment<X, 8> (&x)[TokenTiles]) {
#pragma unroll
  for (int i = 0; i < RankTiles; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h)
      a[i][h].clear();
#pragma unroll
  for (int j = 0; j < TokenTiles; ++j)
    x[j].clear();
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

/// Takes blocks while there are `Ahead` of them, whose loads are all issued
/// before the first is needed.
template <int Ahead, class X, class W, int RankTiles, int TokenTiles>
__device__ __forceinline__ void
shrinkBlocks(int &block, int full, int stride,
             const W *const (&aRows)[RankTiles][2],
             const X *const (&xRows)[TokenTiles],
             float (&sums)[RankTiles][TokenTiles][4]) {
#pragma unroll 1
  for (; block + (Ahead - 1) * stride < full; block += Ahead * stride) {
    Fragment<X, 8> x[Ahead][TokenTiles];
    Fragment<W, 8> a[Ahead][RankTiles][2];
#pragma unroll
    for (int u = 0; u < Ahead; ++u)
      loadBlock(a[u], x[u], aRows, xRows, (block + u * stride) * kBlockK);
#pragma unroll
    for (int u = 0; u < Ahead; ++u)
      shrinkBlock(a[u], x[u], sums);
  }
}

/// This warp's share of sums for ranks [base, base + 16 * RankTiles). Where
/// there is no such token or rank another one's row is read in its place: rows
/// and columns of the result do not mix, and those are never looked at.
template <bool Vectors, class X, class W, int RankTiles, int TokenTiles,
          int Tokens>
__device__ __forceinline__ void
shrinkRanks(const Arguments<X, W> &args, const Tile<X, W, Tokens> &tile,
            int base, int first, int stride,
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

  const int k = static_cast<int>(args.k);
  const X *xRows[TokenTiles];
#pragma unroll
  for (int j = 0; j < TokenTiles; ++j)
    xRows[j] = tile.x[8 * j + group] + 8 * quad;
  const W *aRows[RankTiles][2];
#pragma unroll
  for (int i = 0; i < RankTiles; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = min(base + 16 * i + 8 * h + group, tile.rank - 1);
      aRows[i][h] = tile.a + static_cast<int64_t>(row) * k + 8 * quad;
    }

  const int full = k / kBlockK;
  int block = first;
  if constexpr (Vectors) {
    constexpr int kAhead = kBlocksAhead<X, W, RankTiles, TokenTiles>;
    shrinkBlocks<kAhead>(block, full, stride, aRows, xRows, sums);
    if constexpr (kAhead > 2)
      shrinkBlocks<2>(block, full, stride, aRows, xRows, sums);
    if constexpr (kAhead > 1)
      shrinkBlocks<1>(block, full, stride, aRows, xRows, sums);
  } else {
    // Masked throughout: nothing here is worth a second copy of the code.
#pragma unroll 1
    for (; block * kBlockK < k; block += stride) {
      Fragment<X, 8> x[TokenTiles];
      Fragment<W, 8> a[RankTiles][2];
      loadBlockByElement(a, x, aRows, xRows, block * kBlockK,
                         min(k - block * kBlockK, kBlockK) - 8 * quad);
      shrinkBlock(a, x, sums);
    }
    return;
  }
  // The stride is a power of two.
  if ((full & (stride - 1)) != first || full * kBlockK == k)
    return;
  // The partial block; k is a multiple of 8 here.
  Fragment<X, 8> x[TokenTiles];
  Fragment<W, 8> a[RankTiles][2];
  if (full * kBlockK + 8 * quad < k)
    loadBlock(a, x, aRows, xRows, full * kBlockK);
  else
    clearBlock(a, x);
  shrinkBlock(a, x, sums);
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_SHRINK_CUH
