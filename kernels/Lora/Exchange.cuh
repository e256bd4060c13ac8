//===- Exchange.cuh --------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the blocks of a cluster add their sums and share the rank vectors where
// ranks or tokens are many: each sends its sums of a token to the block that
// finishes it, which sends the rank vector to all others. What counts is the
// time of one trip, not the work: all threads take part in every step, the
// loads of one are issued together, and blocks begin with different receivers.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_EXCHANGE_CUH
#define FRIT_KERNELS_LORA_EXCHANGE_CUH

#include "Matrix.cuh"

namespace frit::lora {

/// Sends a thread's sums of `Tiles` neighbouring tiles of 16 tokens and 8 ranks
/// to the blocks that finish the tokens, into [blocks][rowsEach][Ranks]: sum
/// `e` of tile `j` is `sums(j, e)`, as the matrix unit leaves it. `token` is
/// the thread's first one, `rank` the first tile's first rank. Two threads
/// exchange halves, so that each has four neighbouring ranks of one token.
template <int Ranks, int Tiles, class Sums>
__device__ __forceinline__ void sendTiles(const Mailbox &mail, float *inbox,
                                          int block, int rowsEach, int token,
                                          int rank, int count, Sums sums) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool odd = lane % 2;
  token += odd ? 8 : 0;
  const int owner = token / rowsEach;
  const int place = block * rowsEach + token - owner * rowsEach;
  const uint32_t to =
      sharedOffset(inbox + place * Ranks + rank + lane % 4 / 2 * 4);
#pragma unroll
  for (int j = 0; j < Tiles; ++j) {
    const float x =
        __shfl_xor_sync(kAllLanes, odd ? sums(j, 0) : sums(j, 2), 1);
    const float y =
        __shfl_xor_sync(kAllLanes, odd ? sums(j, 1) : sums(j, 3), 1);
    if (token < count)
      mail.send(to + 32 * j, owner,
                odd ? make_float4(x, y, sums(j, 2), sums(j, 3))
                    : make_float4(sums(j, 0), sums(j, 1), x, y));
  }
}

/// The sums over all blocks of two neighbouring ranks, `pitch` floats apart.
__device__ __forceinline__ float2 addPairs(const float *from, int pitch,
                                           int blocks) {
  constexpr int kAtOnce = 8;
  float2 sum = make_float2(-0.0f, -0.0f); // Adding to it changes nothing.
#pragma unroll 1
  for (int first = 0; first < blocks; first += kAtOnce) {
    float2 v[kAtOnce];
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u)
      if (first + u < blocks)
        v[u] = *reinterpret_cast<const float2 *>(from + (first + u) * pitch);
#pragma unroll
    for (int u = 0; u < kAtOnce; ++u)
      if (first + u < blocks)
        sum = make_float2(__fadd_rn(sum.x, v[u].x), __fadd_rn(sum.y, v[u].y));
  }
  return sum;
}

/// Gives `keep(token, rank, sums)` the sums over all blocks, in `inbox`
/// [blocks][pitch][Ranks], of two ranks of each of `count` tokens.
template <int Ranks, class Keep>
__device__ __forceinline__ void addBlockSums(const float *inbox, int pitch,
                                             int count, int blocks, Keep keep) {
  constexpr int kEach = Ranks / 2;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < count * kEach;
       i += kThreads) {
    const int token = i / kEach, r = i % kEach * 2;
    keep(token, r, addPairs(inbox + token * Ranks + r, pitch * Ranks, blocks));
  }
}

/// Keeps the two terms of the rank vectors of `count` tokens from `first` on,
/// whose sums lie in `inbox` [blocks][pitch][Ranks]: the first ones of two
/// ranks where `place(token, rank)` is, the second `termBytes` further. Zero
/// beyond the true rank, whatever the sums are.
template <int Ranks, class X, class W, int Tokens, class Place>
__device__ __forceinline__ void
keepSums(const Arguments<X, W> &args, const Tile<X, W, Tokens> &tile,
         const float *inbox, int pitch, int first, int count, int blocks,
         int termBytes, Place place) {
  addBlockSums<Ranks>(
      inbox, pitch, count, blocks, [&](int token, int r, float2 sum) {
        const float v[2] = {sum.x, sum.y};
        float terms[2][2];
#pragma unroll
        for (int e = 0; e < 2; ++e)
          splitRounded(r + e < tile.rank
                           ? hiddenValue<W>(args.flags, tile.scale, v[e])
                           : 0.0f,
                       terms[e]);
        const uint32_t to = place(first + token, r);
        storeWord(to, packTerms(terms[0][0], terms[1][0]));
        storeWord(to + termBytes, packTerms(terms[0][1], terms[1][1]));
      });
}

/// Sends pieces of 16 bytes from this block to the same places of all others:
/// `items` of each of `terms`, which are `termBytes` apart; `place(item)` is
/// the first one's shared address. Warps divide receivers and items.
template <class Place>
__device__ __forceinline__ void sendToOthers(const Mailbox &mail, int block,
                                             int blocks, int items, int terms,
                                             int termBytes, Place place) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int chunks = (items + 31) / 32;
  int chunk = static_cast<int>(threadIdx.x) / 32, other = 1;
#pragma unroll 1
  while (true) {
    for (; chunk >= chunks && other < blocks; chunk -= chunks)
      ++other;
    if (other >= blocks)
      break;
    const int item = 32 * chunk + lane;
    if (item < items) {
      const int receiver =
          block + other < blocks ? block + other : block + other - blocks;
      const uint32_t at = place(item);
#pragma unroll 1
      for (int t = 0; t < terms; ++t)
        mail.send(at + t * termBytes, receiver, loadPiece(at + t * termBytes));
    }
    chunk += kWarps;
  }
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_EXCHANGE_CUH
