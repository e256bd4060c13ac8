//===- FlowShape.cuh ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of the kernels of Flow.cuh, and where things lie in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_FLOWSHAPE_CUH
#define FRIT_KERNELS_LORA_FLOWSHAPE_CUH

#include "Matrix.cuh"

namespace frit::lora {

/// Tiles of `Tokens` tokens, ranks up to `Ranks`, `Slots` steps on their way at
/// once, each of `Depth` k's, or columns: a warp copies 256 of a row at once.
template <int Tokens, int Ranks, int Slots, Halves Which = Halves::Both,
          int Depth = 256>
struct FlowShape {
  static constexpr int kTokens = Tokens, kRanks = Ranks, kSlots = Slots;
  static constexpr Halves kHalves = Which;
  static constexpr bool kShrinks = Which != Halves::Expand;
  static constexpr bool kExpands = Which != Halves::Shrink;
  static constexpr int kDepth = Depth;
  /// What blocks divide K and N by: lines of memory.
  static constexpr int kUnit = 64;

  /// A slot: rows of x, then of A; or of y, then as many bytes of B.
  static constexpr int kPieces = kDepth / kPiece;
  static constexpr int kRowBytes = 2 * kDepth;
  static constexpr int kTokenBytes = Tokens * kRowBytes;
  static constexpr int kSlotBytes = kTokenBytes + Ranks * kRowBytes;
  /// Rows that the block's threads copy at once.
  static constexpr int kRowStep = kThreads / kPieces;

  /// The first half: how the warps divide ranks, tokens and, where there are
  /// warps left, k's; and a warp's tiles of 8 ranks and of 16 tokens.
  static constexpr int kRankTiles = Ranks / 8, kTokenTiles = Tokens / 16;
  static constexpr int kRankWarps = kRankTiles < kWarps ? kRankTiles : kWarps;
  static constexpr int kTokenWarps =
      kTokenTiles < kWarps / kRankWarps ? kTokenTiles : kWarps / kRankWarps;
  static constexpr int kDepthWarps = kWarps / (kRankWarps * kTokenWarps);
  static constexpr int kOwnRankTiles = kRankTiles / kRankWarps;
  static constexpr int kOwnTokenTiles = kTokenTiles / kTokenWarps;
  static constexpr int kWarpDepth = kDepth / kDepthWarps;

  /// The second half: a warp's columns, in tiles of 8, and those that are
  /// neighbours in one thread.
  static constexpr int kColumns = kDepth / kWarps;
  static constexpr int kColumnTiles = kColumns / 8;
  static constexpr int kOwnColumns = 2 * kColumnTiles;

  /// Whether every block receives all sums, or those of the tokens that it
  /// finishes for all: fewer bytes, one trip more.
  static constexpr bool kOneStep =
      Which == Halves::Both && Tokens == 16 && Ranks <= 32;
  /// Floats between two tokens of a warp's sums, bytes between those of a term:
  /// rows that are read together lie in different banks.
  static constexpr int kSharePitch = Ranks + 4;
  static constexpr int kTermPitch = 2 * Ranks + 16;
  static constexpr int kTermBytes = Tokens * kTermPitch;

  static constexpr int kShareBytes =
      Which == Halves::Expand ? 0 : 4 * kDepthWarps * Tokens * kSharePitch;
  /// Of the second half alone: rank vectors as they are read.
  static constexpr int kInboxBytes = 4 * Ranks *
                                     (Which == Halves::Expand ? Tokens
                                      : kOneStep              ? 16 * Tokens
                                                              : Tokens + 16);
  static constexpr int kShares = Slots * kSlotBytes;
  static constexpr int kInbox = kShares + kShareBytes;
  static constexpr int kTerms = kInbox + kInboxBytes;
  static constexpr int kSharedBytes =
      kTerms + (Which == Halves::Shrink ? 0 : 3 * kTermBytes);

  /// Where a piece of a row of x, A or y lies: the pieces of a row are
  /// exchanged by its number, so that eight rows' lie in different banks.
  __device__ __forceinline__ static uint32_t rowPiece(int row, int piece) {
    return static_cast<uint32_t>(kRowBytes * row + 16 * (piece ^ (row & 7)));
  }

  /// The same of a row of B.
  __device__ __forceinline__ static uint32_t weightPiece(int row, int piece) {
    constexpr int kEach = Ranks >= 64 ? 1 : 64 / Ranks;
    constexpr int kMask = Ranks >= 64 ? 7 : Ranks / 8 - 1;
    return static_cast<uint32_t>(kTokenBytes + 2 * Ranks * row +
                                 16 * (piece ^ (row / kEach & kMask)));
  }

  /// The row of B's tile where column `column` goes: a thread's columns are
  /// neighbours.
  __device__ __forceinline__ static int columnRow(int column) {
    const int in = column % kColumns;
    return column - in + in % kOwnColumns / 2 * 8 + in / kOwnColumns * 2 +
           in % 2;
  }
};

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_FLOWSHAPE_CUH
