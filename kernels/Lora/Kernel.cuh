//===- Kernel.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A LoRA kernel: both halves for one tile of tokens and one slice in one
// cluster. Grid: (cluster size * tiles, slices).
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_KERNEL_CUH
#define FRIT_KERNELS_LORA_KERNEL_CUH

#include "Expand.cuh"

namespace frit::lora {

/// Rank tiles of 16 that a warp accumulates at once.
template <int TokenTiles>
inline constexpr int kRankTiles = TokenTiles > 2 ? 2 : 4;

/// The sums of all true ranks, `RankTiles` tiles at a time.
template <int RankTiles, class X, class W, int TokenTiles>
__device__ void shrink(const Arguments<X, W> &args,
                       const Tile<8 * TokenTiles> &tile,
                       const SharedLayout &shared, int first, int stride,
                       int rank, int blocks) {
  const int ranks = static_cast<int>((tile.rank + 15) / 16 * 16);
  for (int base = 0; base < ranks; base += 16 * RankTiles) {
    float sums[RankTiles][TokenTiles][4];
    shrinkRanks<X, W, RankTiles, TokenTiles>(args, tile, base, first, stride,
                                             sums);
    if (base > 0)
      __syncthreads();
    else if (blocks > 1)
      clusterWait(); // All blocks run, so their shared memory is there.
    pushShares(sums, shared, base, ranks, tile.count, rank, blocks);
  }
}

template <class X, class W, int Tokens>
__device__ void runKernel(const Arguments<X, W> &args) {
  constexpr int kTiles = Tokens / 8;
  constexpr int kMost = kRankTiles<kTiles>;
  extern __shared__ __align__(16) char dynamicShared[];
  __shared__ Tile<Tokens> tile;

  const int blocks = clusterBlocks(), rank = clusterRank();
  findTile(args, static_cast<int64_t>(blockIdx.x) / blocks, tile);
  if (tile.count == 0)
    return;
  const SharedLayout shared(dynamicShared, args.rank, Tokens, 16 * kMost);
  const int first = rank * kWarps + static_cast<int>(threadIdx.x) / 32;
  const int stride = blocks * kWarps;
  Expander<X, W, kTiles> expander(args, tile, first, stride);

  const bool shrinks = !(args.flags & kExpandOnly) && tile.rank > 0;
  if (shrinks) {
    if (blocks > 1)
      clusterArrive();
    if (kMost >= 1 && tile.rank <= 16)
      shrink<1, X, W, kTiles>(args, tile, shared, first, stride, rank, blocks);
    else if (kMost == 2 || tile.rank <= 32)
      shrink<2, X, W, kTiles>(args, tile, shared, first, stride, rank, blocks);
    else
      shrink<kMost, X, W, kTiles>(args, tile, shared, first, stride, rank,
                                  blocks);
    if (blocks > 1)
      clusterArrive();
    else
      __syncthreads();
  }
  if (!(args.flags & kShrinkOnly))
    expander.prefetch();
  if (shrinks && blocks > 1)
    clusterWait();
  if (args.flags & kShrinkOnly) {
    writeHidden<kTiles>(args, tile, shared, rank, blocks);
    return;
  }
  keepTerms<kTiles>(args, tile, shared, blocks);
  __syncthreads();
  expander.run(shared);
}

} // namespace frit::lora

/// Defines kernel `NAME` for tiles of TOKENS tokens.
#define FRIT_LORA_KERNEL(NAME, X, W, TOKENS)                                   \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads, 2)        \
      NAME(FRIT_LORA_PARAMETERS(X, W)) {                                       \
    FRIT_LORA_SLICE(X, W);                                                     \
    frit::lora::runKernel<X, W, TOKENS>(arguments);                            \
  }

#endif // FRIT_KERNELS_LORA_KERNEL_CUH
