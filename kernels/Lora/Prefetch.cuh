//===- Prefetch.cuh -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block asks for before it may read it: while earlier kernels still run,
// the operands of a tile come to L2, which is where all blocks see what those
// kernels write. Ordinary prefetches of a line a thread: the copy engine takes
// the requests of a warp's threads one by one.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_PREFETCH_CUH
#define FRIT_KERNELS_LORA_PREFETCH_CUH

#include "Shrink.cuh"

namespace frit::lora {

/// Bytes of a line of the L2 cache.
inline constexpr int kLine = 128;
/// The most bytes that a slice asks for. Where there is more to do, memory is
/// busy with the kernel before.
inline constexpr int64_t kEarlyBytes = 12 << 20;

__device__ __forceinline__ void prefetchToL2(const void *at) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/// The lines of pieces first, first + step, ... below `pieces`, a warp a piece,
/// each `bytes` long and at `piece(i)`.
template <class Piece>
__device__ __forceinline__ void ask(int first, int step, int pieces, int bytes,
                                    Piece piece) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = first + step * warp; i < pieces; i += step * kWarps) {
    const char *from = reinterpret_cast<const char *>(piece(i));
    for (int at = lane * kLine; at < bytes; at += 32 * kLine)
      prefetchToL2(from + at);
  }
}

/// This block's part of what a tile needs: `count` tokens, whose rows are
/// `x(i)` and `y(i)`, and `rank` ranks of an adapter, which it shares with the
/// other tiles of its group.
template <class X, class W, class RowX, class RowY>
__device__ __forceinline__ void
askTile(const Arguments<X, W> &args, int adapter, int rank, int place,
        int tiles, int count, int block, int blocks, RowX x, RowY y) {
  const int64_t groups = min(args.tokens, args.adapters);
  if ((args.k + args.n) *
          (args.tokens * static_cast<int64_t>(sizeof(X)) +
           groups * args.rank * static_cast<int64_t>(sizeof(W))) >
      kEarlyBytes)
    return;
  const int part = place * blocks + block, parts = tiles * blocks;
  const int k = static_cast<int>(args.k), n = static_cast<int>(args.n);
  if (!(args.flags & kExpandOnly)) {
    const W *a = args.a + adapter * args.rank * args.k;
    ask(part, parts, rank, k * static_cast<int>(sizeof(W)),
        [=](int r) { return a + static_cast<int64_t>(r) * k; });
    ask(block, blocks, count, k * static_cast<int>(sizeof(X)), x);
  }
  if (args.flags & kShrinkOnly)
    return;
  // Rows of B lie together, so that its lines hold what is not of true ranks.
  if (rank == args.rank) {
    const char *b =
        reinterpret_cast<const char *>(args.b + adapter * args.rank * args.n);
    const int bytes = n * rank * static_cast<int>(sizeof(W));
    for (int at = (part * kThreads + static_cast<int>(threadIdx.x)) * kLine;
         at < bytes; at += parts * kThreads * kLine)
      prefetchToL2(b + at);
  }
  if (args.flags & kAccumulate)
    ask(block, blocks, count, n * static_cast<int>(sizeof(X)), y);
}

template <class X, class W, int Tokens>
__device__ __forceinline__ void askTile(const Arguments<X, W> &args,
                                        const Tile<X, W, Tokens> &tile,
                                        int block, int blocks) {
  askTile(
      args, tile.adapter, tile.rank, tile.place, tile.tiles, tile.count, block,
      blocks, [&](int i) { return tile.x[i]; },
      [&](int i) { return tile.y[i]; });
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_PREFETCH_CUH
