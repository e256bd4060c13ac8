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

#include "Common/Launch.cuh"
#include "Expand.cuh"
#include "Prefetch.cuh"

namespace frit::lora {

/// Rank tiles of 16 that a warp accumulates at once.
template <int TokenTiles>
inline constexpr int kRankTiles = TokenTiles > 2 ? 2 : 4;

/// The sums of all true ranks, `RankTiles` tiles at a time.
template <bool Vectors, int RankTiles, class X, class W, int TokenTiles>
__device__ __forceinline__ void
shrink(const Arguments<X, W> &args, const Tile<X, W, 8 * TokenTiles> &tile,
       const SharedLayout &shared, const Mailbox &mailbox, int first,
       int stride, int rank, int blocks) {
  const int ranks = roundedRank(tile.rank);
  for (int base = 0; base < ranks; base += 16 * RankTiles) {
    float sums[RankTiles][TokenTiles][4];
    shrinkRanks<Vectors, X, W, RankTiles, TokenTiles>(args, tile, base, first,
                                                      stride, sums);
    if (base > 0)
      __syncthreads();
    else if (blocks > 1)
      clusterWait(); // All blocks run, so their shared memory is there.
    sendShares(sums, shared, base, ranks, tile.count, mailbox, rank, blocks);
  }
}

/// Both halves, or the one that the flags ask for. `Depth` and `RankTiles` are
/// the ranks that a step of each half takes.
template <bool Vectors, int Depth, int RankTiles, class X, class W, int Tokens>
__device__ __forceinline__ void
computeTile(const Arguments<X, W> &args, const Tile<X, W, Tokens> &tile,
            const SharedLayout &shared, Mailbox &mailbox, int rank,
            int blocks) {
  constexpr int kTiles = Tokens / 8;
  // With few tokens and ranks there are registers for the second half's first
  // operands from the beginning: no load waits for another.
  constexpr bool kEarly = Vectors && Tokens == 8 && RankTiles == 1;
  const int first = rank * kWarps + static_cast<int>(threadIdx.x) / 32;
  const int stride = blocks * kWarps;
  const bool expands = !(args.flags & kShrinkOnly);
  const bool shrinks = !(args.flags & kExpandOnly) && tile.rank > 0;

  using Expands = Expander<X, W, kTiles, Vectors, Depth>;
  Expands expander(args, tile, first, stride);
  typename Expands::Rows y;
  typename Expands::Weights weights;
  typename Expands::Outputs next;
  expander.findRows(y);
  if (expands) {
    if constexpr (kEarly)
      expander.start(y, weights, next);
    else
      expander.prefetch(y);
  }
  if (shrinks) {
    if (blocks > 1) {
      if (threadIdx.x == 0)
        mailbox.expect(4 * blocks * tile.count * roundedRank(tile.rank));
      __syncwarp();
      clusterArrive();
    }
    shrink<Vectors, RankTiles, X, W, kTiles>(args, tile, shared, mailbox, first,
                                             stride, rank, blocks);
  }
  if (!kEarly && expands)
    expander.start(y, weights, next);
  if (shrinks)
    mailbox.wait();
  else
    __syncthreads();
  if (!expands) {
    writeHidden<kTiles>(args, tile, shared, rank, blocks);
    return;
  }
  keepTerms<kTiles>(args, tile, shared, blocks);
  __syncthreads();
  expander.run(shared, y, weights, next);
}

template <class X, class W, int Tokens>
__device__ __forceinline__ void runKernel(Arguments<X, W> args) {
  extern __shared__ __align__(16) char dynamicShared[];
  __shared__ Tile<X, W, Tokens> tile;
  __shared__ Mailbox mailbox;
  const int blocks = clusterBlocks(), rank = clusterRank();
  findTile(args, clusterIndex(), tile,
           [&] { askTile(args, tile, rank, blocks); });
  keepBehind(args.h);
  if (tile.count == 0)
    return;
  const SharedLayout shared(dynamicShared, args.rank, Tokens,
                            16 * kRankTiles<Tokens / 8>);
  // The usual case first: code that runs through lies together.
  if (__builtin_expect(tile.vectors, 1)) {
    if (__builtin_expect(tile.rank <= 16, 1))
      computeTile<true, 16, 1>(args, tile, shared, mailbox, rank, blocks);
    else
      computeTile<true, 32, kRankTiles<Tokens / 8>>(args, tile, shared, mailbox,
                                                    rank, blocks);
  } else {
    computeTile<false, 16, 2>(args, tile, shared, mailbox, rank, blocks);
  }
}

} // namespace frit::lora

/// Defines kernel `NAME` for tiles of TOKENS tokens.
#define FRIT_LORA_KERNEL(NAME, X, W, TOKENS)                                   \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads,           \
                                               FRIT_LORA_RESIDENT)             \
      NAME(FRIT_LORA_PARAMETERS(X, W)) {                                       \
    FRIT_LORA_SLICE(X, W);                                                     \
    frit::lora::runKernel<X, W, TOKENS>(arguments);                            \
  }

#endif // FRIT_KERNELS_LORA_KERNEL_CUH
