//===- Exchange.cuh --------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The merge of a row's moments over the warps of a block or of a whole cluster;
// every warp of every block ends with the same bits. Within a block the parts go
// through shared memory and one barrier. Within a cluster each warp pushes its
// part into every block, where it completes on a barrier in shared memory: a block
// waits for the parts alone, not for the others to come to the same place.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_COMMON_EXCHANGE_CUH
#define FRIT_KERNELS_COMMON_EXCHANGE_CUH

#include "Common/Barrier.cuh"
#include "Common/Moments.cuh"
#include "Common/RowDeal.cuh"

namespace frit {

/// Where the parts of a row arrive. Rows alternate between `kRounds` places, so
/// that a fast warp cannot overwrite what a slow one still reads.
template <int kPartCount, int kRoundCount> struct ExchangeBuffer {
  static constexpr int kParts = kPartCount;
  static constexpr int kRounds = kRoundCount;
  float2 parts[kRounds][kParts];
  uint64_t arrived[kRounds];
};

template <bool kCluster, int kParts, int kRounds> class Exchange {
public:
  /// `threads` of the block, full warps from thread 0 on, take part. Starts the
  /// barriers of a cluster; `awaitBlocks` comes before the first exchange.
  __device__ Exchange(ExchangeBuffer<kParts, kRounds> &buffer, int threads)
      : buffer(buffer), lane(threadIdx.x % 32), parts(threads / 32),
        ownPart(threadIdx.x / 32) {
#if FRIT_HAS_CLUSTERS
    if constexpr (kCluster) {
      ownPart += clusterRank() * parts;
      parts *= clusterSize();
      if (threadIdx.x == 0) {
        for (uint64_t &barrier : buffer.arrived)
          barrierInit(&barrier, 1);
        barrierInitFence();
      }
      clusterArrive();
    }
#endif
  }

  __device__ void awaitBlocks() const {
#if FRIT_HAS_CLUSTERS
    if constexpr (kCluster)
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
    float count = 0;
    for (int part = lane; part < parts; part += 32)
      count += deal.count(part * 32, 32);
    lanes.set(count);
  }

  /// Merges the parts that the lanes 0 of all warps bring; lane 0 of every warp
  /// receives the row's moments. `row` counts the rows that this block has
  /// merged; `meet` is a barrier of the threads that take part.
  template <typename E, typename Index, typename Meet>
  __device__ Moments operator()(Moments part, const RowDeal<E, Index> &deal,
                                uint32_t row, Meet meet) {
    if (parts == 1)
      return part;
    const uint32_t round = row % kRounds;
    float2 *here = buffer.parts[round];
#if FRIT_HAS_CLUSTERS
    if constexpr (kCluster) {
      float mean = __shfl_sync(~0u, part.mean, 0);
      float m2 = __shfl_sync(~0u, part.m2, 0);
      uint64_t *arrived = &buffer.arrived[round];
      if (threadIdx.x == 0)
        barrierExpect(arrived, parts * sizeof(float2));
      if (lane < clusterSize())
        storeInBlock(lane, here + ownPart, make_float2(mean, m2), arrived);
      barrierWait(arrived, row / kRounds % 2);
    } else
#endif
    {
      if (lane == 0)
        here[ownPart] = make_float2(part.mean, part.m2);
      meet();
    }
    Moments own = {0, 0};
    if (lane < parts)
      own = {here[lane].x, here[lane].y};
    if (parts > 32) {
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
  LaneMerge lanes;
  int lane;
  int parts;
  int ownPart;
};

} // namespace frit

#endif // FRIT_KERNELS_COMMON_EXCHANGE_CUH
