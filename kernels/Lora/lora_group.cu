//===- lora_group.cu -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups tokens by adapter, stably, in one cluster: each warp counts the ids of
// its own run of tokens, scans over warps and blocks make places of the counts,
// and the warps walk their runs again. Counts are kept in shared memory, one
// row a warp, while they fit; for more groups one block walks all tokens in
// turn, and `starts` itself holds the places.
//
//===----------------------------------------------------------------------===//

#include "Cluster.cuh"
#include "Common/Launch.cuh"

namespace {

using frit::lora::Mailbox;

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr uint32_t kAllLanes = 0xffffffffu;

/// The exclusive prefix sums of the values of `Width` neighbouring lanes;
/// `total` gets their sum.
template <int Width = 32> __device__ int warpScan(int value, int &total) {
  const int lane = static_cast<int>(threadIdx.x) % Width;
  int sum = value;
#pragma unroll
  for (int step = 1; step < Width; step *= 2) {
    const int other = __shfl_up_sync(kAllLanes, sum, step, Width);
    if (lane >= step)
      sum += other;
  }
  total = __shfl_sync(kAllLanes, sum, Width - 1, Width);
  return sum - value;
}

/// The group of a token: `groups` for one without an adapter, -1 beyond the
/// last token.
__device__ int groupOf(const int32_t *ids, int64_t token, int64_t tokens,
                       int groups) {
  if (token >= tokens)
    return -1;
  const int id = __ldg(ids + token);
  return id >= 0 && id < groups ? id : groups;
}

/// The lanes that hold the same group, of `bits` bits. A few votes: the match
/// instruction takes a turn for each distinct value.
__device__ uint32_t lanesOfSame(int group, int bits) {
  uint32_t same = kAllLanes;
  for (int bit = 0; bit < bits; ++bit) {
    const bool set = group >> bit & 1;
    const uint32_t vote = __ballot_sync(kAllLanes, set);
    same &= set ? vote : ~vote;
  }
  return same;
}

/// Rounds of 32 tokens whose ids are in flight together.
constexpr int kRounds = 8;

/// Some rounds of a warp's tokens: each lane's group, and the lanes of the
/// same.
struct Rounds {
  int group[kRounds];
  uint32_t same[kRounds];

  /// The tokens from `at` on, as far as `end`.
  __device__ void load(const int32_t *ids, int64_t at, int64_t end,
                       int groups) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    // One bit more than the groups need tells lanes beyond the end apart.
    const int bits = 33 - __clz(groups);
#pragma unroll
    for (int u = 0; u < kRounds; ++u)
      group[u] = groupOf(ids, at + 32 * u + lane, end, groups);
#pragma unroll
    for (int u = 0; u < kRounds; ++u)
      if (at + 32 * u < end)
        same[u] = lanesOfSame(group[u], bits);
  }
};

/// Lanes of `mask` before this one.
__device__ int lanesBefore(uint32_t mask) {
  return __popc(mask & ((1u << threadIdx.x % 32) - 1));
}

} // namespace

/// ids [tokens] -> order [tokens], starts [groups + 1]. One cluster of C <= 8
/// blocks of 512. Shared memory, with P = groups + 1 rounded up to four:
/// 4 * (16 * (groups + 1) + (C + 1) * P) bytes.
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    frit_lora_group(const int32_t *ids, int32_t *order, int32_t *starts,
                    int64_t tokens, int64_t groups64) {
  extern __shared__ __align__(16) int shared[];
  __shared__ Mailbox mailbox;
  __shared__ int sums[kWarps];
  frit::waitForEarlierKernels(ids);
  const int groups = static_cast<int>(groups64);
  const int bins = groups + 1, padded = (bins + 3) / 4 * 4;
  int *totals = shared;         // [padded], first for its alignment
  int *inbox = totals + padded; // [blocks][padded]
  const int blocks = frit::lora::clusterBlocks();
  const int rank = frit::lora::clusterRank();
  int *counts = inbox + blocks * padded; // [warps][bins]
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32, lane = thread % 32;

  if (blocks > 1) {
    if (thread == 0)
      mailbox.expect(4 * blocks * padded);
    __syncwarp();
    frit::lora::clusterArrive();
  }
  for (int at = thread; at < kWarps * bins; at += kThreads)
    counts[at] = 0;
  const int64_t step = static_cast<int64_t>(blocks) * kThreads;
  const int64_t run = (tokens + step - 1) / step * 32;
  const int64_t begin = min((rank * kWarps + warp) * run, tokens);
  const int64_t end = min(begin + run, tokens);
  int *own = counts + warp * bins;
  Rounds rounds;
  rounds.load(ids, begin, end, groups);
  __syncthreads();

  for (int64_t at = begin; at < end; at += 32 * kRounds) {
    if (at > begin)
      rounds.load(ids, at, end, groups);
#pragma unroll
    for (int u = 0; u < kRounds; ++u) {
      if (at + 32 * u < end && rounds.group[u] >= 0 &&
          lanesBefore(rounds.same[u]) == 0)
        own[rounds.group[u]] += __popc(rounds.same[u]);
      __syncwarp();
    }
  }
  __syncthreads();

  // Each warp turns the counts of some groups into offsets within the block's,
  // two groups at a time.
  constexpr int kAtOnce = 32 / kWarps;
  for (int first = kAtOnce * warp; first < padded; first += kAtOnce * kWarps) {
    const int g = first + lane / kWarps;
    int *count = counts + lane % kWarps * bins + g;
    int total;
    const int before = warpScan<kWarps>(g < bins ? *count : 0, total);
    if (g < bins)
      *count = before;
    if (lane % kWarps == 0)
      totals[g] = total;
  }
  __syncthreads();
  if (blocks > 1) {
    frit::lora::clusterWait();
    for (int at = thread; at < blocks * (padded / 4); at += kThreads) {
      const int block = at % blocks, g = at / blocks * 4;
      mailbox.send(reinterpret_cast<float *>(inbox + rank * padded + g), block,
                   *reinterpret_cast<const float4 *>(totals + g));
    }
    mailbox.wait();
    __syncthreads(); // Before `totals` becomes something else.
  } else {
    inbox = totals;
  }
  // The starts of all groups, and of this block's part of each.
  int carry = 0;
  for (int base = 0; base < bins; base += kThreads) {
    const int g = base + thread;
    int all = 0, earlier = 0;
    if (g < bins)
#pragma unroll 8
      for (int block = 0; block < blocks; ++block) {
        const int count = inbox[block * padded + g];
        all += count;
        earlier += block < rank ? count : 0;
      }
    int total;
    int before = carry + warpScan(all, total);
    if (lane == 0)
      sums[warp] = total;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      before += w < warp ? sums[w] : 0;
      carry += sums[w];
    }
    if (g < bins) {
      totals[g] = before + earlier;
      if (rank == 0)
        starts[g] = before;
    }
    __syncthreads();
  }

  for (int64_t at = begin; at < end; at += 32 * kRounds) {
    if (run > 32 * kRounds)
      rounds.load(ids, at, end, groups);
#pragma unroll
    for (int u = 0; u < kRounds; ++u) {
      if (at + 32 * u >= end)
        break;
      const int group = rounds.group[u];
      const int before = lanesBefore(rounds.same[u]);
      int place = 0;
      if (group >= 0) {
        place = own[group];
        order[totals[group] + place + before] =
            static_cast<int>(at + 32 * u + lane);
      }
      __syncwarp();
      if (group >= 0 && before == 0)
        own[group] = place + __popc(rounds.same[u]);
      __syncwarp();
    }
  }
}

/// The same for any number of groups, slower. Grid 1, block 512.
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    frit_lora_group_many(const int32_t *ids, int32_t *order, int32_t *starts,
                         int64_t tokens, int64_t groups64) {
  __shared__ int sums[kWarps];
  frit::waitForEarlierKernels(ids);
  const int groups = static_cast<int>(groups64);
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32, lane = thread % 32;

  // starts[g + 1] counts group g, then holds the next place in it, and so ends
  // as the start of group g + 1.
  for (int64_t g = thread; g <= groups; g += kThreads)
    starts[g] = 0;
  __syncthreads();
  for (int64_t token = thread; token < tokens; token += kThreads) {
    const int group = groupOf(ids, token, tokens, groups);
    if (group < groups)
      atomicAdd(starts + group + 1, 1);
  }
  __syncthreads();
  int carry = 0;
  for (int64_t base = 0; base < groups; base += kThreads) {
    const int64_t g = base + thread;
    int total;
    int before = carry + warpScan(g < groups ? starts[g + 1] : 0, total);
    if (lane == 0)
      sums[warp] = total;
    __syncthreads();
    for (int w = 0; w < kWarps; ++w) {
      before += w < warp ? sums[w] : 0;
      carry += sums[w];
    }
    if (g < groups)
      starts[g + 1] = before;
    __syncthreads();
  }

  // Stability needs the tokens in order: one warp places all.
  if (warp != 0)
    return;
  int rest = carry;
  volatile int32_t *next = starts + 1;
  Rounds rounds;
  for (int64_t at = 0; at < tokens; at += 32 * kRounds) {
    rounds.load(ids, at, tokens, groups);
#pragma unroll
    for (int u = 0; u < kRounds; ++u) {
      if (at + 32 * u >= tokens)
        break;
      const int group = rounds.group[u];
      const int before = lanesBefore(rounds.same[u]);
      const bool placed = group >= 0 && group < groups;
      const int place = placed ? next[group] : rest;
      if (group >= 0)
        order[place + before] = static_cast<int>(at + 32 * u + lane);
      __syncwarp();
      if (placed && before == 0)
        next[group] = place + __popc(rounds.same[u]);
      rest += __popc(__ballot_sync(kAllLanes, group == groups));
      __syncwarp();
    }
  }
}
