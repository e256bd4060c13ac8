//===- Stream.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights on their way through shared memory: tiles of 16 rows, cut along k
// into stages of 1 KiB a row, of which every warp has 128 bytes. A warp copies
// what itself uses, so that nothing but its own copies is ever waited for, and
// the bytes in flight take no registers. Rows that cannot be copied in pieces
// of 16 bytes are brought element by element into the same places: alignment
// changes no result.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_MATMUL_STREAM_CUH
#define FRIT_KERNELS_MATMUL_STREAM_CUH

#include "Common/Barrier.cuh"
#include "Common/Memory.cuh"

namespace frit::matmul {

inline constexpr int kWarps = 8;
inline constexpr int kThreads = 32 * kWarps;

inline constexpr int kTileRows = 16;
/// Bytes of a row that a warp has of a stage, and all warps.
inline constexpr int kWarpBytes = 128;
inline constexpr int kStageBytes = kWarps * kWarpBytes;
inline constexpr int kSlotBytes = kTileRows * kWarpBytes;
/// Stages whose input a block keeps.
inline constexpr int kKeptStages = 4;

/// Elements of a row in a stage, and those of a warp.
template <class E>
inline constexpr int kStage = kStageBytes / static_cast<int>(sizeof(E));
template <class E>
inline constexpr int kWarpStage = kWarpBytes / static_cast<int>(sizeof(E));

inline __device__ Vector loadShared(uint32_t address) {
  Vector v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.words[0]), "=r"(v.words[1]), "=r"(v.words[2]),
                 "=r"(v.words[3])
               : "r"(address)
               : "memory");
  return v;
}

inline __device__ void storeShared(uint32_t address, const Vector &v) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(v.words[0]), "r"(v.words[1]), "r"(v.words[2]),
               "r"(v.words[3])
               : "memory");
}

/// Where a slot has 16-byte piece `piece` of row `row`. Pieces are exchanged
/// so that eight lanes find theirs in different banks, whether two rows of four
/// pieces or four rows of two.
inline __device__ uint32_t placeInSlot(int row, int piece) {
  return row * kWarpBytes + (piece ^ ((row & 1) << 2) ^ (row & 3)) * 16;
}

/// The part of the weights that a block multiplies with.
template <class E> struct Weights {
  const E *rows; ///< The block's first row, from its first k on.
  int64_t stride;
  int count;  ///< Rows.
  int length; ///< Elements of a row.
  int bytes;  ///< The widest access to a row; 16 allows copies.

  __device__ int tiles() const { return (count + kTileRows - 1) / kTileRows; }

  __device__ int stages() const { return (length + kStage<E> - 1) / kStage<E>; }
};

/// The ring of one warp, which goes through all stages of all tiles in order.
template <class E, int kSlots> class Stream {
  static constexpr int kPieces = kWarpBytes / 16;
  static constexpr int kRowsAtOnce = 32 / kPieces;

public:
  /// Of the rings of all warps.
  static constexpr int kBytes = kWarps * kSlots * kSlotBytes;

  __device__ Stream(const Weights<E> &weights, uint32_t ring)
      : weights(weights), stages(weights.stages()),
        slots(ring + threadIdx.x / 32 * (kSlots * kSlotBytes)),
        row(threadIdx.x % 32 / kPieces), piece(threadIdx.x % kPieces),
        k(threadIdx.x / 32 * kWarpStage<E> + piece * Element<E>::kPerVector),
        from(weights.rows + row * weights.stride + k), left(weights.count) {}

  __device__ bool copies() const { return weights.bytes == 16; }

  /// Starts the first copies.
  __device__ void start() {
    if (!copies())
      return;
#pragma unroll 1
    for (int i = 0; i < kSlots - 1; ++i)
      copyNext();
  }

  /// The address of the next stage, once it is there.
  __device__ uint32_t next() {
    const uint32_t here = slots + readSlot * kSlotBytes;
    readSlot = readSlot + 1 == kSlots ? 0 : readSlot + 1;
    if (__builtin_expect(copies(), 1)) {
      asm volatile("cp.async.wait_group %0;" ::"n"(kSlots - 2) : "memory");
      __syncwarp(); // Also: all lanes have read the stage before this one.
      copyNext();
    } else {
      __syncwarp();
      bringNext(here);
      __syncwarp();
    }
    return here;
  }

private:
  __device__ void copyNext() {
    if (left > 0) {
      const uint32_t to = slots + copySlot * kSlotBytes;
      const int rows = stage * kStage<E> + k < weights.length ? left - row : 0;
      const E *at = from;
#pragma unroll
      for (int r = 0; r < kTileRows; r += kRowsAtOnce) {
        copyPiece(to + placeInSlot(r + row, piece), at, r < rows);
        at += kRowsAtOnce * weights.stride;
      }
      copySlot = copySlot + 1 == kSlots ? 0 : copySlot + 1;
      advance();
    }
    // Also where there is nothing left, so that stages can be counted.
    asm volatile("cp.async.commit_group;" ::: "memory");
  }

  __device__ void bringNext(uint32_t to) {
    const int count = weights.length - stage * kStage<E> - k;
    const E *at = from;
#pragma unroll
    for (int r = 0; r < kTileRows; r += kRowsAtOnce) {
      if (r + row < left)
        storeShared(
            to + placeInSlot(r + row, piece),
            loadOneByOne(at, max(0, min(count, Element<E>::kPerVector))));
      at += kRowsAtOnce * weights.stride;
    }
    advance();
  }

  __device__ void advance() {
    from += kStage<E>;
    if (++stage < stages)
      return;
    stage = 0;
    left -= kTileRows;
    from += kTileRows * weights.stride - stages * kStage<E>;
  }

  /// Zeros where `has` is false.
  static __device__ void copyPiece(uint32_t to, const E *from, bool has) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(from), "r"(has ? 16 : 0)
                 : "memory");
  }

  const Weights<E> &weights;
  int stages;
  uint32_t slots;
  int row, piece, k;
  int readSlot = 0, copySlot = 0;
  /// What is copied next.
  const E *from;
  int stage = 0;
  int left; ///< Rows from the next tile's first on.
};

} // namespace frit::matmul

#endif // FRIT_KERNELS_MATMUL_STREAM_CUH
