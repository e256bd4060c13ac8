//===- Wide.cuh -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel for tiles of 64 tokens on the wide matrix units, which read their
// operands from shared memory.
//
// A cluster takes a tile of tokens of one adapter in one slice. Its blocks
// split K, exchange their sums, each block finishing the rank vectors of some
// tokens, and then split N. Two warpgroups share a block: ranks in the first
// half, columns in the second (WideExpand.cuh). A rank vector is kept as two
// bf16 terms, see Matrix.cuh.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_WIDE_CUH
#define FRIT_KERNELS_LORA_WIDE_CUH

#include "Common/Launch.cuh"
#include "Exchange.cuh"
#include "WideExpand.cuh"

namespace frit::lora {

template <class E, class Shape, bool Vectors> class WideTile {
public:
  __device__ __forceinline__ WideTile(const Arguments<E, E> &args,
                                      const Tile<E, E, kWideTokens> &tile,
                                      char *shared, ExchangeMail &mail,
                                      const TilePlace &place)
      : args(args), tile(tile), mail(mail), base(sharedOffset(shared)),
        inbox(reinterpret_cast<float *>(shared + Shape::kInbox)),
        thread(static_cast<int>(threadIdx.x)), lane(thread % 32),
        warpgroup(thread / 128), firstToken(thread % 128 / 32 * 16 + lane / 4),
        piece(thread % kPieces), row(thread / kPieces), blocks(place.blocks),
        block(place.block), firstRank(Ranks * place.rankPart),
        rowsEach((kWideTokens + blocks - 1) / blocks),
        k(static_cast<int>(args.k)) {}

  __device__ __forceinline__ void run() {
    Sums sums;
    if constexpr (kShrinks) {
      if (thread == 0)
        mail.expect(blocks, ownCount(), 4 * Ranks, tile.count,
                    2 * Shape::kTerms * Ranks);
      __syncwarp();
      if (blocks > 1)
        clusterArrive();
      shrink(sums);
      if (blocks > 1)
        clusterWait(); // All blocks run, so their shared memory is there.
      __syncthreads();
    }
    if constexpr (!kExpands) {
      sendSums(sums);
      mail.sums.wait();
      writeHidden();
      return;
    }
    WideExpander<E, Shape, Vectors> expander(args, tile, base, block, blocks);
    expander.begin();
    if constexpr (kShrinks) {
      sendSums(sums);
      mail.sums.wait();
      shareHidden();
    } else {
      if (args.flags & kElementHidden)
        keepHidden<E>();
      else
        keepHidden<float>();
    }
    showToMatrixUnits();
    __syncthreads();
    expander.run();
  }

private:
  static constexpr int Ranks = Shape::kRanks;
  static constexpr bool kShrinks = Shape::kShrinks;
  static constexpr bool kExpands = Shape::kExpands;
  /// Pieces of a step's row, and rows that all threads copy at once.
  static constexpr int kPieces = Shape::kDepth / kPiece;
  static constexpr int kRowStep = kThreads / kPieces;
  static_assert(kRowStep % 8 == 0, "a thread's rows are exchanged alike");
  using Sums = float[Ranks / 4];

  //===--------------------------------------------------------------------===//
  // The first half
  //===--------------------------------------------------------------------===//

  /// Sums of tokens and ranks that do not exist come from other rows: they are
  /// never looked at.
  __device__ __forceinline__ void shrink(Sums &sums) const {
#pragma unroll
    for (float &sum : sums)
      sum = 0.0f;
    // This block's part of K, in units of 64.
    const int all = (k + 63) / 64;
    const int firstK = 64 * (all * block / blocks);
    const int lastK = min(64 * (all * (block + 1) / blocks), k);
    const int steps = (lastK - firstK + Shape::kDepth - 1) / Shape::kDepth;

    const int column = firstK + kPiece * piece;
    const E *xs[kWideTokens / kRowStep], *as[Ranks / kRowStep];
#pragma unroll
    for (int i = 0; i < kWideTokens / kRowStep; ++i)
      xs[i] = tile.x[row + kRowStep * i] + column;
#pragma unroll
    for (int i = 0; i < Ranks / kRowStep; ++i) {
      const int rank = max(min(row + kRowStep * i, ranksHere() - 1), 0);
      as[i] = tile.a + static_cast<int64_t>(firstRank + rank) * k + column;
    }
    int left = lastK - column;
    const uint32_t own = base + tilePiece(row, piece % 8);
    auto load = [&](int stage) {
      const uint32_t x =
          own + stage * Shape::kStageBytes + piece / 8 * Shape::kTokenTile;
#pragma unroll
      for (int i = 0; i < kWideTokens / kRowStep; ++i) {
        copyWholePiece<Vectors>(x + 128 * kRowStep * i, xs[i], left);
        xs[i] += Shape::kDepth;
      }
      const uint32_t a = own + stage * Shape::kStageBytes +
                         Shape::kStageTokens + piece / 8 * (128 * Ranks);
#pragma unroll
      for (int i = 0; i < Ranks / kRowStep; ++i) {
        copyWholePiece<Vectors>(a + 128 * kRowStep * i, as[i], left);
        as[i] += Shape::kDepth;
      }
      left -= Shape::kDepth;
    };

    constexpr int kAhead = Shape::kStages - 1;
#pragma unroll
    for (int s = 0; s < kAhead; ++s) {
      if (s < steps)
        load(s);
      commitCopies();
    }
    int stage = 0, next = kAhead;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      awaitCopies<kAhead - 1>();
      showToMatrixUnits();
      __syncthreads();
      const uint32_t at = base + stage * Shape::kStageBytes;
      const uint64_t tokens = tileName(at);
      const uint64_t weights =
          tileName(at + Shape::kStageTokens + 64 * Ranks * warpgroup);
      beginProducts();
#pragma unroll
      for (int d = 0; d < Shape::kDepth / 16; ++d) {
        const int deep = d / 4, in = d % 4 * static_cast<int>(kDepthStep);
        WideProduct<Ranks / 2>::add(
            sums, tokens + (deep * Shape::kTokenTile >> 4) + in,
            weights + (deep * 128 * Ranks >> 4) + in);
      }
      endProducts();
      // Into the stage whose products all threads have waited for.
      if (step + kAhead < steps)
        load(next);
      commitCopies();
      awaitProducts();
      stage = stage + 1 == Shape::kStages ? 0 : stage + 1;
      next = next + 1 == Shape::kStages ? 0 : next + 1;
    }
    awaitCopies<0>();
  }

  //===--------------------------------------------------------------------===//
  // The exchange
  //===--------------------------------------------------------------------===//

  /// How many tokens this block finishes.
  __device__ __forceinline__ int ownCount() const {
    return max(min(tile.count - block * rowsEach, rowsEach), 0);
  }

  __device__ __forceinline__ void sendSums(const Sums &sums) const {
    sendTiles<Ranks, Ranks / 16>(mail.sums, inbox, block, rowsEach, firstToken,
                                 warpgroup * (Ranks / 2), tile.count,
                                 [&](int j, int e) { return sums[4 * j + e]; });
  }

  /// Finishes this block's tokens for all blocks.
  __device__ __forceinline__ void shareHidden() const {
    constexpr int kEach = Ranks / kPiece;
    const int first = block * rowsEach, count = ownCount();
    keepSums<Ranks>(args, tile, inbox, rowsEach, first, count, blocks,
                    Shape::kTermBytes, [this](int token, int r) {
                      return hiddenAt(token, r) + 2 * (r % kPiece);
                    });
    __syncthreads();
    sendToOthers(mail.terms, block, blocks, count * kEach, Shape::kTerms,
                 Shape::kTermBytes, [&](int item) {
                   return hiddenAt(first + item / kEach, item % kEach * kPiece);
                 });
    mail.terms.wait();
  }

  /// How many of the kernel's ranks there are; of other clusters' none or less.
  __device__ __forceinline__ int ranksHere() const {
    return kExpands ? tile.rank : min(tile.rank - firstRank, Ranks);
  }

  /// Finishes this block's tokens, and is done.
  __device__ __forceinline__ void writeHidden() const {
    writeRows<Ranks>(args, tile, inbox, rowsEach, block, blocks, firstRank);
  }

  /// The terms of the rank vectors in h, whose loads are issued together.
  template <class H> __device__ __forceinline__ void keepHidden() const {
    constexpr int kEach = Ranks / kPiece, kBatch = 4;
    const int pieces = tile.count * kEach;
#pragma unroll 1
    for (int first = thread; first < pieces; first += kBatch * kThreads) {
      Fragment<H, kPiece> v[kBatch];
#pragma unroll
      for (int u = 0; u < kBatch; ++u) {
        const int i = first + u * kThreads, r = i % kEach * kPiece;
        if (i < pieces)
          v[u] = loadHiddenRun<H, kPiece>(
              args.h, tile.row[i / kEach] * args.hStride + r, tile.rank - r);
      }
#pragma unroll
      for (int u = 0; u < kBatch; ++u) {
        const int i = first + u * kThreads, r = i % kEach * kPiece;
        if (i >= pieces)
          break;
        HiddenPiece<Shape::kTerms> terms;
#pragma unroll
        for (int q = 0; q < kPiece; q += 4) {
          const float four[4] = {v[u].get(q), v[u].get(q + 1), v[u].get(q + 2),
                                 v[u].get(q + 3)};
          terms.set(q, four);
        }
#pragma unroll
        for (int t = 0; t < Shape::kTerms; ++t)
          storePiece(hiddenAt(i / kEach, r) + t * Shape::kTermBytes,
                     terms.words[t]);
      }
    }
  }

  /// Where the first terms of a token's piece with rank r lie.
  __device__ __forceinline__ uint32_t hiddenAt(int token, int r) const {
    return base + Shape::hiddenPiece(token, r);
  }

  const Arguments<E, E> &args;
  const Tile<E, E, kWideTokens> &tile;
  ExchangeMail &mail;
  const uint32_t base; ///< Of stages, and then of rank vectors and stages of B.
  float *const inbox;  ///< [blocks][rowsEach][Ranks]
  const int thread, lane, warpgroup;
  const int firstToken; ///< Of this thread's two, eight apart.
  const int piece, row; ///< Which it copies of a tile.
  const int blocks, block;
  const int firstRank;
  const int rowsEach; ///< Tokens that a block finishes.
  const int k;
};

template <int Ranks, Halves Which, int Resident, class E>
__device__ __forceinline__ void runWide(Arguments<E, E> args) {
  using Shape = WideShape<Ranks, Which, Resident>;
  extern __shared__ __align__(128) char dynamicShared[];
  __shared__ Tile<E, E, kWideTokens> tile;
  __shared__ ExchangeMail mail;
  const auto place = TilePlace::find<Which>();
  findTile(args, place.tile, tile,
           [&] { askTile(args, tile, place.block, place.blocks); });
  if (tile.count == 0)
    return;
  constexpr uint32_t kMask = Shape::kAlignment - 1;
  char *shared = dynamicShared + (-sharedOffset(dynamicShared) & kMask);
  if (__builtin_expect(tile.vectors, 1))
    WideTile<E, Shape, true>(args, tile, shared, mail, place).run();
  else
    WideTile<E, Shape, false>(args, tile, shared, mail, place).run();
}

} // namespace frit::lora

/// Defines kernel `NAME` for ranks up to RANKS (the first half alone: for RANKS
/// ranks a cluster), with RESIDENT blocks a multiprocessor.
#define FRIT_LORA_WIDE_KERNEL(NAME, E, HALVES, RANKS, RESIDENT)                \
  extern "C" __global__ void __launch_bounds__(frit::lora::kThreads, RESIDENT) \
      NAME(FRIT_LORA_PARAMETERS(E, E)) {                                       \
    FRIT_LORA_SLICE(E, E);                                                     \
    frit::lora::runWide<RANKS, frit::lora::Halves::HALVES, RESIDENT>(          \
        arguments);                                                            \
  }

#endif // FRIT_KERNELS_LORA_WIDE_CUH
