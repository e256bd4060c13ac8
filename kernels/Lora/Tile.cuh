//===- Tile.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tokens a cluster works on: at most `Tokens` of one adapter. With a
// grouping, tile i is the i-th of all groups' tiles. Without, each token has a
// cluster, and that of every first, (Tokens + 1)-th, ... token of an adapter in
// a window of 32 takes the others with it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_TILE_CUH
#define FRIT_KERNELS_LORA_TILE_CUH

#include "Arguments.cuh"

namespace frit::lora {

inline constexpr int kWindow = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;

/// In shared memory, the same for all blocks of a cluster.
template <int Tokens>
struct Tile {
  int count;          ///< Tokens in use; 0: nothing to do.
  int adapter;        ///< In [0, adapters).
  int64_t rank;       ///< The adapter's true rank.
  float scale;        ///< The factor of its products.
  int64_t row[Tokens]; ///< Row of each token, -1 beyond `count`.
};

/// The tile by ids alone. Called by one warp.
template <int Tokens, class X, class W>
__device__ void findByIds(const Arguments<X, W> &args, int64_t index,
                          Tile<Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  const int own = static_cast<int>(index % kWindow);
  const int64_t row = index - own + lane;
  const int id = row < args.tokens ? args.ids[row] : -1;
  const uint32_t same = __match_any_sync(kAllLanes, id);
  const uint32_t mask = __shfl_sync(kAllLanes, same, own);
  const int adapter = __shfl_sync(kAllLanes, id, own);
  const int first = __popc(mask & ((1u << own) - 1));
  const int place = __popc(mask & ((1u << lane) - 1)) - first;
  const bool leads = adapter >= 0 && adapter < args.adapters &&
                     first % Tokens == 0;
  if (lane < Tokens)
    tile.row[lane] = -1;
  __syncwarp();
  if ((mask >> lane & 1) && place >= 0 && place < Tokens)
    tile.row[place] = row;
  if (lane == 0) {
    tile.adapter = adapter;
    tile.count = leads ? min(__popc(mask) - first, Tokens) : 0;
  }
}

/// Number of tiles of group g; none where it has no adapter.
template <int Tokens, class X, class W>
__device__ int groupTiles(const Arguments<X, W> &args, int64_t g) {
  const int adapter = args.active ? args.active[g] : static_cast<int>(g);
  const int count = args.starts[g + 1] - args.starts[g];
  const bool any = adapter >= 0 && adapter < args.adapters && count > 0;
  return any ? (count + Tokens - 1) / Tokens : 0;
}

/// The tile by the grouping. Called by one warp, whose lanes each count the
/// tiles of a run of groups.
template <int Tokens, class X, class W>
__device__ void findByGroups(const Arguments<X, W> &args, int64_t index,
                             Tile<Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  const int64_t run = (args.groups + 31) / 32;
  const int64_t begin = min(lane * run, args.groups);
  const int64_t end = min(begin + run, args.groups);
  int64_t tiles = 0;
  for (int64_t g = begin; g < end; ++g)
    tiles += groupTiles<Tokens>(args, g);
  int64_t before = tiles;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    int64_t other = __shfl_up_sync(kAllLanes, before, step);
    if (lane >= step)
      before += other;
  }
  before -= tiles;
  const bool found = index >= before && index < before + tiles;
  int64_t group = begin;
  if (found)
    for (;; ++group) {
      int64_t here = groupTiles<Tokens>(args, group);
      if (index < before + here)
        break;
      before += here;
    }
  const uint32_t mask = __ballot_sync(kAllLanes, found);
  if (mask == 0) {
    if (lane == 0)
      tile.count = 0;
    return;
  }
  const int owner = __ffs(mask) - 1;
  group = __shfl_sync(kAllLanes, group, owner);
  before = __shfl_sync(kAllLanes, before, owner);
  const int64_t start = args.starts[group] + (index - before) * Tokens;
  const int count =
      static_cast<int>(min(args.starts[group + 1] - start,
                           static_cast<int64_t>(Tokens)));
  for (int i = lane; i < Tokens; i += 32)
    tile.row[i] = i < count ? args.order[start + i] : -1;
  if (lane == 0) {
    tile.adapter = args.active ? args.active[group] : static_cast<int>(group);
    tile.count = count;
  }
}

/// Fills in tile `index`; ends with all threads of the block in step.
template <int Tokens, class X, class W>
__device__ void findTile(const Arguments<X, W> &args, int64_t index,
                         Tile<Tokens> &tile) {
  if (threadIdx.x < 32) {
    if (args.order)
      findByGroups<Tokens>(args, index, tile);
    else
      findByIds<Tokens>(args, index, tile);
    __syncwarp();
    if (threadIdx.x == 0 && tile.count > 0) {
      const int64_t rank = args.ranks ? args.ranks[tile.adapter] : args.rank;
      tile.rank = max(min(rank, args.rank), static_cast<int64_t>(0));
      tile.scale = args.scales ? __fmul_rn(args.scale, args.scales[tile.adapter])
                               : args.scale;
    }
  }
  __syncthreads();
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_TILE_CUH
