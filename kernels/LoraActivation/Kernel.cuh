//===- Kernel.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lora_expand of gate and up, then gelu_and_mul_sparse, in one pass over the
// projections' result. A cluster has all columns of 16 or 32 tokens of one
// adapter: its blocks divide the columns, their warps the block's. A thread
// copies, changes and activates its own vectors of eight columns of its own
// tokens, so that no thread waits for another but where a row's moments meet.
//
// The gate's values stay in shared memory until the cutoff is known; up follows
// them through a ring of a few strips, which are on their way meanwhile, and
// the gate of the cluster's next tile takes the place of this one's strip by
// strip.
//
// Grid: clusters * blocks of a cluster, no more clusters than there may be
// tiles; those that run at once share the tiles evenly.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORAACTIVATION_KERNEL_CUH
#define FRIT_KERNELS_LORAACTIVATION_KERNEL_CUH

#include "Activation/Gates.cuh"
#include "Common/Barrier.cuh"
#include "LoraActivation/Strip.cuh"

#include <type_traits>

namespace frit::loraactivation {

#if FRIT_HAS_CLUSTERS

inline constexpr int kWarps = 8;
inline constexpr int kThreads = 32 * kWarps;
inline constexpr int kMostBlocks = 16;

/// What the threads of a block, and the blocks, tell each other.
template <int Tokens> struct Shared {
  /// Of this round and of the next one.
  frit::loraactivation::Tile<Tokens> tiles[2];
  /// Moments of each warp's part of a row.
  float mean[kWarps][Tokens], m2[kWarps][Tokens];
  float2 inbox[2][Tokens][kMostBlocks]; ///< Of the blocks' parts, by rounds.
  float cutoff[Tokens];
  alignas(8) uint64_t arrived[2];
};

/// `Tokens` is 16 or 32, `Steps` the ranks in sixteens, `Ahead` how many
/// strips are on their way to a warp.
template <class Gate, int Tokens, int Steps, int Ahead> class Block {
  using E = typename Gate::E;
  static constexpr int kTiles = Tokens / 16;
  /// Tokens of a thread.
  static constexpr int kOwn = Tokens / 8;
  static constexpr int kPerVector = Element<E>::kPerVector;
  /// Bytes of a strip.
  static constexpr int kStripBytes = kOwn * 32 * 16;
  using Terms = HiddenTerms<E, Steps>;
  using OwnShared = Shared<Tokens>;

public:
  __device__ Block(const Operands<E> &all, OwnShared &shared, uint32_t places)
      : all(all), shared(shared), d(static_cast<int>(all.d)),
        blocks(clusterSize()), strips(max((d + blocks * kWarps * kStrip - 1) /
                                              (blocks * kWarps * kStrip),
                                          Ahead)),
        lane(threadIdx.x % 32), warp(threadIdx.x / 32),
        first(clusterRank() * columnsOfBlock() + warp * strips * kStrip),
        gatePlaces(places + warp * strips * kStripBytes + lane * 16),
        upPlaces(places + kWarps * strips * kStripBytes +
                 warp * Ahead * kStripBytes + lane * 16),
        isWhole(accessBytes(all.gate, all.yStride) == 16 &&
                accessBytes(all.up, all.yStride) == 16) {}

  /// Starts the copies of the first tile's first strips.
  __device__ void start() {
    if (isUsual(0))
      askForWeights();
    findSources(0);
#pragma unroll 1
    for (int i = 0; i < Ahead; ++i)
      copyItem<false>(i, 0);
  }

  /// The tile of a round; finds tile `next` for the one after it.
  __device__ void run(const typename Gate::Parameters &parameters, int round,
                      int next) {
    if (isUsual(round))
      run<true>(parameters, round, next);
    else
      run<false>(parameters, round, next);
  }

  /// Blocks of a cluster may send from then on.
  static __device__ void initBarriers(OwnShared &shared) {
    if (threadIdx.x == 0) {
      for (uint64_t &barrier : shared.arrived)
        barrierInit(sharedAddress(&barrier), 1);
      barrierInitFence();
      for (uint64_t &barrier : shared.arrived)
        expectParts(sharedAddress(&barrier));
    }
    clusterArrive();
  }

private:
  /// All blocks' parts of a round.
  static __device__ void expectParts(uint32_t barrier) {
    barrierExpect(barrier, clusterSize() * Tokens * sizeof(float2));
  }

  __device__ const Tile<Tokens> &tileOf(int round) const {
    return shared.tiles[round % 2];
  }

  /// Whether every vector is whole and aligned, and the tokens have LoRAs of
  /// all the ranks: no step has to ask.
  __device__ bool isUsual(int round) const {
    return isWhole && accessBytes(all.out, all.outStride) == 16 &&
           (blocks & (blocks - 1)) == 0 && d == blocks * columnsOfBlock() &&
           accessBytes(all.gateHidden, 0) == 16 &&
           accessBytes(all.upHidden, 0) == 16 && tileOf(round).adapter >= 0 &&
           gateB(round).isUsual() && upB(round).isUsual();
  }

  __device__ Weights<E, Steps> gateB(int round) const {
    return {all, all.gateB, all.ranks, max(tileOf(round).adapter, 0)};
  }
  __device__ Weights<E, Steps> upB(int round) const {
    return {all, all.upB, all.ranks ? all.ranks + all.ranksStride : nullptr,
            max(tileOf(round).adapter, 0)};
  }

  template <bool Usual>
  __device__ void run(const typename Gate::Parameters &parameters, int round,
                      int next) {
    const bool hasLora = Usual || tileOf(round).adapter >= 0;
    int row[kOwn]; // -1 where there is no token.
#pragma unroll
    for (int r = 0; r < kOwn; ++r)
      row[r] = tileOf(round).row[tokenOf(r)];
    Terms terms[kTiles];
    StripWeights<E, Steps> weights;
    Moments moments[kOwn];
    float count = 0;
#pragma unroll
    for (int r = 0; r < kOwn; ++r)
      moments[r] = {0, 0};
    {
      const Weights<E, Steps> source = gateB(round);
      loadLora<Usual>(hasLora, source, all.gateHidden, row, terms, weights);
      expandStrips<Usual>(hasLora, source, terms, weights, 0, round,
                          [&](int strip, int r, const Vector &gate) {
                            storePlace(gatePlace(strip, r), gate);
                            // All of a thread's tokens have as many columns.
                            float size = count;
                            mergeVector<E>(moments[r], size, gate,
                                           Usual ? kPerVector : left(strip));
                            if (r == kOwn - 1)
                              count = size;
                          });
    }
    const Weights<E, Steps> source = upB(round);
    loadLora<Usual>(hasLora, source, all.upHidden, row, terms, weights);
    publish<Usual>(moments, count, round);
    if (warp == 0)
      findTile(all, next, shared.tiles[(round + 1) % 2]);
    awaitCutoffs<Usual>(parameters, round);
    float cutoff[kOwn];
#pragma unroll
    for (int r = 0; r < kOwn; ++r)
      cutoff[r] = shared.cutoff[tokenOf(r)];
    const int outBytes = Usual ? 16 : accessBytes(all.out, all.outStride);
    expandStrips<Usual>(
        hasLora, source, terms, weights, strips, round,
        [&](int strip, int r, const Vector &up) {
          const int count = Usual ? kPerVector : left(strip);
          if (row[r] >= 0 && count > 0)
            Row<E>{all.out + row[r] * all.outStride, outBytes}.store(
                column(strip), count,
                Gate::apply(loadPlace(gatePlace(strip, r)), up, cutoff[r]));
        });
  }

  /// Which of the tile's tokens this thread's `r`-th is.
  __device__ int tokenOf(int r) const {
    return 16 * (r / 2) + 8 * (r % 2) + lane / 4;
  }
  __device__ int columnsOfBlock() const { return kWarps * strips * kStrip; }
  /// This thread's first column of a strip, and how many there are from it on.
  __device__ int column(int strip) const {
    return first + strip * kStrip + lane % 4 * kPerVector;
  }
  __device__ int left(int strip) const { return d - column(strip); }

  __device__ uint32_t gatePlace(int strip, int r) const {
    return gatePlaces + strip * kStripBytes + r * 512;
  }
  __device__ uint32_t upPlace(int strip, int r) const {
    return upPlaces + strip % Ahead * kStripBytes + r * 512;
  }
  static __device__ Vector loadPlace(uint32_t at) {
    Vector v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.words[0]), "=r"(v.words[1]), "=r"(v.words[2]),
                   "=r"(v.words[3])
                 : "r"(at)
                 : "memory");
    return v;
  }
  static __device__ void storePlace(uint32_t at, const Vector &v) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at),
                 "r"(v.words[0]), "r"(v.words[1]), "r"(v.words[2]),
                 "r"(v.words[3])
                 : "memory");
  }

  /// Asks for the block's rows of the first tile's B in L2.
  __device__ void askForWeights() const {
    constexpr int kLine = 128 / (16 * Steps * sizeof(E)); // Rows of B.
    const int begin = clusterRank() * columnsOfBlock();
    for (int i = threadIdx.x * kLine; i < columnsOfBlock();
         i += kThreads * kLine) {
      gateB(0).prefetch(begin + i);
      upB(0).prefetch(begin + i);
    }
  }

  /// The rows of a tile, of which copies come next.
  __device__ void findSources(int round) {
#pragma unroll
    for (int r = 0; r < kOwn; ++r) {
      const int row = tileOf(round).row[tokenOf(r)];
      exists[r] = row >= 0;
      from[r] = all.gate + row * all.yStride + column(0);
    }
  }

  /// Items are the strips of the gate, those of up, and those of the next
  /// round's gate, copied in order. Ends a group of copies, also where there is
  /// nothing left, so that strips can be counted.
  template <bool Usual> __device__ void copyItem(int item, int round) {
    if (item == strips)
#pragma unroll
      for (const E *&at : from)
        at += all.up - all.gate - strips * kStrip;
    if (item == 2 * strips)
      findSources(round + 1);
    const bool isUp = item >= strips && item < 2 * strips;
    const int strip = item - (item < strips ? 0 : isUp ? strips : 2 * strips);
    if (Usual || left(strip) > 0) {
      const uint32_t to = isUp ? upPlace(strip, 0) : gatePlace(strip, 0);
#pragma unroll
      for (int r = 0; r < kOwn; ++r)
        if (exists[r]) {
          if (Usual ||
              __builtin_expect(isWhole && left(strip) >= kPerVector, 1))
            asm volatile(
                "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + r * 512),
                "l"(from[r])
                : "memory");
          else
            storePlace(to + r * 512,
                       loadOneByOne(from[r], min(left(strip), kPerVector)));
        }
    }
#pragma unroll
    for (const E *&at : from)
      at += kStrip;
    asm volatile("cp.async.commit_group;" ::: "memory");
  }

  /// The tokens' rank vectors, and the first strip of B.
  template <bool Usual>
  __device__ void loadLora(bool hasLora, const Weights<E, Steps> &source,
                           const float *hidden, const int (&row)[kOwn],
                           Terms (&terms)[kTiles],
                           StripWeights<E, Steps> &weights) {
    if (!hasLora)
      return;
    weights = source.template load<Usual>(first);
#pragma unroll
    for (int m = 0; m < kTiles; ++m)
      terms[m].template load<Usual>(
          hidden, static_cast<int>(all.rank), {row[2 * m], row[2 * m + 1]},
          Usual ? 16 * Steps : source.rankOfAdapter());
  }

  /// Calls `body` with each vector of the projection's strips, the first of
  /// which is item `base`: its strip, token, and what its LoRA made of it.
  /// `weights` is the first strip of B.
  template <bool Usual, class Body>
  __device__ void expandStrips(bool hasLora, const Weights<E, Steps> &source,
                               const Terms (&terms)[kTiles],
                               StripWeights<E, Steps> &weights, int base,
                               int round, Body body) {
#pragma unroll 1
    for (int strip = 0; strip < strips; ++strip) {
      asm volatile("cp.async.wait_group %0;" ::"n"(Ahead - 1) : "memory");
#pragma unroll
      for (int m = 0; m < kTiles; ++m) {
        typename Terms::Sums sums;
        if (hasLora)
          terms[m].multiply(weights, sums);
        if (m == kTiles - 1 && hasLora && strip + 1 < strips)
          weights = source.template load<Usual>(first + (strip + 1) * kStrip);
#pragma unroll
        for (int r = 2 * m; r < 2 * m + 2; ++r) {
          Vector v =
              loadPlace(base == 0 ? gatePlace(strip, r) : upPlace(strip, r));
          if (hasLora)
            v = addLora<E>(v, sums, r % 2);
          body(strip, r, v);
        }
      }
      copyItem<Usual>(base + strip + Ahead, round);
    }
  }

  /// Sends the block's parts of its tokens' moments to all blocks.
  template <bool Usual>
  __device__ void publish(const Moments (&own)[kOwn], float count, int round) {
#pragma unroll
    for (int r = 0; r < kOwn; ++r) {
      Moments merged = own[r];
      float size = count;
#pragma unroll
      for (int bit = 1; bit < 4; bit *= 2) {
        if constexpr (Usual) {
          merged = mergeLane(merged, bit, 0.5f, size * 0.5f);
          size *= 2;
          continue;
        }
        const Moments other = {__shfl_xor_sync(~0u, merged.mean, bit),
                               __shfl_xor_sync(~0u, merged.m2, bit)};
        const float otherSize = __shfl_xor_sync(~0u, size, bit);
        merged = mergeSome(merged, size, other, otherSize);
        size += otherSize;
      }
      if (lane % 4 == 0) {
        shared.mean[warp][tokenOf(r)] = merged.mean;
        shared.m2[warp][tokenOf(r)] = merged.m2;
      }
    }
    if (round == 0)
      clusterWait();
    __syncthreads();
    const int token = threadIdx.x % Tokens;
    const Moments merged = mergeWarps<Usual>(token);
    for (int block = threadIdx.x / Tokens; block < blocks;
         block += kThreads / Tokens)
      storeInBlock(
          block, sharedAddress(&shared.inbox[round % 2][token][clusterRank()]),
          make_float2(merged.mean, merged.m2),
          sharedAddress(&shared.arrived[round % 2]));
  }

  /// The block's part of a row. About the mean of the warps' means, so that no
  /// warp's part waits for another's.
  template <bool Usual> __device__ Moments mergeWarps(int token) const {
    const int begin = clusterRank() * columnsOfBlock();
    const float inverse =
        reciprocalOfNormal(max(columnsFrom(begin, columnsOfBlock()), 1.0f));
    const float usual = static_cast<float>(strips * kStrip);
    float mean = 0, m2 = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w)
      mean = fmaf(Usual ? 1.0f / kWarps : columnsOfWarp(w) * inverse,
                  shared.mean[w][token], mean);
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      const float deviation = shared.mean[w][token] - mean;
      m2 += fmaf((Usual ? usual : columnsOfWarp(w)) * deviation, deviation,
                 shared.m2[w][token]);
    }
    return {mean, m2};
  }

  /// Merges the blocks' parts, 16 threads a token.
  template <bool Usual>
  __device__ void awaitCutoffs(const typename Gate::Parameters &parameters,
                               int round) {
    const int block = threadIdx.x % kMostBlocks;
    const float columns =
        block < blocks ? columnsFrom(block * columnsOfBlock(), columnsOfBlock())
                       : 0.0f;
    LaneMerge lanes;
    if constexpr (Usual)
      lanes.setEqual(columns);
    else
      lanes.setNearly(columns);
    const uint32_t arrived = sharedAddress(&shared.arrived[round % 2]);
    barrierWait(arrived, round / 2 % 2);
    // Nobody sends for the round after next before this block sends for the
    // next one.
    if (threadIdx.x == 0)
      expectParts(arrived);
#pragma unroll
    for (int base = 0; base < Tokens; base += kThreads / kMostBlocks) {
      const int token = base + threadIdx.x / kMostBlocks;
      Moments own = {0, 0};
      if (block < blocks)
        own = {shared.inbox[round % 2][token][block].x,
               shared.inbox[round % 2][token][block].y};
      own = lanes(own, Usual ? blocks : kMostBlocks);
      if (block == 0)
        shared.cutoff[token] =
            Gate::cutoff(own, static_cast<float>(d), parameters);
    }
    __syncthreads();
  }

  /// As merge, where either may be of nothing.
  static __device__ Moments mergeSome(const Moments &a, float aCount,
                                      const Moments &b, float bCount) {
    return bCount > 0 ? merge(a, aCount, b, bCount) : a;
  }

  /// Of `most` columns from `begin` on, those that there are.
  __device__ float columnsFrom(int begin, int most) const {
    return static_cast<float>(max(min(d - begin, most), 0));
  }

  __device__ float columnsOfWarp(int w) const {
    return columnsFrom(clusterRank() * columnsOfBlock() + w * strips * kStrip,
                       strips * kStrip);
  }

  const Operands<E> &all;
  OwnShared &shared;
  int d, blocks;
  int strips; ///< Of a warp.
  int lane, warp;
  int first; ///< The warp's first column.
  uint32_t gatePlaces, upPlaces;
  bool isWhole;        ///< Whether all vectors are aligned.
  bool exists[kOwn];   ///< Whether there is a token to copy.
  const E *from[kOwn]; ///< What is copied next.
};

/// Dynamic shared memory: kWarps * (strips + Ahead) strips of 32 * Tokens
/// elements, for strips = max(Ahead, ceildiv(d, 32 * kWarps * blocks of a
/// cluster)).
template <class Gate, int Tokens, int Steps, int Ahead>
__device__ void kernel(const Operands<typename Gate::E> &all,
                       const typename Gate::Parameters &parameters) {
  extern __shared__ Vector dynamicShared[];
  __shared__ Shared<Tokens> shared;
  using OwnBlock = Block<Gate, Tokens, Steps, Ahead>;
  OwnBlock::initBarriers(shared);
  const TileShare share(all, Tokens);
  const bool isLate = all.flags & kHiddenLate;
  if (!isLate)
    waitForEarlierKernels();
  int index = share.first;
  if (threadIdx.x < 32)
    findTile(all, index, shared.tiles[0]);
  __syncthreads();
  const bool hasTile = shared.tiles[0].count > 0;
  OwnBlock block(all, shared, sharedAddress(dynamicShared));
  if (hasTile)
    block.start();
  if (isLate)
    waitForEarlierKernels();
  if (!hasTile) {
    clusterWait();
    return;
  }
  for (int round = 0; shared.tiles[round % 2].count > 0; ++round) {
    index += share.step;
    block.run(parameters, round, index);
  }
}

#endif // FRIT_HAS_CLUSTERS

} // namespace frit::loraactivation

/// frit_lora_gelu_and_mul_sparse<TOKENS>_<RANKS>_<TYPE>: tiles of TOKENS
/// tokens, ranks to 16 * STEPS, RESIDENT blocks on a multiprocessor.
#define FRIT_LORA_ACTIVATION_KERNEL(NAME, GATE, TOKENS, STEPS, AHEAD,          \
                                    RESIDENT)                                  \
  extern "C" __global__ void __launch_bounds__(frit::loraactivation::kThreads, \
                                               RESIDENT)                       \
      NAME(const GATE::E *gate, const GATE::E *up, GATE::E *out,               \
           const GATE::E *gateB, const GATE::E *upB, const float *gateHidden,  \
           const float *upHidden, const int32_t *order, const int32_t *starts, \
           const int32_t *ranks, int64_t tokens, int64_t d, int64_t rank,      \
           int64_t adapters, int64_t yStride, int64_t outStride,               \
           int64_t ranksStride, int32_t flags, float stdMultiplier,            \
           int32_t correction) {                                               \
    frit::loraactivation::kernel<GATE, TOKENS, STEPS, AHEAD>(                  \
        {gate, up, out, gateB, upB, gateHidden, upHidden, order, starts,       \
         ranks, tokens, d, rank, adapters, yStride, outStride, ranksStride,    \
         flags},                                                               \
        {stdMultiplier, correction});                                          \
  }

#endif // FRIT_KERNELS_LORAACTIVATION_KERNEL_CUH
