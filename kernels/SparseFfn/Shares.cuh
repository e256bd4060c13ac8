//===- Shares.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the blocks of a token find their shares of its active columns, which are
// listed in order. Either every block reads all columns, and the shares are
// equal: faster where few blocks find few columns each. Or groups of blocks
// have sections of the row, whose active columns each group divides evenly.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_SHARES_CUH
#define FRIT_KERNELS_SPARSEFFN_SHARES_CUH

#include "SparseFfn/Cutoff.cuh"

namespace frit::sparseffn {

/// Columns of a row, at most.
inline constexpr int kColumnsOfThread = 32;
inline constexpr int64_t kMostDealt = int64_t(kThreads) * kColumnsOfThread;

/// A block's share of all columns.
template <class E> class AllColumns {
  /// Columns that a lane looks at together, whose bits are a byte. The next
  /// ones are those of the next lane, so that a warp reads whole lines.
  static constexpr int kRun = 8;
  static constexpr int kRuns = kColumnsOfThread / kRun;
  static constexpr int kVectors = kRun / Element<E>::kPerVector;

public:
  /// Columns of a block, at most.
  static constexpr int kMost = 256;
  struct Shared {
    CutoffShared cutoff;
    int counts[kWarps]; ///< Of active columns.
    union {
      /// A bit for each column of each warp.
      alignas(4) uint8_t bits[kWarps][kRuns * 32];
      uint16_t column[kMost]; ///< The share, in order.
    };
  };

  __device__ AllColumns(const Operands<E> &all, Shared &shared)
      : all(all), shared(shared), d(static_cast<int>(all.d)),
        steps((d + kWarps * 32 * kRun - 1) / (kWarps * 32 * kRun)),
        first(warp() * steps * (32 * kRun)) {}

  /// Lists the columns. `awaitOthers` waits for what the block shall have
  /// before its next barrier.
  template <class Await> __device__ void find(Await awaitOthers) {
    cutoff = findCutoff(all, shared.cutoff, [&] { load(); }, awaitOthers);
    storeBits();
    __syncwarp();
    // Neighbouring columns, so that one count of each lane numbers them in
    // order.
    const int own = first + lane() * kColumnsOfThread;
    uint32_t active = loadBits(own);
    const int found = __popc(active);
    int last = found;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int other = __shfl_up_sync(~0u, last, step);
      if (lane() >= step)
        last += other;
    }
    if (lane() == 31)
      shared.counts[warp()] = last;
    __syncthreads();
    const int counted = lane() < kWarps ? shared.counts[lane()] : 0;
    const int total = __reduce_add_sync(~0u, counted);
    int number =
        __reduce_add_sync(~0u, lane() < warp() ? counted : 0) + last - found;

    const int blocks = static_cast<int>(gridDim.x);
    const int share = (total + blocks - 1) / blocks;
    const int begin = min(share * static_cast<int>(blockIdx.x), total);
    const int end = min(begin + share, total);
    // In the place of the bits, which all have read.
    if (number < end && number + found > begin)
      for (; active; active &= active - 1, ++number)
        if (number >= begin && number < end)
          shared.column[number - begin] =
              static_cast<uint16_t>(own + __ffs(active) - 1);
    __syncthreads();
    count = end - begin;
  }

private:
  /// Asks for the gate's values.
  __device__ void load() {
#pragma unroll
    for (int r = 0; r < kRuns; ++r) {
      const int column = first + (r * 32 + lane()) * kRun;
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        gate[r][v] = {{0, 0, 0, 0}};
        // Its rows are padded to whole runs.
        if (r < steps && column < d)
          gate[r][v] = *reinterpret_cast<const Vector *>(
              all.gate + column + v * Element<E>::kPerVector);
      }
    }
  }

  /// Stores the bits of this lane's runs.
  __device__ void storeBits() const {
    withRounding<E>(all.flags, [&](auto rounding) {
#pragma unroll
      for (int r = 0; r < kRuns; ++r) {
        if (r >= steps)
          break;
        uint32_t bits = 0;
#pragma unroll
        for (int v = 0; v < kVectors; ++v)
          bits |= rounding.findAbove(gate[r][v], cutoff)
                  << v * Element<E>::kPerVector;
        shared.bits[warp()][r * 32 + lane()] = static_cast<uint8_t>(bits);
      }
    });
  }

  /// The bits of the warp's columns from `own` on, which are this lane's.
  __device__ uint32_t loadBits(int own) const {
    const int left = lane() < steps * (32 / kRuns) ? d - own : 0;
    if (left <= 0)
      return 0;
    const uint32_t bits =
        reinterpret_cast<const uint32_t *>(shared.bits[warp()])[lane()];
    return left < kColumnsOfThread ? bits & ((1u << left) - 1) : bits;
  }

  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }
  static __device__ int warp() { return static_cast<int>(threadIdx.x) / 32; }

  const Operands<E> &all;
  Shared &shared;
  int d, steps;
  int first; ///< The warp's first column.
  Vector gate[kRuns][kVectors];

public:
  float cutoff = 0;
  int count = 0; ///< Of the columns.
};

/// Of a row.
inline constexpr int kSections = 16;

/// Columns of each section but the last ones, a multiple of 32 vectors.
template <class E> __device__ int sectionColumns(int64_t d) {
  constexpr int kStep = kSections * 32 * Element<E>::kPerVector;
  return static_cast<int>((d + kStep - 1) / kStep) * (kStep / kSections);
}

/// What the warps of a block tell each other.
struct ActiveShared {
  Part parts[1][kWarps];
  alignas(16) int counts[kWarps];
};

/// Of the columns of a range, by all threads: the warps divide it evenly.
template <class E> class ActiveColumns {
  static constexpr int kPerVector = Element<E>::kPerVector;
  static constexpr int kVectors = kColumnsOfThread / kPerVector;
  /// Counts of one vector each: a byte holds what comes before a lane.
  using Counts = std::conditional_t<(kVectors > 4), uint64_t, uint32_t>;

public:
  /// Asks for the columns [begin, end), the first of which begins a section.
  __device__ ActiveColumns(const Operands<E> &all, int begin, int end)
      : steps((end - begin + kWarps * 32 * kPerVector - 1) /
              (kWarps * 32 * kPerVector)),
        first(begin + (warp() * steps * 32 + lane()) * kPerVector), end(end) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v)
      if (v < steps && columnOf(v) < end)
        gate[v] = loadPastL1(all.gate + columnOf(v));
  }

  /// Finds those above the token's cutoff, which it returns; by all threads.
  /// What the warps merged of the moments is there.
  __device__ float find(const Operands<E> &all, ActiveShared &shared) {
    const float cutoff = cutoffOf(all, shared.parts[0]);
    withGate<E>(all.flags, [&](auto arithmetic) {
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        const int left = v < steps ? end - columnOf(v) : 0;
        if (left <= 0)
          continue;
        uint32_t bits = arithmetic.findAbove(gate[v], cutoff);
        if (left < kPerVector)
          bits &= (1u << left) - 1;
        active |= bits << v * kPerVector;
      }
    });
    Counts own = 0;
#pragma unroll
    for (int v = 0; v < kVectors; ++v)
      own |= static_cast<Counts>(__popc(bitsOf(v))) << 8 * v;
    before = __shfl_up_sync(~0u, own, 1);
    if (lane() == 0)
      before = 0;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const Counts other = __shfl_up_sync(~0u, before, step);
      if (lane() >= step)
        before += other;
    }
    const Counts lastBefore = __shfl_sync(~0u, before, 31);
    const Counts last = __shfl_sync(~0u, own, 31);
    int count = 0;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      vectorStart[v] = count;
      count += byteOf(lastBefore, v) + byteOf(last, v);
    }
    if (lane() == 0)
      shared.counts[warp()] = count;
    __syncthreads();
    const int4 *counts = reinterpret_cast<const int4 *>(shared.counts);
#pragma unroll
    for (int w = 0; w < kWarps; w += 4) {
      const int4 four = counts[w / 4];
      const int counted[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        start += w + i < warp() ? counted[i] : 0;
        total += counted[i];
      }
    }
    return cutoff;
  }

  /// How many there are.
  __device__ int count() const { return total; }
  /// Calls `body` with number and column of those of this thread whose number
  /// is in [begin, end).
  template <class Body>
  __device__ void forEach(int begin, int end, Body body) const {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      uint32_t bits = bitsOf(v);
      int number = start + vectorStart[v] + byteOf(before, v);
      for (; bits; bits &= bits - 1, ++number)
        if (number >= begin && number < end)
          body(number, columnOf(v) + __ffs(bits) - 1);
    }
  }

private:
  static __device__ Vector loadPastL1(const E *from) {
    const uint4 four = __ldcg(reinterpret_cast<const uint4 *>(from));
    return {{four.x, four.y, four.z, four.w}};
  }
  static __device__ int byteOf(Counts counts, int v) {
    return static_cast<int>(counts >> 8 * v & 0xff);
  }
  __device__ uint32_t bitsOf(int v) const {
    return active >> v * kPerVector & ((1u << kPerVector) - 1);
  }
  __device__ int columnOf(int v) const { return first + v * 32 * kPerVector; }

  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }
  static __device__ int warp() { return static_cast<int>(threadIdx.x) / 32; }

  int steps, first, end;
  Vector gate[kVectors];
  uint32_t active = 0;
  Counts before = 0; ///< Of the warp, in each vector of lanes before.
  int vectorStart[kVectors] = {};
  int start = 0, total = 0;
};

/// Blocks that share the columns of some sections evenly. There are 1, 2, 4, 8
/// or 16 such groups.
inline constexpr int kGroupBlocks = 16;

/// A block's share of the columns of its group.
template <class E> class GroupColumns {
public:
  /// Columns of a block, at most.
  static constexpr int kMost = kMostDealt / kGroupBlocks;
  struct Shared {
    ActiveShared active;
    uint16_t column[kMost];
  };

  __device__ GroupColumns(const Operands<E> &all, Shared &shared)
      : all(all), shared(shared),
        member(static_cast<int>(blockIdx.x) % kGroupBlocks),
        size(kSections * kGroupBlocks / static_cast<int>(gridDim.x) *
             sectionColumns<E>(all.d)),
        start(static_cast<int>(blockIdx.x) / kGroupBlocks * size) {}

  /// Lists the columns. `awaitOthers` waits for what the block shall have
  /// before its next barrier.
  template <class Await> __device__ void find(Await awaitOthers) {
    ActiveColumns<E> active(all, start,
                            min(start + size, static_cast<int>(all.d)));
    mergeParts<1>(all, shared.active.parts);
    awaitOthers();
    __syncthreads();
    cutoff = active.find(all, shared.active);
    const int share = (active.count() + kGroupBlocks - 1) / kGroupBlocks;
    const int begin = min(share * member, active.count());
    const int end = min(begin + share, active.count());
    active.forEach(begin, end, [&](int number, int column) {
      shared.column[number - begin] = static_cast<uint16_t>(column);
    });
    __syncthreads();
    count = end - begin;
  }

private:
  const Operands<E> &all;
  Shared &shared;
  int member, size, start;

public:
  float cutoff = 0;
  int count = 0; ///< Of the columns.
};

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_SHARES_CUH
