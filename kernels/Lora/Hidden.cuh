//===- Hidden.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rank vectors between the two halves. Warps add their shares in shared
// memory, in order; each block sends what it has to all blocks of its cluster,
// which add the blocks' shares, in order, once all are there, and keep the
// terms of the result (Terms.cuh) as the second half wants them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_HIDDEN_CUH
#define FRIT_KERNELS_LORA_HIDDEN_CUH

#include "Shrink.cuh"

namespace frit::lora {

/// Groups of 16 threads in a block, each of which takes 16 ranks of a token.
inline constexpr int kPlaces = kThreads / 16;

/// A rank rounded up to whole steps: one of 16, or some of 32.
__device__ __forceinline__ int roundedRank(int rank) {
  return rank <= 16 ? 16 : (rank + 31) / 32 * 32;
}

/// Shared memory of a block, in this order; README.md has the launch plan.
struct SharedLayout {
  int ranks;      ///< The rank, rounded up.
  int sharePitch; ///< Floats between two tokens of a warp's share.
  int termPitch;  ///< Elements between two tokens of one term: 32 bytes more
                  ///< than a multiple of 128, so that a quarter of a warp
                  ///< reads four tokens from different banks.
  float *shares;  ///< [warps][tokens][sharePitch]
  __nv_bfloat16 *terms; ///< [3][tokens][termPitch]
  float *inbox;         ///< [blocks][tokens][ranks]

  __device__ SharedLayout(char *base, int64_t rank, int tokens,
                          int ranksAtOnce) {
    ranks = roundedRank(static_cast<int>(rank));
    sharePitch = min(ranks, ranksAtOnce) + 4;
    termPitch = (2 * ranks + 95) / 128 * 64 + 16;
    shares = reinterpret_cast<float *>(base);
    terms = reinterpret_cast<__nv_bfloat16 *>(shares +
                                              kWarps * tokens * sharePitch);
    inbox = reinterpret_cast<float *>(terms + 3 * tokens * termPitch);
  }
};

__device__ __forceinline__ float4 addFour(float4 a, float4 b) {
  return make_float4(__fadd_rn(a.x, b.x), __fadd_rn(a.y, b.y),
                     __fadd_rn(a.z, b.z), __fadd_rn(a.w, b.w));
}

/// The sums of four neighbouring ranks over the warps, whose shares lie `pitch`
/// floats apart.
__device__ __forceinline__ float4 addShares(const float *share, int pitch) {
  float4 sum = *reinterpret_cast<const float4 *>(share);
#pragma unroll
  for (int w = 1; w < kWarps; ++w)
    sum = addFour(sum, *reinterpret_cast<const float4 *>(share + w * pitch));
  return sum;
}

/// Adds the warps' shares of ranks [base, base + 16 * RankTiles) and sends
/// the result to every block of the cluster; `ranks` is the true rank, rounded
/// up to 16.
template <int RankTiles, int TokenTiles>
__device__ __forceinline__ void
sendShares(const float (&sums)[RankTiles][TokenTiles][4],
           const SharedLayout &shared, int base, int ranks, int count,
           const Mailbox &mailbox, int rank, int blocks) {
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
  // Four threads take 16 ranks of one token for one receiver. Few tokens leave
  // threads over, which share the receivers.
  constexpr int kAtOnce = kThreads / 4;
  const int place = static_cast<int>(threadIdx.x) / 4;
  const int tokensAtOnce =
      count >= kAtOnce ? kAtOnce : 1 << (32 - __clz(count - 1));
  const int firstBlock = place / tokensAtOnce;
  const int blockStep = kAtOnce / tokensAtOnce;
  if (firstBlock >= blocks)
    return;
  for (int token = place & (tokensAtOnce - 1); token < count;
       token += tokensAtOnce)
#pragma unroll 1
    for (int r = static_cast<int>(threadIdx.x) % 4 * 4; r < width; r += 16) {
      const float4 sum =
          addShares(shared.shares + token * shared.sharePitch + r,
                    kTokens * shared.sharePitch);
      float *to =
          shared.inbox + (rank * kTokens + token) * shared.ranks + base + r;
      for (int block = firstBlock; block < blocks; block += blockStep)
        mailbox.send(to, block, sum);
    }
}

/// An element of the rank vector from the sum over k.
template <class W>
__device__ __forceinline__ float hiddenValue(int32_t flags, float scale,
                                             float sum) {
  if (flags & kStepwise)
    return roundTo<W>(sum);
  sum = __fmul_rn(scale, sum);
  return flags & kRoundHidden ? roundTo<W>(sum) : sum;
}

/// The sum of one rank over the blocks, whose shares lie `pitch` floats apart.
/// The number of blocks is a power of two.
__device__ __forceinline__ float addBlocks(const float *from, int pitch,
                                           int blocks) {
  float sum = from[0];
  if (blocks >= 4) {
#pragma unroll 1
    for (int block = 0; block < blocks; block += 4, from += 4 * pitch) {
      // All loads before the additions, which wait for each other.
      const float v0 = from[0], v1 = from[pitch], v2 = from[2 * pitch],
                  v3 = from[3 * pitch];
      sum = __fadd_rn(block == 0 ? v0 : __fadd_rn(sum, v0), v1);
      sum = __fadd_rn(__fadd_rn(sum, v2), v3);
    }
  } else if (blocks == 2) {
    sum = __fadd_rn(sum, from[pitch]);
  }
  return sum;
}

/// The tile's rank vectors from all blocks' shares.
template <int TokenTiles, class X, class W>
__device__ __forceinline__ float gather(const Arguments<X, W> &args,
                                        float scale, const SharedLayout &shared,
                                        int token, int r, int blocks) {
  constexpr int kTokens = 8 * TokenTiles;
  return hiddenValue<W>(args.flags, scale,
                        addBlocks(shared.inbox + token * shared.ranks + r,
                                  kTokens * shared.ranks, blocks));
}

/// Reads or writes one element of h.
template <class W>
__device__ __forceinline__ float loadHidden(const void *h, int64_t at,
                                            int32_t flags) {
  return flags & kElementHidden ? toFloat(static_cast<const W *>(h)[at])
                                : static_cast<const float *>(h)[at];
}
/// The first `count` of `Count` neighbouring ones from `at` on, and zeros.
template <class H, int Count>
__device__ __forceinline__ Fragment<H, Count>
loadHiddenRun(const void *h, int64_t at, int count) {
  const H *const from = static_cast<const H *>(h) + at;
  return count >= Count && isAligned<Count>(from, 0)
             ? loadVector<H, Count>(from)
             : loadSome<H, Count>(from, count);
}
template <class W>
__device__ __forceinline__ void storeHidden(void *h, int64_t at, float v,
                                            int32_t flags) {
  if (flags & kElementHidden)
    static_cast<W *>(h)[at] = fromFloat<W>(v);
  else
    static_cast<float *>(h)[at] = v;
}

/// Writes the first `count` of four neighbouring ranks, from element `at` of h
/// on.
template <class W>
__device__ __forceinline__ void storeHidden(void *h, int64_t at, float4 v,
                                            int count, int32_t flags) {
  const bool element = flags & kElementHidden;
  const int64_t bytes = element ? static_cast<int64_t>(sizeof(W)) : 4;
  char *const to = static_cast<char *>(h) + at * bytes;
  if (count >= 4 && reinterpret_cast<uint64_t>(to) % (4 * bytes) == 0) {
    if (bytes == 4)
      *reinterpret_cast<float4 *>(to) = v;
    else if constexpr (sizeof(W) == 2)
      *reinterpret_cast<uint2 *>(to) =
          make_uint2(packPair<W>(v.x, v.y), packPair<W>(v.z, v.w));
    return;
  }
  const float values[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int e = 0; e < 4; ++e)
    if (e < count)
      storeHidden<W>(h, at + e, values[e], flags);
}

/// How many terms of a rank vector are not zero.
template <class W> __device__ __forceinline__ int hiddenTerms(int32_t flags) {
  const bool element = flags & kExpandOnly ? flags & kElementHidden
                                           : flags & (kStepwise | kRoundHidden);
  return element ? kTerms<W> : kTerms<float>;
}

/// Keeps the terms of the rank vectors, zero beyond the true rank, whatever
/// those hold: zero times NaN is NaN. Tokens beyond the tile's have columns of
/// their own, which are never looked at.
template <int TokenTiles, class X, class W>
__device__ __forceinline__ void
keepTerms(const Arguments<X, W> &args, const Tile<X, W, 8 * TokenTiles> &tile,
          const SharedLayout &shared, int blocks) {
  constexpr int kTokens = 8 * TokenTiles;
  const int thread = static_cast<int>(threadIdx.x);
  const int ranks = roundedRank(tile.rank), count = tile.count;
  const int terms = hiddenTerms<W>(args.flags);
  int token = thread / 16, base = 0;
#pragma unroll 1
  for (;; token += kPlaces) {
    for (; token >= count && base < ranks; token -= count)
      base += 16;
    if (base >= ranks)
      break;
    const int r = base + thread % 16;
    float v = 0.0f;
    if (r < tile.rank)
      v = args.flags & kExpandOnly
              ? loadHidden<W>(args.h, tile.row[token] * args.hStride + r,
                              args.flags)
              : gather<TokenTiles>(args, tile.scale, shared, token, r, blocks);
    float parts[3];
    splitTerms(v, parts);
#pragma unroll
    for (int t = 0; t < 3; ++t)
      if (t < terms)
        shared.terms[(t * kTokens + token) * shared.termPitch + r] =
            __ushort_as_bfloat16(
                static_cast<unsigned short>(__float_as_uint(parts[t]) >> 16));
  }
}

/// Writes the rank vectors to h; each block of the cluster its part.
template <int TokenTiles, class X, class W>
__device__ __forceinline__ void
writeHidden(const Arguments<X, W> &args, const Tile<X, W, 8 * TokenTiles> &tile,
            const SharedLayout &shared, int rank, int blocks) {
  constexpr int kTokens = 8 * TokenTiles;
  const int thread = static_cast<int>(threadIdx.x);
  for (int item = thread / 16 + rank * kPlaces;
       item < kTokens * (roundedRank(tile.rank) / 16);
       item += kPlaces * blocks) {
    const int token = item % kTokens, r = item / kTokens * 16 + thread % 16;
    if (token < tile.count && r < tile.rank)
      storeHidden<W>(
          args.h, tile.row[token] * args.hStride + r,
          gather<TokenTiles>(args, tile.scale, shared, token, r, blocks),
          args.flags);
  }
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_HIDDEN_CUH
