//===- Exchange.cuh --------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The merge of a row's moments over the warps of a block or of a whole cluster:
// every warp publishes its part, and later merges the parts of all; all warps
// of all blocks end with the same bits. In a cluster each warp pushes its part
// into every block, where it completes on a barrier in shared memory, so that a
// block waits for the parts alone and not for the others to come to the same
// place.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_COMMON_EXCHANGE_CUH
#define FRIT_KERNELS_COMMON_EXCHANGE_CUH

#include "Common/Barrier.cuh"
#include "Common/Moments.cuh"
#include "Common/RowDeal.cuh"

#include <type_traits>

namespace frit {

/// Who takes part, and how they wait for the parts: the whole block with its
/// barrier, some warps of a block with a barrier in shared memory, or a
/// cluster.
enum class Meet { Block, Warps, Cluster };

/// Where the parts of a row arrive. Rows take the rounds in turn, so that a
/// fast warp cannot overwrite what a slow one still reads: two rounds are
/// enough where a warp merges a row before it publishes the next.
template <int kPartCount, int kRoundCount> struct ExchangeBuffer {
  static constexpr int kParts = kPartCount;
  static constexpr int kRounds = kRoundCount;
  float2 parts[kRounds][kParts];
  uint64_t arrived[kRounds];
};

template <Meet kMeet, int kParts, int kRounds> class Exchange {
public:
  /// `threads` of the block, full warps from thread 0 on, take part. Starts the
  /// barriers of a cluster, after which `awaitBlocks` must come before the
  /// first part; those of `Meet::Warps` are the caller's, one arrival a warp.
  __device__ Exchange(ExchangeBuffer<kParts, kRounds> &buffer, int threads)
      : buffer(buffer), lane(threadIdx.x % 32), parts(threads / 32),
        ownPart(threadIdx.x / 32) {
#if FRIT_HAS_CLUSTERS
    if constexpr (kMeet == Meet::Cluster) {
      ownPart += clusterRank() * parts;
      parts *= clusterSize();
      if (threadIdx.x == 0) {
        for (uint64_t &barrier : buffer.arrived)
          barrierInit(sharedAddress(&barrier), 1);
        barrierInitFence();
      }
      clusterArrive();
    }
#endif
  }

  __device__ void awaitBlocks() const {
#if FRIT_HAS_CLUSTERS
    if constexpr (kMeet == Meet::Cluster)
      clusterWait();
#endif
  }

  /// Computes the weights of the merge, which depend on the deal alone.
  template <typename E, typename Index>
  __device__ void prepare(const RowDeal<E, Index> &deal) {
    if (deal.isEven() && (parts & (parts - 1)) == 0) {
      float count = deal.count(0, 32);
      lanes.setEqual(parts > 32 ? count * (parts / 32) : count);
      return;
    }
    // The row waits for this.
    if constexpr (kMeet != Meet::Warps)
      if (deal.isEven() && parts <= 32) {
        lanes.setEqual(deal.count(0, 32), parts);
        return;
      }
    float count = 0;
    for (int part = lane; part < parts; part += 32)
      count += deal.count(part * 32, 32);
    lanes.setNearly(count);
  }

  /// Publishes the part that lane 0 of this warp brings; `row` counts the rows.
  __device__ void publish(Moments part, uint32_t row) {
    const uint32_t round = row % kRounds;
    float2 *own = &buffer.parts[round][ownPart];
#if FRIT_HAS_CLUSTERS
    const uint32_t arrived = sharedAddress(&buffer.arrived[round]);
    if constexpr (kMeet == Meet::Cluster) {
      float mean = __shfl_sync(~0u, part.mean, 0);
      float m2 = __shfl_sync(~0u, part.m2, 0);
      if (threadIdx.x == 0)
        barrierExpect(arrived, parts * sizeof(float2));
      if (lane < clusterSize())
        storeInBlock(lane, sharedAddress(own), make_float2(mean, m2), arrived);
      return;
    }
#endif
    if (lane != 0)
      return;
    *own = make_float2(part.mean, part.m2);
#if FRIT_HAS_CLUSTERS
    if constexpr (kMeet == Meet::Warps)
      barrierArrive(arrived);
#endif
  }

  /// Waits for the parts of a row; lane 0 of every warp receives its moments.
  template <typename E, typename Index>
  __device__ Moments merged(const RowDeal<E, Index> &deal, uint32_t row) {
    const uint32_t round = row % kRounds;
    if constexpr (kMeet == Meet::Block || !FRIT_HAS_CLUSTERS)
      __syncthreads();
#if FRIT_HAS_CLUSTERS
    else
      barrierWait(sharedAddress(&buffer.arrived[round]), row / kRounds % 2);
#endif
    const float2 *here = buffer.parts[round];
    Moments own = {0, 0};
    if (lane < parts)
      own = {here[lane].x, here[lane].y};
    // A block has no more than 32 warps.
    if (kMeet == Meet::Cluster && parts > 32) {
      float count = deal.count(lane * 32, 32);
      for (int other = lane + 32; other < parts; other += 32) {
        float otherCount = deal.count(other * 32, 32);
        own = merge(own, count, {here[other].x, here[other].y}, otherCount);
        count += otherCount;
      }
    }
    return lanes(own, parts);
  }

private:
  ExchangeBuffer<kParts, kRounds> &buffer;
  /// Long-lived where rows follow one another through the same threads.
  std::conditional_t<kMeet == Meet::Warps, SlimLaneMerge, LaneMerge> lanes;
  int lane;
  int parts;
  int ownPart;
};

} // namespace frit

#endif // FRIT_KERNELS_COMMON_EXCHANGE_CUH
