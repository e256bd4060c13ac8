//===- WideShape.cuh ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of the kernels of Wide.cuh, and where things lie in shared memory:
// stages of x and A; then, in their place, rank vectors and each warpgroup's
// steps of B and y; and what blocks send each other.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_WIDESHAPE_CUH
#define FRIT_KERNELS_LORA_WIDESHAPE_CUH

#include "Matrix.cuh"
#include "WideProduct.cuh"

namespace frit::lora {

inline constexpr int kWideTokens = 64;

/// Sizes that follow from the most ranks, 32, 64, 128 or 256, and from how many
/// blocks a multiprocessor is to hold, 1 or 2.
template <int Ranks, Halves Which, int Resident> struct WideShape {
  static constexpr int kRanks = Ranks;
  static constexpr bool kShrinks = Which != Halves::Expand;
  static constexpr bool kExpands = Which != Halves::Shrink;
  static constexpr int kAlignment = 1024;

  /// Bytes of a tile of tokens, 64 deep.
  static constexpr int kTokenTile = 128 * kWideTokens;

  /// The first half: k's of a step, in tiles of 64.
  static constexpr int kDepth = Resident == 1 && Ranks <= 128 ? 128 : 64;
  static constexpr int kDepthTiles = kDepth / 64;
  static constexpr int kStageTokens = kDepthTiles * kTokenTile;
  static constexpr int kStageBytes = kStageTokens + kDepthTiles * 128 * Ranks;
  static constexpr int kStages = Resident == 1 ? 3 : 4;
  static constexpr int kStagedBytes = kStages * kStageBytes;

  /// Terms of a rank vector. Two are enough beside sums over many k's, or over
  /// many ranks.
  static constexpr int kTerms = Which == Halves::Expand && Ranks <= 128 ? 3 : 2;
  /// Ranks of a step of the second half, and steps of all ranks.
  static constexpr int kChunk = Ranks < 64 ? Ranks : 64;
  static constexpr int kChunks = Ranks / kChunk;
  /// One term of the rank vectors, a tile a chunk.
  static constexpr int kTermBytes = kChunks * kTokenTile;
  static constexpr int kHiddenBytes = kTerms * kTermBytes;

  /// Columns that a warpgroup takes at once. It has slots that each hold a
  /// chunk of their rows of B, or y.
  static constexpr int kColumns = Resident == 1 ? 128 : 64;
  static constexpr int kSlotBytes = 128 * kColumns;
  static constexpr int kWeightSlots = Resident == 1 ? 3 : 2;
  static constexpr int kAhead = kWeightSlots - 1;
  static constexpr int kOutputSlots = (kWeightSlots + kChunks - 1) / kChunks;
  /// With which chunk of B y is asked for: the first one for which its slot is
  /// free, `kAhead` chunks before that one is multiplied.
  static constexpr int kOutputChunk =
      kAhead > (kOutputSlots - 1) * kChunks
          ? kAhead - (kOutputSlots - 1) * kChunks
          : 0;
  static_assert(kOutputChunk < kChunks, "y comes with its own columns");
  static constexpr int kSecondBytes =
      kHiddenBytes + 2 * (kWeightSlots + kOutputSlots) * kSlotBytes;

  /// Sums of this block's tokens, at most 64 / blocks rounded up, from every
  /// block. They lie behind what is here or on its way when they come: stages,
  /// and the second half's first steps.
  static constexpr int kInboxBytes = 4 * Ranks * (kWideTokens + 16);
  static constexpr int kEarlySlots =
      kOutputChunk < kAhead
          ? kWeightSlots + (kAhead - kOutputChunk + kChunks - 1) / kChunks
          : kAhead;
  static constexpr int kEarlyBytes =
      kExpands ? kHiddenBytes + 2 * kEarlySlots * kSlotBytes : 0;
  static constexpr int kInbox =
      kEarlyBytes > kStagedBytes ? kEarlyBytes : kStagedBytes;

  /// Where the first terms of a token's piece with rank r lie.
  __device__ __forceinline__ static uint32_t hiddenPiece(int token, int r) {
    return r / kChunk * kTokenTile + tilePiece(token, r % kChunk / kPiece);
  }
};

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_WIDESHAPE_CUH
