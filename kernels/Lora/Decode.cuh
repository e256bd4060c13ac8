//===- Decode.cuh ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel for few tokens: a cluster a token, and nothing on the way that
// only larger batches need. What such a launch costs is the instructions of one
// warp and the trips to memory that wait for each other: the id, then A, then
// the exchange. x, y and, once the id is known, B are on their way meanwhile.
//
// A tile of the matrix unit has 16 ranks (then 16 columns of y) by 8 tokens, of
// which one is used.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_DECODE_CUH
#define FRIT_KERNELS_LORA_DECODE_CUH

#include "Common/Launch.cuh"
#include "Expand.cuh"

namespace frit::lora {

inline constexpr int kMostBlocks = 16;

/// Shared memory of a block; `Ranks` is the most that the kernel takes.
template <int Ranks> struct DecodeShared {
  Mailbox mailbox;
  alignas(16) float shares[kWarps][Ranks]; ///< Each warp's sums.
  alignas(16) float inbox[kMostBlocks][Ranks];
  alignas(16) __nv_bfloat16 terms[3][Ranks];
};

/// One token of one slice. `Depth` is how many ranks a step of the second half
/// takes, 16 or 32; `Steps` of them are all ranks.
template <class E, int Depth, int Steps, bool Vectors> class Decoder {
public:
  static constexpr int kRanks = Depth * Steps;
  static constexpr int kRankTiles = kRanks / 16;
  /// Neighbouring ranks of one thread in a step, and neighbouring columns.
  static constexpr int kOwnRanks = Depth / 4;
  static constexpr int kColumns = 4;
  static constexpr int kStrip = 8 * kColumns;
  /// Blocks of k whose loads are issued together.
  static constexpr int kAhead = kRankTiles == 1 ? 4 : 1;

  using Shared = DecodeShared<kRanks>;
  using Weights = Fragment<E, kOwnRanks>[Steps][kColumns];
  using Output = Fragment<E, kColumns>;

  __device__ __forceinline__ Decoder(const Arguments<E, E> &args, int token,
                                     int adapter, Shared &shared)
      : args(args), shared(shared), warp(static_cast<int>(threadIdx.x) / 32),
        group(static_cast<int>(threadIdx.x) % 32 / 4),
        quad(static_cast<int>(threadIdx.x) % 4), blocks(clusterBlocks()),
        block(clusterRank()), stride(blocks * kWarps),
        first(block * kWarps + warp), k(static_cast<int>(args.k)),
        n(static_cast<int>(args.n)), rankPitch(static_cast<int>(args.rank)),
        trueRank(args.ranks
                     ? max(min(__ldg(args.ranks + adapter), rankPitch), 0)
                     : rankPitch),
        scale(args.scales ? __fmul_rn(args.scale, __ldg(args.scales + adapter))
                          : args.scale),
        a(args.a + adapter * args.rank * args.k),
        b(args.b + adapter * args.rank * args.n),
        x(args.x + token * args.xStride), y(args.y + token * args.yStride) {}

  __device__ __forceinline__ void run() {
    Output old;
    Weights weights;
    if (blocks > 1) {
      if (threadIdx.x == 0)
        shared.mailbox.expect(static_cast<int>(sizeof(float)) * blocks *
                              kRanks);
      __syncwarp();
      clusterArrive();
    }
    shrink(old, weights);
    __syncthreads();
    sendSums();
    if (blocks > 1)
      shared.mailbox.wait();
    else
      __syncthreads();
    keepHidden();
    __syncthreads();
    expand(old, weights);
  }

private:
  /// This warp's sums of its blocks of k. The first operands of the second
  /// half are fetched between the first loads and their use.
  __device__ __forceinline__ void shrink(Output &old, Weights &weights) {
    const E *rows[kRankTiles][2];
#pragma unroll
    for (int i = 0; i < kRankTiles; ++i)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        // Another row where there is no such rank: its sum is never looked at.
        const int row = max(min(16 * i + 8 * h + group, trueRank - 1), 0);
        rows[i][h] = a + static_cast<int64_t>(row) * k + 8 * quad;
      }
    float sums[kRankTiles][4];
#pragma unroll
    for (int i = 0; i < kRankTiles; ++i)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        sums[i][e] = 0.0f;

    int at = first;
    bool begun = false;
    do {
      Fragment<E, 8> xs[kAhead], as[kAhead][kRankTiles][2];
#pragma unroll
      for (int u = 0; u < kAhead; ++u)
        loadBlock((at + u * stride) * kBlockK, rows, xs[u], as[u]);
      if (!begun) {
        loadOutput(first, old);
        loadWeights(first, weights);
        begun = true;
      }
#pragma unroll
      for (int u = 0; u < kAhead; ++u)
#pragma unroll
        for (int i = 0; i < kRankTiles; ++i)
#pragma unroll
          for (int w = 0; w < 4; w += 2)
            multiply<std::is_same_v<E, __half>>(
                sums[i], as[u][i][0].words[w], as[u][i][1].words[w],
                as[u][i][0].words[w + 1], as[u][i][1].words[w + 1],
                xs[u].words[w], xs[u].words[w + 1]);
      at += kAhead * stride;
    } while (at * kBlockK < k);

    if (quad == 0)
#pragma unroll
      for (int i = 0; i < kRankTiles; ++i) {
        shared.shares[warp][16 * i + group] = sums[i][0];
        shared.shares[warp][16 * i + 8 + group] = sums[i][2];
      }
  }

  /// The operands of one block of 32 k's, zero beyond the last k. Only the
  /// first token's column has an x.
  __device__ __forceinline__ void
  loadBlock(int begin, const E *const (&rows)[kRankTiles][2],
            Fragment<E, 8> &xs, Fragment<E, 8> (&as)[kRankTiles][2]) const {
    const int left = k - begin - 8 * quad;
    xs.clear();
    if (group == 0 && left > 0)
      xs = load<8>(x + begin + 8 * quad, left);
#pragma unroll
    for (int i = 0; i < kRankTiles; ++i)
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

  /// Adds the warps' sums and sends them to all blocks of the cluster. A thread
  /// takes four ranks for one receiver.
  __device__ __forceinline__ void sendSums() {
    if (blocks > 1)
      clusterWait(); // All blocks run, so their shared memory is there.
    constexpr int kPieces = kRanks / 4;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < blocks * kPieces;
         i += kThreads) {
      const int r = i % kPieces * 4, receiver = i / kPieces;
      float4 sum = *reinterpret_cast<const float4 *>(&shared.shares[0][r]);
#pragma unroll
      for (int w = 1; w < kWarps; ++w) {
        const float4 next =
            *reinterpret_cast<const float4 *>(&shared.shares[w][r]);
        sum.x = __fadd_rn(sum.x, next.x);
        sum.y = __fadd_rn(sum.y, next.y);
        sum.z = __fadd_rn(sum.z, next.z);
        sum.w = __fadd_rn(sum.w, next.w);
      }
      float *to = &shared.inbox[block][r];
      if (blocks > 1)
        shared.mailbox.send(to, receiver, sum);
      else
        *reinterpret_cast<float4 *>(to) = sum;
    }
  }

  /// The rank vector from all blocks' sums, as bf16 terms; zero beyond the true
  /// rank, whatever those hold.
  __device__ __forceinline__ void keepHidden() {
    const int r = static_cast<int>(threadIdx.x);
    if (r >= kRanks)
      return;
    float sum = shared.inbox[0][r];
    // The number of blocks is a power of two: loads of four are under way
    // before the first is added.
    int from = 1;
    if (blocks >= 4) {
#pragma unroll 1
      for (; from + 3 <= blocks; from += from == 1 ? 3 : 4) {
        const float v0 = shared.inbox[from][r], v1 = shared.inbox[from + 1][r],
                    v2 = shared.inbox[from + 2][r];
        sum = __fadd_rn(__fadd_rn(__fadd_rn(sum, v0), v1), v2);
        if (from > 1)
          sum = __fadd_rn(sum, shared.inbox[from + 3][r]);
      }
    } else if (blocks == 2) {
      sum = __fadd_rn(sum, shared.inbox[1][r]);
    }
    sum = hiddenValue<E>(args.flags, scale, sum);
    float parts[3];
    splitTerms(r < trueRank ? sum : 0.0f, parts);
#pragma unroll
    for (int t = 0; t < 3; ++t)
      shared.terms[t][r] = __ushort_as_bfloat16(
          static_cast<uint16_t>(__float_as_uint(parts[t]) >> 16));
  }

  /// Strips of columns, a warp each, from `first` on.
  __device__ __forceinline__ void expand(Output &old, Weights &weights) {
    const int terms = hiddenTerms<E>(args.flags);
    for (int strip = first; strip * kStrip < n; strip += stride) {
      float sums[2][4] = {};
#pragma unroll
      for (int s = 0; s < Steps; ++s)
#pragma unroll
        for (int d = 0; d < Depth / 16; ++d)
          multiplyRanks(weights[s], s, d, terms, sums);
      const Output before = old;
      if ((strip + stride) * kStrip < n) {
        loadOutput(strip + stride, old);
        loadWeights(strip + stride, weights);
      }
      if (quad == 0)
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
          &shared.terms[t][Depth * s + kOwnRanks * quad + 4 * d]);
      if (group != 0) // Columns of other tokens.
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

  /// This thread's columns of B in a strip: four rows, Depth / 4 ranks of each
  /// step, zero beyond the true rank. Rows beyond the last are another one.
  __device__ __forceinline__ void loadWeights(int strip,
                                              Weights &weights) const {
    const int column = strip * kStrip + kColumns * group;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      const E *row =
          b + static_cast<int64_t>(min(column + i, n - 1)) * rankPitch;
#pragma unroll
      for (int s = 0; s < Steps; ++s) {
        const int r = Depth * s + kOwnRanks * quad;
        weights[s][i].clear();
        if (r < trueRank) {
          weights[s][i] = load<kOwnRanks>(row + r, trueRank - r);
          if (Vectors && r + kOwnRanks > trueRank)
            weights[s][i].keep(trueRank - r);
        }
      }
    }
  }

  __device__ __forceinline__ void loadOutput(int strip, Output &old) const {
    const int column = strip * kStrip + kColumns * group;
    old.clear();
    if (!(args.flags & kAccumulate) || quad != 0 || column >= n)
      return;
    if constexpr (Vectors)
      old = loadWritten<E, kColumns>(y + column);
    else
      old = loadWrittenSome<E, kColumns>(y + column, n - column);
  }

  __device__ __forceinline__ void store(int strip, const Output &old,
                                        const float (&sums)[2][4]) const {
    const int column = strip * kStrip + kColumns * group;
    if (column >= n)
      return;
    float v[kColumns];
#pragma unroll
    for (int i = 0; i < kColumns; ++i)
      v[i] = finishOutput<E, E>(args.flags, scale, sums[i / 2][i % 2 * 2],
                                old.get(i));
    if constexpr (Vectors) {
      Output out;
#pragma unroll
      for (int i = 0; i < Output::kWords; ++i)
        out.words[i] = packPair<E>(v[2 * i], v[2 * i + 1]);
      storeVector(y + column, out);
    } else {
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        if (column + i < n)
          y[column + i] = fromFloat<E>(v[i]);
    }
  }

  const Arguments<E, E> &args;
  Shared &shared;
  const int warp, group, quad, blocks, block;
  const int stride, first; ///< Of blocks of k and of strips, in the cluster.
  const int k, n, rankPitch, trueRank;
  const float scale;
  const E *const a, *const b, *const x;
  E *const y;
};

/// Whether every access of neighbouring elements may be one vector.
template <int Ranks, class E>
__device__ __forceinline__ bool usesDecodeVectors(const Arguments<E, E> &args) {
  return args.k % 8 == 0 && args.n % 4 == 0 && args.rank % Ranks == 0 &&
         isAligned<8>(args.x, args.xStride) && isAligned<8>(args.a, args.k) &&
         isAligned<Ranks>(args.b, args.rank) &&
         isAligned<4>(args.y, args.yStride);
}

template <int Depth, int Steps, class E>
__device__ __forceinline__ void decode(const Arguments<E, E> &args) {
  __shared__ DecodeShared<Depth * Steps> shared;
  letNextKernelStart();
  int token = clusterIndex();
  waitForEarlierKernels(token);
  const int adapter = __ldg(args.ids + token);
  if (adapter < 0 || adapter >= args.adapters)
    return;
  if (__builtin_expect(usesDecodeVectors<Depth / 4>(args), 1))
    Decoder<E, Depth, Steps, true>(args, token, adapter, shared).run();
  else
    Decoder<E, Depth, Steps, false>(args, token, adapter, shared).run();
}

} // namespace frit::lora

/// Defines kernel `NAME` for ranks up to DEPTH * STEPS.
#define FRIT_LORA_DECODE_KERNEL(NAME, E, DEPTH, STEPS)                         \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads,           \
                                               FRIT_LORA_RESIDENT)             \
      NAME(FRIT_LORA_PARAMETERS(E, E)) {                                       \
    FRIT_LORA_SLICE(E, E);                                                     \
    frit::lora::decode<DEPTH, STEPS>(arguments);                               \
  }

#endif // FRIT_KERNELS_LORA_DECODE_CUH
