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
// A block that starts early looks for its tile while earlier kernels still
// run, to ask for the tile's operands. It may read what is not written yet:
// nothing that it finds is used but for prefetches, and every index is in
// range. When they have ended it reads again what decided, and searches again
// only where that is something else: a search is some two hundred instructions
// of one warp, for which all others wait.
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

/// Groups of a grouping whose starts a lane keeps.
inline constexpr int kKeptGroups = 2;

/// A group's tokens in `order` and its adapter; none where it has no adapter.
struct Group {
  int start, count, adapter;

  __device__ __forceinline__ bool operator==(const Group &other) const {
    return start == other.start && count == other.count &&
           adapter == other.adapter;
  }
  template <int Tokens> __device__ __forceinline__ int tiles() const {
    return static_cast<int>((static_cast<unsigned>(count) + Tokens - 1) /
                            Tokens);
  }
};

/// What decided about a tile, beside its own tokens.
struct TileSource {
  bool known;                    ///< Whether the rest says all.
  int start;                     ///< Of the tile's tokens in a grouping.
  int id[32];                    ///< Each lane's, without a grouping.
  Group groups[kKeptGroups][32]; ///< Each lane's, with one.
};

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
  TileSource source;
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

/// This lane's row of the window of ids that tile `index` is in, and the
/// tile's number there.
template <int Tokens, class X, class W>
__device__ __forceinline__ int findWindow(const Arguments<X, W> &args,
                                          int &index) {
  int window = 0;
  if (args.tokens > kWindow) {
    const int each = mostTiles<Tokens>(kWindow, args.adapters);
    window = index / each;
    index -= window * each;
  }
  return window * kWindow + static_cast<int>(threadIdx.x);
}

/// The tile by ids alone. Called by one warp.
template <int Tokens, class X, class W>
__device__ void findByIds(const Arguments<X, W> &args, int index,
                          Tile<X, W, Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  const int row = findWindow<Tokens>(args, index);
  const int id = row < args.tokens ? loadIndex(args.ids + row) : -1;
  tile.source.id[lane] = id;
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

/// What is in memory about a group.
struct GroupEntry {
  int adapter, start, end;
};

/// Where the tokens of each adapter stand; see Arguments.
struct Grouping {
  const int32_t *order, *starts, *active;
  int tokens, adapters, groups;

  __device__ __forceinline__ GroupEntry loadEntry(int g) const {
    return {active ? loadIndex(active + g) : g, loadIndex(starts + g),
            loadIndex(starts + g + 1)};
  }
  __device__ __forceinline__ Group groupOf(const GroupEntry &entry) const {
    Group group = {entry.start, entry.end - entry.start, entry.adapter};
    // What is not written yet may be anything, and more tiles than there can be
    // would make steps of no width.
    if (group.adapter < 0 || group.adapter >= adapters || group.count < 0 ||
        group.start < 0 || group.start > tokens - group.count)
      group.count = 0;
    return group;
  }
  __device__ __forceinline__ Group load(int g) const {
    return groupOf(loadEntry(g));
  }
  /// Groups of a lane, and the first of them.
  __device__ __forceinline__ int run() const { return (groups + 31) / 32; }
  __device__ __forceinline__ int begin() const {
    return min(static_cast<int>(threadIdx.x) * run(), groups);
  }
  /// A lane's first groups, or others where it has none.
  __device__ __forceinline__ int keptGroup(int i) const {
    return min(begin() + i, groups - 1);
  }
  /// All loads are issued
  /// together: two trips to memory are one too many.
  __device__ __forceinline__ void
  load(GroupEntry (&entries)[kKeptGroups]) const {
#pragma unroll
    for (int i = 0; i < kKeptGroups; ++i)
      entries[i] = loadEntry(keptGroup(i));
  }
};

template <class X, class W>
__device__ __forceinline__ Grouping groupingOf(const Arguments<X, W> &args) {
  return {args.order,
          args.starts,
          args.active,
          static_cast<int>(args.tokens),
          static_cast<int>(args.adapters),
          static_cast<int>(args.groups)};
}

/// Entries of `order` that a warp reads with the groups, from the earliest
/// place on where a tile after few others' last ones may begin.
template <int Tokens> inline constexpr int kOrderLoads = Tokens <= 32 ? 4 : 2;
template <int Tokens>
inline constexpr int kOrderSlack = 32 * kOrderLoads<Tokens> - Tokens;

/// Where tile `index` is looked for first.
template <int Tokens>
__device__ __forceinline__ int guessStart(int index, int64_t tokens) {
  return max(
      min(index * Tokens, static_cast<int>(tokens)) - kOrderSlack<Tokens>, 0);
}

/// The tile by the grouping. Called by one warp, whose lanes each count the
/// tiles of a run of groups. `guess` is where in `order` the tile's tokens may
/// stand, or a little before: they are loaded with the groups, and again where
/// they stand elsewhere, which is the next guess, and is returned. A function
/// of its own: it is called twice, and its registers are not to push out
/// others.
template <int Tokens, class X, class W>
__device__ __noinline__ int findByGroups(Grouping grouping, int index,
                                         int guess, Tile<X, W, Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  constexpr int kOwn = (Tokens + 31) / 32, kLoads = kOrderLoads<Tokens>;
  int rows[kLoads];
  auto load = [&](int start, int count) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int at = start + lane + 32 * i;
      rows[i] = i < count && at < grouping.tokens
                    ? loadIndex(grouping.order + at)
                    : -1;
    }
  };
  auto findNone = [&] {
    if (lane == 0)
      tile.count = 0;
    return guess;
  };
  if (grouping.groups == 0)
    return findNone();
  load(guess, kLoads);
  GroupEntry entries[kKeptGroups];
  grouping.load(entries);
  const int run = grouping.run(), begin = grouping.begin();
  const int end = min(begin + run, grouping.groups);
  Group kept[kKeptGroups];
  int tiles = 0;
#pragma unroll
  for (int i = 0; i < kKeptGroups; ++i) {
    kept[i] = grouping.groupOf(entries[i]);
    tile.source.groups[i][lane] = kept[i];
    if (begin + i < end)
      tiles += kept[i].tiles<Tokens>();
  }
#pragma unroll 4
  for (int g = begin + kKeptGroups; g < end; ++g)
    tiles += grouping.load(g).tiles<Tokens>();
  if (!__any_sync(kAllLanes, tiles > 0))
    return findNone();
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
      group = g == begin + 1 ? kept[1] : grouping.load(g);
    }
  if (mask == 0)
    return findNone();
  const int owner = __ffs(mask) - 1;
  const int place = (index - before) * Tokens;
  const int start = __shfl_sync(kAllLanes, group.start + place, owner);
  const int count =
      __shfl_sync(kAllLanes, min(group.count - place, Tokens), owner);
  if (count <= 0 || start < 0 || start > grouping.tokens - count)
    return findNone();
  int offset = start - guess;
  if (offset < 0 || offset + count > 32 * kLoads || (kOwn > 1 && offset != 0)) {
    load(start, kOwn);
  } else if (kOwn == 1 && offset != 0) {
    // Down to the two loads that hold the tile's rows.
#pragma unroll
    for (int step = kLoads / 2; step > 0; step /= 2)
      if (offset >= 32 * step) {
        offset -= 32 * step;
#pragma unroll
        for (int i = 0; i + step < kLoads; ++i)
          rows[i] = rows[i + step];
      }
    const int low = __shfl_sync(kAllLanes, rows[0], (offset + lane) % 32);
    const int high = __shfl_sync(kAllLanes, rows[1], (offset + lane) % 32);
    rows[0] = offset + lane < 32 ? low : high;
  }
#pragma unroll
  for (int i = 0; i < kOwn; ++i)
    if (lane + 32 * i < Tokens)
      tile.row[lane + 32 * i] = lane + 32 * i < count ? rows[i] : -1;
  if (lane == owner) {
    tile.adapter = group.adapter;
    tile.place = place / Tokens;
    tile.tiles = group.tiles<Tokens>();
    tile.count = count;
    tile.source.start = start;
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

/// An adapter's true rank and the factor of its products, as they are in
/// memory.
struct AdapterEntry {
  int rank, scale;
};
template <class X, class W>
__device__ __forceinline__ AdapterEntry loadAdapter(const Arguments<X, W> &args,
                                                    int adapter) {
  return {args.ranks ? loadIndex(args.ranks + adapter) : 0,
          args.scales ? loadIndex(reinterpret_cast<const int32_t *>(
                            args.scales + adapter))
                      : 0};
}
template <class X, class W>
__device__ __forceinline__ int rankOf(const Arguments<X, W> &args,
                                      const AdapterEntry &entry) {
  const int rank = static_cast<int>(args.rank);
  return args.ranks ? max(min(entry.rank, rank), 0) : rank;
}
template <class X, class W>
__device__ __forceinline__ float scaleOf(const Arguments<X, W> &args,
                                         const AdapterEntry &entry) {
  return args.scales ? __fmul_rn(args.scale, __int_as_float(entry.scale))
                     : args.scale;
}

/// Fills in tile `index`. Called by one warp.
template <int Tokens, class X, class W>
__device__ void fillTile(const Arguments<X, W> &args, int index, int &guess,
                         Tile<X, W, Tokens> &tile) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane == 0)
    tile.source.known = !args.order || args.groups <= 32 * kKeptGroups;
  if (args.order)
    guess = findByGroups<Tokens>(groupingOf(args), index, guess, tile);
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
    const AdapterEntry entry = loadAdapter(args, tile.adapter);
    tile.rank = rankOf(args, entry);
    tile.scale = scaleOf(args, entry);
  }
}

/// Reads again what decided about a tile. Addresses are worked out before there
/// is anything to read, and all loads are issued together, before others,
/// behind which they would wait for all of theirs; what they bring is looked at
/// later. Used by one warp.
template <int Tokens> class TileCheck {
public:
  template <class X, class W>
  __device__ __forceinline__ void prepare(const Arguments<X, W> &args,
                                          int index,
                                          const Tile<X, W, Tokens> &tile) {
    const int lane = static_cast<int>(threadIdx.x);
    const bool known = tile.source.known;
#pragma unroll
    for (int i = 0; i < kOwn; ++i)
      rowAt[i] = nullptr;
#pragma unroll
    for (int i = 0; i < kKeptGroups; ++i)
      startAt[i] = nullptr;
    if (known && args.order) {
      const Grouping grouping = groupingOf(args);
      if (args.groups > 0)
#pragma unroll
        for (int i = 0; i < kKeptGroups; ++i)
          startAt[i] = args.starts + grouping.keptGroup(i);
#pragma unroll
      for (int i = 0; i < kOwn; ++i)
        if (args.groups > 0 && lane + 32 * i < tile.count)
          rowAt[i] = args.order + tile.source.start + lane + 32 * i;
    } else if (known) {
      const int row = findWindow<Tokens>(args, index);
      if (row < args.tokens)
        rowAt[0] = args.ids + row;
    }
    hasAdapter = known && lane == 0 && tile.count > 0;
    if (hasAdapter) {
      rankAt = args.ranks + tile.adapter;
      scaleAt = reinterpret_cast<const int32_t *>(args.scales + tile.adapter);
    }
#pragma unroll
    for (int i = 0; i < kOwn; ++i)
      keepBehind(rowAt[i]);
#pragma unroll
    for (int i = 0; i < kKeptGroups; ++i)
      keepBehind(startAt[i]);
  }

  template <class X, class W>
  __device__ __forceinline__ void load(const Arguments<X, W> &args) {
    if (startAt[0]) {
#pragma unroll
      for (int i = 0; i < kKeptGroups; ++i) {
        entries[i].start = loadIndex(startAt[i]);
        entries[i].end = loadIndex(startAt[i] + 1);
      }
      if (args.active)
#pragma unroll
        for (int i = 0; i < kKeptGroups; ++i)
          entries[i].adapter =
              loadIndex(args.active + (startAt[i] - args.starts));
    }
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      rows[i] = -1;
      if (rowAt[i])
        rows[i] = loadIndex(rowAt[i]);
    }
    if (hasAdapter && args.ranks)
      adapter.rank = loadIndex(rankAt);
    if (hasAdapter && args.scales)
      adapter.scale = loadIndex(scaleAt);
  }

  /// Whether the tile is what it was.
  template <class X, class W>
  __device__ __forceinline__ bool holds(const Arguments<X, W> &args,
                                        const Tile<X, W, Tokens> &tile) {
    const int lane = static_cast<int>(threadIdx.x);
    const TileSource &source = tile.source;
    if (!source.known)
      return false;
    bool same = true;
    if (args.order) {
      if (args.groups == 0)
        return true;
      const Grouping grouping = groupingOf(args);
#pragma unroll
      for (int i = 0; i < kKeptGroups; ++i) {
        keepBehind(entries[i].start);
        keepBehind(entries[i].end);
        if (!args.active)
          entries[i].adapter = grouping.keptGroup(i);
        same = same && grouping.groupOf(entries[i]) == source.groups[i][lane];
      }
#pragma unroll
      for (int i = 0; i < kOwn; ++i)
        same = same && (lane + 32 * i >= tile.count ||
                        rows[i] == tile.row[lane + 32 * i]);
    } else {
      same = source.id[lane] == rows[0];
    }
    if (hasAdapter)
      same =
          same && tile.rank == rankOf(args, adapter) &&
          __float_as_int(tile.scale) == __float_as_int(scaleOf(args, adapter));
    return __all_sync(kAllLanes, same);
  }

private:
  static constexpr int kOwn = (Tokens + 31) / 32;
  const int32_t *startAt[kKeptGroups], *rowAt[kOwn], *rankAt, *scaleAt;
  bool hasAdapter; ///< This lane looks at the adapter's rank and scale.
  GroupEntry entries[kKeptGroups];
  int rows[kOwn]; ///< Or, without a grouping, this lane's id.
  AdapterEntry adapter;
};

/// With more blocks a launch finds no room beside the one before it: 132
/// multiprocessors hold two of each.
inline constexpr unsigned kEarlyBlocks = 216;

__device__ __forceinline__ bool startsEarly() {
  return gridDim.x * gridDim.y * gridDim.z <= kEarlyBlocks;
}

/// Before earlier kernels have ended: finds what may become tile `index`, or
/// what is it if `certain`, and lets `ask` prefetch what it needs.
template <int Tokens, class X, class W, class Ask>
__device__ __forceinline__ void
findEarlyTile(const Arguments<X, W> &args, int index, int &guess,
              Tile<X, W, Tokens> &tile, Ask ask, bool certain = false) {
  guess = guessStart<Tokens>(index, args.tokens);
  if (threadIdx.x == 32)
    tile.vectors = usesVectors(args);
  if (!certain && !startsEarly()) {
    if (threadIdx.x == 0) { // Of the warp that looks at it before others.
      tile.count = 0;
      tile.source.known = false;
    }
    __syncwarp();
  } else {
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
  TileCheck<Tokens> check;
  if (threadIdx.x < 32)
    check.prepare(args, index, tile);
  waitForEarlierKernels();
  if (threadIdx.x < 32)
    check.load(args);
  __syncthreads(); // Nobody looks at the early tile any more.
  if (threadIdx.x < 32 && !check.holds(args, tile))
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
