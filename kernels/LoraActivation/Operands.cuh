//===- Operands.cuh -----------------------------------------------*- CUDA
//-*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels are given that expand the LoRAs of gate and up and activate
// the result, and which tokens a cluster of theirs works on.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORAACTIVATION_OPERANDS_CUH
#define FRIT_KERNELS_LORAACTIVATION_OPERANDS_CUH

#include "Common/Memory.cuh"
#include "Lora/Expand.cuh"

namespace frit::loraactivation {

/// A bit of the flags: the kernel ahead may still write the rank vectors, but
/// nothing else that this one reads.
inline constexpr int32_t kHiddenLate = 1;

/// Sizes and strides are in elements.
template <class E> struct Operands {
  const E *gate, *up; ///< [tokens, d], rows `yStride` apart.
  E *out;             ///< [tokens, d]
  /// [adapters, d, rank], without gaps.
  const E *gateB, *upB;
  /// The rank vectors as lora_shrink leaves them, [tokens, rank], rows `rank`
  /// apart.
  const float *gateHidden, *upHidden;
  const int32_t *order, *starts; ///< As lora_group makes them.
  const int32_t *ranks; ///< [adapters], of up `ranksStride` further; or null.
  int64_t tokens, d, rank, adapters;
  int64_t yStride, outStride, ranksStride;
  int32_t flags;
};

/// In shared memory: the tokens of a cluster, all of one adapter.
template <int Tokens> struct Tile {
  int count;       ///< 0: nothing to do.
  int adapter;     ///< -1: these tokens have none.
  int row[Tokens]; ///< Beyond `count` -1.
};

/// Called by one warp: group `adapters` has the tokens without an adapter.
template <int Tokens, class E>
__device__ void findInGroups(const Operands<E> &all, int index,
                             Tile<Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  const int groups = static_cast<int>(all.adapters) + 1;
  int carry = 0;
  for (int base = 0; base < groups && carry <= index; base += 32) {
    const int g = base + lane;
    const int start = lora::loadIndex(all.starts + min(g, groups - 1));
    const int end = g + 1 < groups ? lora::loadIndex(all.starts + g + 1)
                                   : static_cast<int>(all.tokens);
    const int tiles = g < groups ? (end - start + Tokens - 1) / Tokens : 0;
    int last = tiles;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int other = __shfl_up_sync(~0u, last, step);
      if (lane >= step)
        last += other;
    }
    const int place = index - (carry + last - tiles);
    const uint32_t found = __ballot_sync(~0u, place >= 0 && place < tiles);
    carry += __shfl_sync(~0u, last, 31);
    if (found == 0)
      continue;
    const int owner = __ffs(found) - 1;
    const int first = __shfl_sync(~0u, start + place * Tokens, owner);
    const int count = min(__shfl_sync(~0u, end, owner) - first, Tokens);
    for (int i = lane; i < count; i += 32)
      tile.row[i] = lora::loadIndex(all.order + first + i);
    if (lane == 0) {
      tile.adapter = base + owner < groups - 1 ? base + owner : -1;
      tile.count = count;
    }
    return;
  }
}

/// Fills in tile `index`, if there is one, by one warp.
template <int Tokens, class E>
__device__ void findTile(const Operands<E> &all, int index,
                         Tile<Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = lane; i < Tokens; i += 32)
    tile.row[i] = -1;
  if (lane == 0) {
    tile.count = 0;
    tile.adapter = -1;
  }
  __syncwarp();
  findInGroups(all, index, tile);
}

/// Which tiles a cluster has: the first one and every `step`-th from it on. All
/// that there may be, dealt evenly to no more clusters than it takes.
struct TileShare {
  int first, step;

  template <class E>
  __device__ TileShare(const Operands<E> &all, int tokensOfTile)
      : first(static_cast<int>(clusterIndex())) {
    const int64_t most =
        (all.tokens + min(all.adapters + 1, all.tokens) * (tokensOfTile - 1)) /
        tokensOfTile;
    const int64_t clusters = gridDim.x / clusterSize();
    const int64_t rounds = (most + clusters - 1) / clusters;
    step = static_cast<int>((most + rounds - 1) / max(rounds, int64_t(1)));
    if (first >= step)
      first = static_cast<int>(most); // None is left for it.
  }
};

} // namespace frit::loraactivation

#endif // FRIT_KERNELS_LORAACTIVATION_OPERANDS_CUH
