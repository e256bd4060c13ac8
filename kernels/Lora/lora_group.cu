//===- lora_group.cu -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups tokens by adapter, stably, in one block: each warp counts the ids of
// its own run of tokens, a scan makes places of the counts, and the warps walk
// their runs again. Counts are kept in shared memory, one row a warp, while
// they fit; beyond that the block walks all tokens in turn, and `starts` itself
// holds the places.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

namespace {

constexpr int kThreads = 1024;
constexpr int kWarps = kThreads / 32;
constexpr uint32_t kAllLanes = 0xffffffffu;

/// The exclusive prefix sum of a warp's values; `total` gets their sum.
__device__ int warpScan(int value, int &total) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int sum = value;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(kAllLanes, sum, step);
    if (lane >= step)
      sum += other;
  }
  total = __shfl_sync(kAllLanes, sum, 31);
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

/// Walks a warp's run [begin, end) of tokens, `kUnroll` rounds at a time, and
/// calls `visit(token, group, same)` with the lanes of the same group.
template <class Visit>
__device__ void walk(const int32_t *ids, int64_t begin, int64_t end,
                     int64_t tokens, int groups, Visit visit) {
  constexpr int kUnroll = 8;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int64_t at = begin; at < end; at += 32 * kUnroll) {
    int group[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int64_t token = at + 32 * u + lane;
      group[u] = groupOf(ids, token, min(end, tokens), groups);
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      if (at + 32 * u >= end)
        break;
      const uint32_t same = __match_any_sync(kAllLanes, group[u]);
      visit(at + 32 * u + lane, group[u], same);
    }
  }
}

/// Lanes of `mask` before this one.
__device__ int lanesBefore(uint32_t mask) {
  return __popc(mask & ((1u << threadIdx.x % 32) - 1));
}

} // namespace

/// ids [tokens] -> order [tokens], starts [groups + 1]. Grid 1, block 1024,
/// shared memory
/// 132 * (groups + 1) bytes.
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    frit_lora_group(const int32_t *ids, int32_t *order, int32_t *starts,
                    int64_t tokens, int64_t groups64) {
  extern __shared__ int counts[]; // [warps][groups + 1], then [groups + 1]
  const int groups = static_cast<int>(groups64);
  const int bins = groups + 1;
  int *totals = counts + kWarps * bins;
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32, lane = thread % 32;
  for (int at = thread; at < kWarps * bins; at += kThreads)
    counts[at] = 0;
  const int64_t run = (tokens + kThreads - 1) / kThreads * 32;
  const int64_t begin = warp * run;
  const int64_t end = min(begin + run, tokens);
  __syncthreads();

  int *own = counts + warp * bins;
  walk(ids, begin, end, tokens, groups,
       [&](int64_t, int group, uint32_t same) {
         if (group >= 0 && lanesBefore(same) == 0)
           own[group] += __popc(same);
         __syncwarp();
       });
  __syncthreads();

  // Each warp turns the counts of some groups into offsets within the group.
  for (int g = warp; g < bins; g += kWarps) {
    int total;
    const int before = warpScan(counts[lane * bins + g], total);
    counts[lane * bins + g] = before;
    if (lane == 0)
      totals[g] = total;
  }
  __syncthreads();
  if (warp == 0) {
    int sum = 0;
    for (int base = 0; base < bins; base += 32) {
      const int g = base + lane;
      int total;
      const int before =
          sum + warpScan(g < bins ? totals[g] : 0, total);
      if (g < bins) {
        totals[g] = before;
        starts[g] = before;
      }
      sum += total;
    }
  }
  __syncthreads();

  walk(ids, begin, end, tokens, groups,
       [&](int64_t token, int group, uint32_t same) {
         const int before = lanesBefore(same);
         int place = 0;
         if (group >= 0) {
           place = own[group];
           order[totals[group] + place + before] = static_cast<int>(token);
         }
         __syncwarp();
         if (group >= 0 && before == 0)
           own[group] = place + __popc(same);
         __syncwarp();
       });
}

/// The same for any number of groups, slower. Grid 1, block 1024.
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    frit_lora_group_many(const int32_t *ids, int32_t *order, int32_t *starts,
                         int64_t tokens, int64_t groups64) {
  __shared__ int sums[kWarps];
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
  walk(ids, 0, tokens, tokens, groups,
       [&](int64_t token, int group, uint32_t same) {
         const int before = lanesBefore(same);
         const bool placed = group >= 0 && group < groups;
         const int place = placed ? next[group] : rest;
         if (group >= 0)
           order[place + before] = static_cast<int>(token);
         __syncwarp();
         if (placed && before == 0)
           next[group] = place + __popc(same);
         rest += __popc(__ballot_sync(kAllLanes, group == groups));
         __syncwarp();
       });
}
