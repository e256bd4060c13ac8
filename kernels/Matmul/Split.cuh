//===- Split.cuh -----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// k split over the blocks of a cluster: every block sends its sums of a tile to
// the block that owns the tile, which adds them in the blocks' order. Tile t of
// the cluster is owned by block t modulo the number of blocks.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_MATMUL_SPLIT_CUH
#define FRIT_KERNELS_MATMUL_SPLIT_CUH

#include "Matmul/Stream.cuh"

namespace frit::matmul {

/// Tiles of a cluster of more than one block.
inline constexpr int kMostSplitTiles = 8;

#if FRIT_HAS_CLUSTERS

/// The inbox has room for the sums of all blocks for every tile that a block
/// may own: ceildiv(kMostSplitTiles, blocks) * blocks tiles.
template <int Tokens> class Split {
  static constexpr int kSums = Tokens * kTileRows;

public:
  using Barriers = uint64_t[kMostSplitTiles];

  __device__ Split(Barriers &barriers, uint32_t inbox)
      : arrived(sharedAddress(barriers)), inbox(inbox), blocks(clusterSize()),
        rank(clusterRank()) {}

  /// By one thread; the cluster meets before the first sum is sent.
  __device__ void init() const {
    for (int i = 0; i < kMostSplitTiles; ++i)
      barrierInit(arrived + 8 * i, 1);
    for (int i = 0; i < kMostSplitTiles; ++i)
      barrierExpect(arrived + 8 * i, blocks * kSums * 4);
    barrierInitFence();
  }

  /// Thread i, of whole warps, brings sum i of the cluster's tile `tile`.
  __device__ void send(int tile, float sum) const {
    const float next = __shfl_down_sync(~0u, sum, 1);
    const int owned = tile / blocks;
    if (threadIdx.x % 2 == 0)
      storeInBlock(tile % blocks,
                   inbox + ((owned * blocks + rank) * kSums + threadIdx.x) * 4,
                   make_float2(sum, next), arrived + 8 * owned);
  }

  /// Thread i takes sum i of the `owned`-th tile of this block.
  __device__ float take(int owned) const {
    barrierWait(arrived + 8 * owned, 0);
    float sum = 0;
    for (int block = 0; block < blocks; ++block) {
      float share;
      asm volatile(
          "ld.shared.f32 %0, [%1];"
          : "=f"(share)
          : "r"(inbox + ((owned * blocks + block) * kSums + threadIdx.x) * 4)
          : "memory");
      sum = block == 0 ? share : __fadd_rn(sum, share);
    }
    return sum;
  }

  uint32_t arrived, inbox;
  int blocks, rank;
};

#endif // FRIT_HAS_CLUSTERS

} // namespace frit::matmul

#endif // FRIT_KERNELS_MATMUL_SPLIT_CUH
