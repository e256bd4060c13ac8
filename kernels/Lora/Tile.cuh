//===- Tile.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tokens a cluster works on: at most `Tokens` of one adapter. Tiles are
// numbered through the groups of a grouping, or, without one, through the
// adapters of each window of 32 tokens.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_TILE_CUH
#define FRIT_KERNELS_LORA_TILE_CUH

#include "Arguments.cuh"
#include "Fragment.cuh"

namespace frit::lora {

inline constexpr int kWindow = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;

/// In shared memory, the same for all blocks of a cluster. Addresses are worked
/// out once, by one warp: they take wide multiplications.
template <class X, class W, int Tokens> struct Tile {
  int count;          ///< Tokens in use; 0: nothing to do.
  int adapter;        ///< In [0, adapters).
  bool vectors;       ///< See usesVectors.
  int rank;           ///< The adapter's true rank.
  float scale;        ///< The factor of its products.
  const W *a, *b;     ///< The adapter's weights.
  const X *x[Tokens]; ///< Each token's row; beyond `count` the first one's.
  X *y[Tokens];       ///< The same of the output.
  int row[Tokens];    ///< Number of each token's row, -1 beyond `count`.
};

/// The most tiles that `tokens` tokens of `adapters` adapters make.
template <int Tokens> __device__ int mostTiles(int tokens, int64_t adapters) {
  const int used = adapters < tokens ? static_cast<int>(adapters) : tokens;
  return (tokens + used * (Tokens - 1)) / Tokens;
}

/// The tile by ids alone. Called by one warp.
template <int Tokens, class X, class W>
__device__ void findByIds(const Arguments<X, W> &args, int index,
                          Tile<X, W, Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  int window = 0;
  if (args.tokens > kWindow) {
    const int each = mostTiles<Tokens>(kWindow, args.adapters);
    window = index / each;
    index -= window * each;
  }
  const int row = window * kWindow + lane;
  const int id = row < args.tokens ? __ldg(args.ids + row) : -1;
  const uint32_t same = __match_any_sync(kAllLanes, id);
  const uint32_t lower = (1u << lane) - 1;
  const int place = __popc(same & lower);
  const bool leads = id >= 0 && id < args.adapters && place % Tokens == 0;
  const uint32_t leaders = __ballot_sync(kAllLanes, leads);
  const uint32_t chosen =
      __ballot_sync(kAllLanes, leads && __popc(leaders & lower) == index);
  if (lane < Tokens)
    tile.row[lane] = -1;
  __syncwarp();
  if (chosen == 0) {
    if (lane == 0)
      tile.count = 0;
    return;
  }
  const int leader = __ffs(chosen) - 1;
  const int first = __shfl_sync(kAllLanes, place, leader);
  if ((same >> leader & 1) && place >= first && place < first + Tokens)
    tile.row[place - first] = row;
  if (lane == leader) {
    tile.adapter = id;
    tile.count = min(__popc(same) - first, Tokens);
  }
}

/// Number of tiles of group g; none where it has no adapter.
template <int Tokens, class X, class W>
__device__ int groupTiles(const Arguments<X, W> &args, int g) {
  const int adapter = args.active ? __ldg(args.active + g) : g;
  const int count = __ldg(args.starts + g + 1) - __ldg(args.starts + g);
  const bool any = adapter >= 0 && adapter < args.adapters && count > 0;
  return any ? (count + Tokens - 1) / Tokens : 0;
}

/// The tile by the grouping. Called by one warp, whose lanes each count the
/// tiles of a run of groups.
template <int Tokens, class X, class W>
__device__ void findByGroups(const Arguments<X, W> &args, int index,
                             Tile<X, W, Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  // The tile's tokens stand at most Tokens - 1 places a group before this one:
  // its part of `order` is on its way while `starts` is read.
  const int64_t guess = static_cast<int64_t>(index) * Tokens - 32 * lane;
  if (lane < 4 && guess >= 0 && guess < args.tokens)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(args.order + guess));
  const int groups = static_cast<int>(args.groups);
  const int run = (groups + 31) / 32;
  const int begin = min(lane * run, groups);
  const int end = min(begin + run, groups);
  int tiles = 0;
#pragma unroll 4
  for (int g = begin; g < end; ++g)
    tiles += groupTiles<Tokens>(args, g);
  int before = tiles;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(kAllLanes, before, step);
    if (lane >= step)
      before += other;
  }
  before -= tiles;
  const bool found = index >= before && index < before + tiles;
  const uint32_t mask = __ballot_sync(kAllLanes, found);
  if (mask == 0) {
    if (lane == 0)
      tile.count = 0;
    return;
  }
  int group = begin;
  if (found)
    for (;; ++group) {
      const int here = groupTiles<Tokens>(args, group);
      if (index < before + here)
        break;
      before += here;
    }
  const int owner = __ffs(mask) - 1;
  group = __shfl_sync(kAllLanes, group, owner);
  before = __shfl_sync(kAllLanes, before, owner);
  const int start = __ldg(args.starts + group) + (index - before) * Tokens;
  const int count = min(__ldg(args.starts + group + 1) - start, Tokens);
#pragma unroll
  for (int i = lane; i < Tokens; i += 32)
    tile.row[i] = i < count ? __ldg(args.order + start + i) : -1;
  if (lane == 0) {
    tile.adapter = args.active ? __ldg(args.active + group) : group;
    tile.count = count;
  }
}

/// Whether every access of neighbouring elements is one vector, or nothing.
template <class X, class W>
__device__ __forceinline__ bool usesVectors(const Arguments<X, W> &args) {
  const bool shrinks = args.k % 8 == 0 && isAligned<8>(args.x, args.xStride) &&
                       isAligned<8>(args.a, args.k);
  const bool expands = args.rank % 8 == 0 && args.n % 8 == 0 &&
                       isAligned<8>(args.b, args.rank) &&
                       isAligned<8>(args.y, args.yStride);
  return ((args.flags & kExpandOnly) || shrinks) &&
         ((args.flags & kShrinkOnly) || expands);
}

/// Fills in tile `index`; ends with all threads of the block in step.
template <int Tokens, class X, class W>
__device__ void findTile(const Arguments<X, W> &args, int index,
                         Tile<X, W, Tokens> &tile) {
  if (threadIdx.x < 32) {
    if (args.order)
      findByGroups<Tokens>(args, index, tile);
    else if constexpr (Tokens <= kWindow)
      findByIds<Tokens>(args, index, tile);
    else if (threadIdx.x == 0)
      tile.count = 0; // Not launched so.
    __syncwarp();
    if (tile.count > 0)
#pragma unroll
      for (int i = static_cast<int>(threadIdx.x); i < Tokens; i += 32) {
        const int own = tile.row[i];
        const int row = own >= 0 ? own : tile.row[0];
        tile.x[i] = args.x + row * args.xStride;
        tile.y[i] = args.y + row * args.yStride;
      }
    if (threadIdx.x == 0 && tile.count > 0) {
      tile.a = args.a + tile.adapter * args.rank * args.k;
      tile.b = args.b + tile.adapter * args.rank * args.n;
      const int rank = static_cast<int>(args.rank);
      tile.rank =
          args.ranks ? max(min(args.ranks[tile.adapter], rank), 0) : rank;
      tile.scale = args.scales
                       ? __fmul_rn(args.scale, args.scales[tile.adapter])
                       : args.scale;
    }
  } else if (threadIdx.x == 32) {
    tile.vectors = usesVectors(args); // Meanwhile.
  }
  __syncthreads();
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_TILE_CUH
