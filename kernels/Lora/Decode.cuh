//===- Decode.cuh ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels for few tokens: a cluster a token, or a tile of up to eight
// tokens of one adapter, and nothing on the way that only larger batches need.
// What such a launch costs is the instructions of one warp and the trips to
// memory that wait for each other: the id, then A, then the exchange. x, y and,
// once the id is known, B are on their way meanwhile.
//
// A tile of the matrix unit has 16 ranks (then 16 columns of y) by 8 tokens.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_DECODE_CUH
#define FRIT_KERNELS_LORA_DECODE_CUH

#include "Common/Launch.cuh"
#include "Matrix.cuh"

namespace frit::lora {

inline constexpr int kMostBlocks = 16;

/// Shared memory of a block; `Ranks` is the most that the kernel takes.
template <int Tokens, int Ranks> struct DecodeShared {
  /// Floats between two tokens of a warp: what a warp stores at once lies in
  /// different banks.
  static constexpr int kPitch = Ranks + 4;
  Mailbox mailbox;
  alignas(16) float shares[kWarps][Tokens][kPitch]; ///< Each warp's sums.
  alignas(16) float inbox[kMostBlocks][Tokens][Ranks];
  alignas(16) __nv_bfloat16 terms[3][Tokens][Ranks];
};

/// What a cluster works on, as one thread sees it.
template <class E> struct DecodeWork {
  int adapter;
  /// Where the adapter is read again: while the first operands are on their
  /// way, it may turn out to be another one. Null where it is certain.
  const int32_t *id;
  int count;  ///< Tokens.
  const E *x; ///< The row of the token of this thread's group.
  E *y[2];    ///< The rows of its two tokens; of one token, of the first.
  int row;    ///< Of one token; of several there are `rows`.
  const int *rows;
  int part, parts; ///< Of the columns, which several clusters may divide.
};

/// `Tokens` is 1 or 8. `Depth` is how many ranks a step of the second half
/// takes, 16 or 32; `Steps` of them are all ranks. Of the first half alone,
/// ranks beyond those are other clusters' (the grid's z).
template <class E, int Tokens, int Depth, int Steps, bool Vectors, Halves Which>
class Decoder {
public:
  static constexpr bool kExpands = Which == Halves::Both;
  static_assert(Which != Halves::Expand);
  static constexpr int kRanks = Depth * Steps;
  static constexpr int kRankTiles = kRanks / 16;
  /// Neighbouring ranks of one thread in a step, and neighbouring columns.
  static constexpr int kOwnRanks = Depth / 4;
  static constexpr int kColumns = 4;
  static constexpr int kStrip = 8 * kColumns;
  /// Tokens of one thread in the second half.
  static constexpr int kOwn = Tokens == 1 ? 1 : 2;
  /// Tiles of ranks, and blocks of k, whose loads are issued together, and
  /// steps of B in registers: fewer where each load takes several.
  static constexpr int kMostTiles = Vectors ? 4 : 2,
                       kMostHeld = Vectors ? 2 : 1;
  static constexpr int kTilesAtOnce =
      kRankTiles < kMostTiles ? kRankTiles : kMostTiles;
  static constexpr int kAhead = kRankTiles == 1 ? (Vectors ? 4 : 2) : 1;
  static constexpr int kHeld = Steps < kMostHeld ? Steps : kMostHeld;

  using Shared = DecodeShared<Tokens, kRanks>;
  using Weights = Fragment<E, kOwnRanks>[kHeld][kColumns];
  using Output = Fragment<E, kColumns>[kOwn];

  __device__ __forceinline__ Decoder(const Arguments<E, E> &args,
                                     const DecodeWork<E> &work, Shared &shared)
      : args(args), shared(shared), warp(static_cast<int>(threadIdx.x) / 32),
        group(static_cast<int>(threadIdx.x) % 32 / 4),
        quad(static_cast<int>(threadIdx.x) % 4), blocks(clusterBlocks()),
        block(clusterRank()), stride(blocks * kWarps),
        first(block * kWarps + warp), strips(work.parts * stride),
        firstStrip(work.part * stride + first), k(static_cast<int>(args.k)),
        n(static_cast<int>(args.n)), rankPitch(static_cast<int>(args.rank)),
        firstRank(kExpands ? 0 : kRanks * static_cast<int>(blockIdx.z)),
        work(work), waitsForOutput(args.flags & kBesideKernel) {
    use(work.adapter);
  }

  __device__ __forceinline__ void run() {
    Output old;
    Weights weights;
    if (blocks > 1) {
      if (threadIdx.x == 0 && (kExpands || block == 0))
        shared.mailbox.expect(static_cast<int>(sizeof(float)) * blocks *
                              work.count * kRanks);
      __syncwarp();
      clusterArrive();
    }
    // All threads read it, and so decide alike.
    int certain = work.id ? loadIndex(work.id) : adapter;
    shrink(old, weights);
    if (__builtin_expect(certain != adapter, 0)) {
      if (certain < 0 || certain >= args.adapters) {
        if (blocks > 1)
          clusterWait();
        return;
      }
      use(certain);
      shrink(old, weights);
    }
    __syncthreads();
    sendSums();
    if (!kExpands && block > 0)
      return;
    shared.mailbox.wait();
    if constexpr (!kExpands) {
      writeHidden();
      return;
    }
    keepHidden();
    __syncthreads();
    if (waitsForOutput) {
      waitForEarlierKernels();
      loadOutput(firstStrip, old);
    }
    expand(old, weights);
  }

private:
  __device__ __forceinline__ void use(int which) {
    adapter = which;
    trueRank = args.ranks ? max(min(__ldg(args.ranks + which), rankPitch), 0)
                          : rankPitch;
    if constexpr (!kExpands)
      trueRank = min(trueRank - firstRank, kRanks);
    scale = args.scales ? __fmul_rn(args.scale, __ldg(args.scales + which))
                        : args.scale;
    a = args.a + (which * args.rank + firstRank) * args.k;
    b = args.b + which * args.rank * args.n;
  }

  /// This warp's sums of its blocks of k. The first operands of the second
  /// half are fetched between the first loads and their use.
  __device__ __forceinline__ void shrink(Output &old, Weights &weights) {
    bool begun = false;
#pragma unroll
    for (int i = 0; i < kRankTiles; i += kTilesAtOnce)
      if (i == 0 || 16 * i < trueRank)
        shrinkTiles(i, begun, old, weights);
  }

  /// The same of kTilesAtOnce tiles of ranks.
  __device__ __forceinline__ void shrinkTiles(int tile, bool &begun,
                                              Output &old, Weights &weights) {
    const E *rows[kTilesAtOnce][2];
#pragma unroll
    for (int i = 0; i < kTilesAtOnce; ++i)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        // Another row where there is no such rank: its sum is never looked at.
        const int row =
            max(min(16 * (tile + i) + 8 * h + group, trueRank - 1), 0);
        rows[i][h] = a + static_cast<int64_t>(row) * k + 8 * quad;
      }
    float sums[kTilesAtOnce][4];
#pragma unroll
    for (int i = 0; i < kTilesAtOnce; ++i)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        sums[i][e] = 0.0f;

    int at = first;
    do {
      Fragment<E, 8> xs[kAhead], as[kAhead][kTilesAtOnce][2];
#pragma unroll
      for (int u = 0; u < kAhead; ++u)
        loadBlock((at + u * stride) * kBlockK, rows, xs[u], as[u]);
      if (kExpands && !begun) {
        if (!waitsForOutput)
          loadOutput(firstStrip, old);
#pragma unroll
        for (int s = 0; s < kHeld; ++s)
          loadWeights(firstStrip, s, weights[s]);
        begun = true;
      }
#pragma unroll
      for (int u = 0; u < kAhead; ++u)
#pragma unroll
        for (int i = 0; i < kTilesAtOnce; ++i)
#pragma unroll
          for (int w = 0; w < 4; w += 2)
            multiply<std::is_same_v<E, __half>>(
                sums[i], as[u][i][0].words[w], as[u][i][1].words[w],
                as[u][i][0].words[w + 1], as[u][i][1].words[w + 1],
                xs[u].words[w], xs[u].words[w + 1]);
      at += kAhead * stride;
    } while (at * kBlockK < k);

#pragma unroll
    for (int i = 0; i < kTilesAtOnce; ++i)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        if (Tokens > 1 || (quad == 0 && e % 2 == 0))
          shared.shares[warp][Tokens > 1 ? 2 * quad + e % 2 : 0]
                       [16 * (tile + i) + e / 2 * 8 + group] = sums[i][e];
  }

  /// The operands of one block of 32 k's, zero beyond the last k. Of one token
  /// only the first column has an x.
  __device__ __forceinline__ void
  loadBlock(int begin, const E *const (&rows)[kTilesAtOnce][2],
            Fragment<E, 8> &xs, Fragment<E, 8> (&as)[kTilesAtOnce][2]) const {
    const int left = k - begin - 8 * quad;
    xs.clear();
    if ((Tokens > 1 || group == 0) && left > 0)
      xs = load<8>(work.x + begin + 8 * quad, left);
#pragma unroll
    for (int i = 0; i < kTilesAtOnce; ++i)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        as[i][h].clear();
        if (left > 0)
          as[i][h] = load<8>(rows[i][h] + begin, left);
      }
  }

  /// `Count` elements, or the first `left` of them and zeros. Where vectors
  /// are used, `left` is a multiple of `Count`.
  template <int Count>
  __device__ __forceinline__ static Fragment<E, Count> load(const E *from,
                                                            int left) {
    if constexpr (Vectors)
      return loadVector<E, Count>(from);
    else
      return loadSome<E, Count>(from, left);
  }

  /// Adds the warps' sums and sends them to all blocks of the cluster, or to
  /// the first. A thread takes four ranks of a token for some receivers.
  __device__ __forceinline__ void sendSums() {
    if (blocks > 1)
      clusterWait(); // All blocks run, so their shared memory is there.
    constexpr int kPieces = kRanks / 4, kItems = Tokens * kPieces;
    constexpr int kStep = kThreads / kItems;
    const int item = static_cast<int>(threadIdx.x) % kItems;
    const int token = item / kPieces, r = item % kPieces * 4;
    int receiver = static_cast<int>(threadIdx.x) / kItems;
    const int receivers = kExpands ? blocks : 1;
    if (receiver >= receivers || token >= work.count)
      return;
    const float4 sum =
        addShares(&shared.shares[0][token][r], Tokens * Shared::kPitch);
    float *to = &shared.inbox[block][token][r];
    for (; receiver < receivers; receiver += kStep)
      shared.mailbox.send(to, receiver, sum);
  }

  /// The rank vectors from all blocks' sums, as bf16 terms; zero beyond the
  /// true rank, whatever those hold.
  __device__ __forceinline__ void keepHidden() {
    const int thread = static_cast<int>(threadIdx.x);
    const int token = thread / kRanks, r = thread % kRanks;
    if (token >= work.count)
      return;
    const float sum = hiddenValue<E>(
        args.flags, scale,
        addBlocks(&shared.inbox[0][token][r], Tokens * kRanks, blocks));
    float parts[3];
    splitTerms(r < trueRank ? sum : 0.0f, parts);
#pragma unroll
    for (int t = 0; t < 3; ++t)
      shared.terms[t][token][r] = __ushort_as_bfloat16(
          static_cast<uint16_t>(__float_as_uint(parts[t]) >> 16));
  }

  /// The rank vectors from all blocks' sums.
  __device__ __forceinline__ void writeHidden() const {
    const int thread = static_cast<int>(threadIdx.x);
    const int token = thread / kRanks, r = thread % kRanks;
    if (token >= work.count || r >= trueRank)
      return;
    const int row = Tokens == 1 ? work.row : work.rows[token];
    storeHidden<E>(args.h, row * args.hStride + firstRank + r,
                   hiddenValue<E>(args.flags, scale,
                                  addBlocks(&shared.inbox[0][token][r],
                                            Tokens * kRanks, blocks)),
                   args.flags);
  }

  /// Strips of columns, a warp each.
  __device__ __forceinline__ void expand(Output &old, Weights &weights) {
    const int terms = hiddenTerms<E>(args.flags);
    for (int strip = firstStrip; strip * kStrip < n; strip += strips) {
      const int next = strip + strips;
      const bool more = next * kStrip < n;
      float sums[2][4] = {};
#pragma unroll
      for (int s = 0; s < Steps; ++s) {
#pragma unroll
        for (int d = 0; d < Depth / 16; ++d)
          multiplyRanks(weights[s % kHeld], s, d, terms, sums);
        if (s + kHeld < Steps)
          loadWeights(strip, s + kHeld, weights[s % kHeld]);
        else if (more)
          loadWeights(next, s + kHeld - Steps, weights[s % kHeld]);
      }
      Output before;
#pragma unroll
      for (int e = 0; e < kOwn; ++e)
        before[e] = old[e];
      if (more)
        loadOutput(next, old);
      store(strip, before, sums);
    }
  }

  /// 16 ranks of a strip: part `d` of step `s`.
  __device__ __forceinline__ void
  multiplyRanks(const Fragment<E, kOwnRanks> (&rows)[kColumns], int s, int d,
                int terms, float (&sums)[2][4]) const {
    uint32_t bs[kColumns][2][kTerms<E>];
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      pairTerms(rows[i], 2 * d, bs[i][0]);
      pairTerms(rows[i], 2 * d + 1, bs[i][1]);
    }
#pragma unroll
    for (int t = 0; t < 3; ++t) {
      if (t >= terms)
        break;
      uint2 hidden = *reinterpret_cast<const uint2 *>(
          &shared.terms[t][Tokens > 1 ? group : 0]
                       [Depth * s + kOwnRanks * quad + 4 * d]);
      if (Tokens == 1 && group != 0) // Columns of other tokens.
        hidden = make_uint2(0, 0);
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int u = 0; u < kTerms<E>; ++u)
          if (u + t < kTermOrders)
            multiply<false>(sums[i], bs[2 * i][0][u], bs[2 * i + 1][0][u],
                            bs[2 * i][1][u], bs[2 * i + 1][1][u], hidden.x,
                            hidden.y);
    }
  }

  /// This thread's columns of B in a step of a strip: Depth / 4 ranks of four
  /// rows, zero beyond the true rank. Rows beyond the last are another one.
  __device__ __forceinline__ void
  loadWeights(int strip, int step,
              Fragment<E, kOwnRanks> (&weights)[kColumns]) const {
    const int column = strip * kStrip + kColumns * group;
    const int r = Depth * step + kOwnRanks * quad;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      weights[i].clear();
      if (r < trueRank) {
        const E *row =
            b + static_cast<int64_t>(min(column + i, n - 1)) * rankPitch;
        weights[i] = load<kOwnRanks>(row + r, trueRank - r);
        if (Vectors && r + kOwnRanks > trueRank)
          weights[i].keep(trueRank - r);
      }
    }
  }

  /// Whether this thread has a token `e`.
  __device__ __forceinline__ bool hasToken(int e) const {
    return Tokens == 1 ? quad == 0 : 2 * quad + e < work.count;
  }

  __device__ __forceinline__ void loadOutput(int strip, Output &old) const {
    const int column = strip * kStrip + kColumns * group;
#pragma unroll
    for (int e = 0; e < kOwn; ++e) {
      old[e].clear();
      if (!(args.flags & kAccumulate) || !hasToken(e) || column >= n)
        continue;
      if constexpr (Vectors)
        old[e] = loadWritten<E, kColumns>(work.y[e] + column);
      else
        old[e] = loadWrittenSome<E, kColumns>(work.y[e] + column, n - column);
    }
  }

  __device__ __forceinline__ void store(int strip, const Output &old,
                                        const float (&sums)[2][4]) const {
    const int column = strip * kStrip + kColumns * group;
    if (column >= n)
      return;
#pragma unroll
    for (int e = 0; e < kOwn; ++e) {
      if (!hasToken(e))
        continue;
      float v[kColumns];
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        v[i] = finishOutput<E, E>(args.flags, scale, sums[i / 2][i % 2 * 2 + e],
                                  old[e].get(i));
      storeColumns<Vectors>(work.y[e] + column, v, n - column);
    }
  }

  const Arguments<E, E> &args;
  Shared &shared;
  const int warp, group, quad, blocks, block;
  const int stride, first;      ///< Of blocks of k, in the cluster.
  const int strips, firstStrip; ///< Of strips, of all clusters of the token.
  const int k, n, rankPitch, firstRank;
  int adapter, trueRank;
  float scale;
  const E *a, *b;
  const DecodeWork<E> work;
  const bool waitsForOutput;
};

/// Whether every access of neighbouring elements may be one vector.
template <int Ranks, class E>
__device__ __forceinline__ bool usesDecodeVectors(const Arguments<E, E> &args) {
  const bool expands = args.n % 4 == 0 && args.rank % Ranks == 0 &&
                       isAligned<Ranks>(args.b, args.rank) &&
                       isAligned<4>(args.y, args.yStride);
  return args.k % 8 == 0 && isAligned<8>(args.x, args.xStride) &&
         isAligned<8>(args.a, args.k) &&
         (expands || (args.flags & kShrinkOnly));
}

template <int Tokens, int Depth, int Steps, Halves Which, class E>
__device__ __forceinline__ void
decode(const Arguments<E, E> &args, const DecodeWork<E> &work,
       DecodeShared<Tokens, Depth * Steps> &at) {
  if (__builtin_expect(usesDecodeVectors<Depth / 4>(args), 1))
    Decoder<E, Tokens, Depth, Steps, true, Which>(args, work, at).run();
  else
    Decoder<E, Tokens, Depth, Steps, false, Which>(args, work, at).run();
}

/// A token, by one cluster or by several, each of which shrinks it and takes
/// its part of the columns.
template <int Depth, int Steps, Halves Which = Halves::Both, class E>
__device__ __forceinline__ void decodeToken(const Arguments<E, E> &args) {
  __shared__ DecodeShared<1, Depth * Steps> shared;
  const int parts = clusterCount() / static_cast<int>(args.tokens);
  const int token = clusterIndex() / parts;
  DecodeWork<E> work;
  work.count = 1;
  work.x = args.x + token * args.xStride;
  work.y[0] = args.y + token * args.yStride;
  work.row = token;
  work.rows = nullptr;
  work.part = clusterIndex() - token * parts;
  work.parts = parts;
  auto isAdapter = [&](int id) { return id >= 0 && id < args.adapters; };
  // What an earlier kernel may write still, see Tile.cuh, unless this one is
  // told that none does.
  const bool beside = args.flags & kBesideKernel;
  work.id = nullptr;
  work.adapter = beside || startsEarly() ? loadIndex(args.ids + token) : -1;
  if (isAdapter(work.adapter))
    askTile(
        args, work.adapter, static_cast<int>(args.rank), work.part, parts, 1,
        clusterRank(), clusterBlocks(), [&](int) { return work.x; },
        [&](int) { return work.y[0]; });
  if (!beside) {
    waitForEarlierKernels(work.x, work.adapter);
    if (isAdapter(work.adapter))
      work.id = args.ids + token;
    else
      work.adapter = loadIndex(args.ids + token);
  }
  if (!isAdapter(work.adapter)) {
    if (beside)
      waitForEarlierKernels();
    return;
  }
  decode<1, Depth, Steps, Which>(args, work, shared);
}

/// A cluster a tile of up to eight tokens.
template <int Depth, int Steps, Halves Which = Halves::Both, class E>
__device__ __forceinline__ void decodeTile(Arguments<E, E> args) {
  __shared__ DecodeShared<8, Depth * Steps> shared;
  __shared__ Tile<E, E, 8> tile;
  const bool beside = args.flags & kBesideKernel;
  int guess = 0;
  findEarlyTile(
      args, clusterIndex(), guess, tile,
      [&] { askTile(args, tile, clusterRank(), clusterBlocks()); }, beside);
  if (!beside)
    findTile(args, clusterIndex(), guess, tile);
  if (tile.count == 0) {
    if (beside)
      waitForEarlierKernels();
    return;
  }
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int first = lane % 4 * 2;
  DecodeWork<E> work = {tile.adapter,
                        /*id=*/nullptr,   tile.count,
                        tile.x[lane / 4], {tile.y[first], tile.y[first + 1]},
                        /*row=*/0,        tile.row,
                        /*part=*/0,
                        /*parts=*/1};
  decode<8, Depth, Steps, Which>(args, work, shared);
}

} // namespace frit::lora

/// Defines kernel `NAME` for ranks up to DEPTH * STEPS; WORK is decodeToken or
/// decodeTile, RESIDENT the blocks that share a multiprocessor.
#define FRIT_LORA_DECODE_KERNEL(NAME, E, WORK, DEPTH, STEPS, RESIDENT)         \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads, RESIDENT) \
      NAME(FRIT_LORA_PARAMETERS(E, E)) {                                       \
    FRIT_LORA_SLICE(E, E);                                                     \
    frit::lora::WORK<DEPTH, STEPS>(arguments);                                 \
  }

/// Defines kernel `NAME`, the first half for DEPTH * STEPS ranks a cluster.
#define FRIT_LORA_DECODE_SHRINK_KERNEL(NAME, E, WORK, DEPTH, STEPS, RESIDENT)  \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads, RESIDENT) \
      NAME(FRIT_LORA_PARAMETERS(E, E)) {                                       \
    FRIT_LORA_SLICE(E, E);                                                     \
    frit::lora::WORK<DEPTH, STEPS, frit::lora::Halves::Shrink>(arguments);     \
  }

#endif // FRIT_KERNELS_LORA_DECODE_CUH
