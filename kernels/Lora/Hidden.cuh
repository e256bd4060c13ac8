//===- Hidden.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rank vectors between the two halves. Warps add their shares in shared
// memory, in order; each block pushes what it has to all blocks of its cluster,
// which after one barrier add the blocks' shares, in order, and keep the terms
// of the result (Terms.cuh) as the second half wants them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_HIDDEN_CUH
#define FRIT_KERNELS_LORA_HIDDEN_CUH

#include "Cluster.cuh"
#include "Shrink.cuh"

namespace frit::lora {

/// Shared memory of a block, in this order; `launchSharedBytes` of README.md.
struct SharedLayout {
  int ranks;      ///< The rank, rounded up to a positive multiple of 16.
  int sharePitch; ///< Floats between two tokens of a warp's share.
  int termPitch;  ///< Elements between two tokens of one term: 32 bytes more
                  ///< than a multiple of 128, so that a quarter of a warp
                  ///< reads four tokens from different banks.
  float *shares;  ///< [warps][tokens][sharePitch]
  __nv_bfloat16 *terms; ///< [3][tokens][termPitch]
  float *inbox;         ///< [blocks][tokens][ranks]

  __device__ SharedLayout(char *base, int64_t rank, int tokens,
                          int ranksAtOnce) {
    ranks = max(static_cast<int>((rank + 15) / 16 * 16), 16);
    sharePitch = min(ranks, ranksAtOnce) + 4;
    termPitch = (2 * ranks + 95) / 128 * 64 + 16;
    shares = reinterpret_cast<float *>(base);
    terms = reinterpret_cast<__nv_bfloat16 *>(shares +
                                              kWarps * tokens * sharePitch);
    inbox = reinterpret_cast<float *>(terms + 3 * tokens * termPitch);
  }
};

/// Adds the warps' shares of ranks [base, base + 16 * RankTiles) and pushes
/// the result to every block of the cluster; `ranks` is the true rank, rounded
/// up to 16.
template <int RankTiles, int TokenTiles>
__device__ void pushShares(const float (&sums)[RankTiles][TokenTiles][4],
                           const SharedLayout &shared, int base, int ranks,
                           int count, int rank, int blocks) {
  constexpr int kTokens = 8 * TokenTiles;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int width = min(16 * RankTiles, ranks - base);
  float *own = shared.shares + warp * kTokens * shared.sharePitch;
#pragma unroll
  for (int i = 0; i < RankTiles; ++i)
    if (16 * i < width)
#pragma unroll
      for (int j = 0; j < TokenTiles; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int token = 8 * j + lane % 4 * 2 + e % 2;
          own[token * shared.sharePitch + 16 * i + lane / 4 + e / 2 * 8] =
              sums[i][j][e];
        }
  __syncthreads();
  for (int at = static_cast<int>(threadIdx.x); at < count * width;
       at += kThreads) {
    const int token = at / width, r = at % width;
    const float *share = shared.shares + token * shared.sharePitch + r;
    float sum = share[0];
#pragma unroll
    for (int w = 1; w < kWarps; ++w)
      sum = __fadd_rn(sum, share[w * kTokens * shared.sharePitch]);
    float *to =
        shared.inbox + (rank * kTokens + token) * shared.ranks + base + r;
    if (blocks == 1)
      *to = sum;
    else
      for (int block = 0; block < blocks; ++block)
        storeRemote(to, block, sum);
  }
}

/// The tile's rank vectors from all blocks' shares.
template <int TokenTiles, class X, class W>
__device__ float gather(const Arguments<X, W> &args, float scale,
                        const SharedLayout &shared, int token, int r,
                        int blocks) {
  constexpr int kTokens = 8 * TokenTiles;
  const float *from = shared.inbox + token * shared.ranks + r;
  float sum = from[0];
  for (int block = 1; block < blocks; ++block)
    sum = __fadd_rn(sum, from[block * kTokens * shared.ranks]);
  if (args.flags & kStepwise)
    return roundTo<W>(sum);
  sum = __fmul_rn(scale, sum);
  return args.flags & kRoundHidden ? roundTo<W>(sum) : sum;
}

/// Reads or writes one element of h.
template <class W>
__device__ float loadHidden(const void *h, int64_t at, int32_t flags) {
  return flags & kElementHidden ? toFloat(static_cast<const W *>(h)[at])
                                : static_cast<const float *>(h)[at];
}
template <class W>
__device__ void storeHidden(void *h, int64_t at, float v, int32_t flags) {
  if (flags & kElementHidden)
    static_cast<W *>(h)[at] = fromFloat<W>(v);
  else
    static_cast<float *>(h)[at] = v;
}

/// How many terms of a rank vector are not zero.
template <class W>
__device__ int hiddenTerms(int32_t flags) {
  const bool element =
      flags & kExpandOnly ? flags & kElementHidden
                          : flags & (kStepwise | kRoundHidden);
  return element ? kTerms<W> : kTerms<float>;
}

/// Keeps the terms of the rank vectors, zero beyond the true rank and the
/// tile's tokens, whatever those hold: zero times NaN is NaN.
template <int TokenTiles, class X, class W>
__device__ void keepTerms(const Arguments<X, W> &args,
                          const Tile<8 * TokenTiles> &tile,
                          const SharedLayout &shared, int blocks) {
  constexpr int kTokens = 8 * TokenTiles;
  for (int at = static_cast<int>(threadIdx.x); at < kTokens * shared.ranks;
       at += kThreads) {
    const int token = at / shared.ranks, r = at % shared.ranks;
    float v = 0.0f;
    if (token < tile.count && r < tile.rank)
      v = args.flags & kExpandOnly
              ? loadHidden<W>(args.h, tile.row[token] * args.hStride + r,
                              args.flags)
              : gather<TokenTiles>(args, tile.scale, shared, token, r, blocks);
    float terms[3];
    splitTerms(v, terms);
#pragma unroll
    for (int t = 0; t < 3; ++t)
      shared.terms[(t * kTokens + token) * shared.termPitch + r] =
          __ushort_as_bfloat16(
              static_cast<unsigned short>(__float_as_uint(terms[t]) >> 16));
  }
}

/// Writes the rank vectors to h; each block of the cluster its part.
template <int TokenTiles, class X, class W>
__device__ void writeHidden(const Arguments<X, W> &args,
                            const Tile<8 * TokenTiles> &tile,
                            const SharedLayout &shared, int rank, int blocks) {
  for (int at = static_cast<int>(threadIdx.x) + rank * kThreads;
       at < tile.count * shared.ranks; at += kThreads * blocks) {
    const int token = at / shared.ranks, r = at % shared.ranks;
    if (r < tile.rank)
      storeHidden<W>(
          args.h, tile.row[token] * args.hStride + r,
          gather<TokenTiles>(args, tile.scale, shared, token, r, blocks),
          args.flags);
  }
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_HIDDEN_CUH
