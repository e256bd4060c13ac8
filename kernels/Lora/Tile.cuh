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
// A block that starts early looks for its tile twice: while earlier kernels
// still run, to ask for the tile's operands, and when they have ended. The
// first time it may read what is not written yet: nothing that it finds is
// used but for prefetches, and every index is in range.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_TILE_CUH
#define FRIT_KERNELS_LORA_TILE_CUH

#include "Arguments.cuh"
#include "Common/Launch.cuh"
#include "Fragment.cuh"

namespace frit::lora {

inline constexpr int kWindow = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;

/// In shared memory, the same for all blocks of a cluster. Addresses are worked
/// out once, by one warp: they take wide multiplications.
template <class X, class W, int Tokens> struct Tile {
  int count;          ///< Tokens in use; 0: nothing to do.
  int adapter;        ///< In [0, adapters).
  int place, tiles;   ///< Which of how many tiles of its group.
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

/// What an earlier kernel may write still: past L1, which would keep it.
__device__ __forceinline__ int loadIndex(const int32_t *from) {
  int value;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
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
  const int id = row < args.tokens ? loadIndex(args.ids + row) : -1;
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
    tile.place = first / Tokens;
    tile.tiles = (__popc(same) + Tokens - 1) / Tokens;
    tile.count = min(__popc(same) - first, Tokens);
  }
}

/// Where the tokens of each adapter stand; see Arguments.
struct Grouping {
  const int32_t *order, *starts, *active;
  int tokens, adapters, groups;
};

/// A group's tokens in `order` and its adapter; none where it has no adapter.
struct Group {
  int start, count, adapter;

  __device__ __forceinline__ Group(const Grouping &grouping, int g) {
    adapter = grouping.active ? loadIndex(grouping.active + g) : g;
    start = loadIndex(grouping.starts + g);
    count = loadIndex(grouping.starts + g + 1) - start;
    if (adapter < 0 || adapter >= grouping.adapters || count < 0)
      count = 0;
  }
  template <int Tokens> __device__ __forceinline__ int tiles() const {
    return (count + Tokens - 1) / Tokens;
  }
};

/// The tile by the grouping. Called by one warp, whose lanes each count the
/// tiles of a run of groups. `guess` is where in `order` the tile's tokens may
/// stand: they are loaded with the groups, and again where they stand
/// elsewhere, which is the next guess, and is returned. A function of its own:
/// it is called twice, and its registers are not to push out others.
template <int Tokens, class X, class W>
__device__ __noinline__ int findByGroups(Grouping grouping, int index,
                                         int guess, Tile<X, W, Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  constexpr int kOwn = (Tokens + 31) / 32;
  int rows[kOwn];
  auto load = [&](int start) {
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const int at = start + lane + 32 * i;
      rows[i] = at < grouping.tokens ? loadIndex(grouping.order + at) : -1;
    }
  };
  const int groups = grouping.groups;
  if (groups == 0) {
    tile.count = 0;
    return guess;
  }
  load(guess);
  const int run = (groups + 31) / 32;
  const int begin = min(lane * run, groups);
  const int end = min(begin + run, groups);
  // The first groups of a run stay: two trips to memory are one too many.
  constexpr int kKept = 2;
  Group kept[kKept] = {{grouping, min(begin, groups - 1)},
                       {grouping, min(begin + 1, groups - 1)}};
  int tiles = 0;
#pragma unroll
  for (int i = 0; i < kKept; ++i)
    if (begin + i < end)
      tiles += kept[i].tiles<Tokens>();
#pragma unroll 4
  for (int g = begin + kKept; g < end; ++g)
    tiles += Group(grouping, g).tiles<Tokens>();
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
  Group group = kept[0];
  if (found)
    for (int g = begin; index >= before + group.tiles<Tokens>();) {
      before += group.tiles<Tokens>();
      if (++g == end) { // The groups have changed meanwhile.
        group.count = 0;
        break;
      }
      group = g == begin + 1 ? kept[1] : Group(grouping, g);
    }
  const int owner = mask ? __ffs(mask) - 1 : 0;
  const int place = __shfl_sync(kAllLanes, index - before, owner);
  const int all = __shfl_sync(kAllLanes, group.count, owner);
  const int start = __shfl_sync(kAllLanes, group.start, owner) + place * Tokens;
  const int count = min(all - place * Tokens, Tokens);
  const int adapter = __shfl_sync(kAllLanes, group.adapter, owner);
  if (mask == 0 || count <= 0 || start < 0 || start > grouping.tokens - count) {
    if (lane == 0)
      tile.count = 0;
    return guess;
  }
  if (start != guess)
    load(start);
#pragma unroll
  for (int i = 0; i < kOwn; ++i)
    if (lane + 32 * i < Tokens)
      tile.row[lane + 32 * i] = lane + 32 * i < count ? rows[i] : -1;
  if (lane == 0) {
    tile.adapter = adapter;
    tile.place = place;
    tile.tiles = (all + Tokens - 1) / Tokens;
    tile.count = count;
  }
  return start;
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

/// Fills in tile `index`. Called by one warp.
template <int Tokens, class X, class W>
__device__ void fillTile(const Arguments<X, W> &args, int index, int &guess,
                         Tile<X, W, Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  if (args.order)
    guess = findByGroups<Tokens>(Grouping{args.order, args.starts, args.active,
                                          static_cast<int>(args.tokens),
                                          static_cast<int>(args.adapters),
                                          static_cast<int>(args.groups)},
                                 index, guess, tile);
  else if constexpr (Tokens <= kWindow)
    findByIds<Tokens>(args, index, tile);
  else if (lane == 0)
    tile.count = 0; // Not launched so.
  __syncwarp();
  if (tile.count == 0)
    return;
  auto isRow = [&](int row) {
    return row >= 0 && row < static_cast<int>(args.tokens);
  };
  const int other = isRow(tile.row[0]) ? tile.row[0] : 0;
#pragma unroll
  for (int i = lane; i < Tokens; i += 32) {
    const int row = isRow(tile.row[i]) ? tile.row[i] : other;
    tile.x[i] = args.x + row * args.xStride;
    tile.y[i] = args.y + row * args.yStride;
  }
  if (lane == 0) {
    tile.a = args.a + tile.adapter * args.rank * args.k;
    tile.b = args.b + tile.adapter * args.rank * args.n;
    const int rank = static_cast<int>(args.rank);
    tile.rank = args.ranks
                    ? max(min(loadIndex(args.ranks + tile.adapter), rank), 0)
                    : rank;
    tile.scale = args.scales ? __fmul_rn(args.scale,
                                         __int_as_float(loadIndex(
                                             reinterpret_cast<const int32_t *>(
                                                 args.scales + tile.adapter))))
                             : args.scale;
  }
}

/// With more blocks a launch finds no room beside the one before it: 132
/// multiprocessors hold two of each.
inline constexpr unsigned kEarlyBlocks = 216;

__device__ __forceinline__ bool startsEarly() {
  return gridDim.x * gridDim.y <= kEarlyBlocks;
}

/// Before earlier kernels have ended: finds what may become tile `index`, or
/// what is it if `certain`, and lets `ask` prefetch what it needs.
template <int Tokens, class X, class W, class Ask>
__device__ __forceinline__ void
findEarlyTile(const Arguments<X, W> &args, int index, int &guess,
              Tile<X, W, Tokens> &tile, Ask ask, bool certain = false) {
  guess = min(index * Tokens, static_cast<int>(args.tokens));
  if (threadIdx.x == 32)
    tile.vectors = usesVectors(args);
  if (certain || startsEarly()) {
    if (threadIdx.x < 32)
      fillTile<Tokens>(args, index, guess, tile);
    __syncthreads();
    if (tile.count > 0)
      ask();
  }
}

/// Waits for earlier kernels and finds tile `index`; ends with all threads of
/// the block in step.
template <int Tokens, class X, class W>
__device__ __forceinline__ void findTile(const Arguments<X, W> &args, int index,
                                         int guess, Tile<X, W, Tokens> &tile) {
  waitForEarlierKernels();
  __syncthreads(); // Nobody looks at the early tile any more.
  if (threadIdx.x < 32)
    fillTile<Tokens>(args, index, guess, tile);
  __syncthreads();
}

/// Both of them.
template <int Tokens, class X, class W, class Ask>
__device__ __forceinline__ void findTile(const Arguments<X, W> &args, int index,
                                         Tile<X, W, Tokens> &tile, Ask ask) {
  int guess = 0;
  findEarlyTile(args, index, guess, tile, ask);
  findTile(args, index, guess, tile);
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_TILE_CUH
