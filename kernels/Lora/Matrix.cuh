//===- Matrix.cuh ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of the matrix units by way of shared memory: asynchronous copies
// that fill up with zeros, and loads of 8 x 8 tiles.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_MATRIX_CUH
#define FRIT_KERNELS_LORA_MATRIX_CUH

#include "Fragment.cuh"

namespace frit::lora {

/// Elements of 16 bits in a piece of 16 bytes, the unit of all copies.
inline constexpr int kPiece = 8;

__device__ __forceinline__ uint32_t sharedOffset(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Copies the first `count` elements of a piece, none where count <= 0, and
/// zeros after them.
template <bool Vectors, class E>
__device__ __forceinline__ void copyPiece(uint32_t to, const E *from,
                                          int count) {
  count = max(min(count, kPiece), 0);
  if constexpr (Vectors) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(from), "r"(count * static_cast<int>(sizeof(E)))
                 : "memory");
  } else {
    const Fragment<E, kPiece> piece = loadSome<E, kPiece>(from, count);
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to),
                 "r"(piece.words[0]), "r"(piece.words[1]), "r"(piece.words[2]),
                 "r"(piece.words[3])
                 : "memory");
  }
}

/// Ends a group of copies.
__device__ __forceinline__ void commitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until all but the last `Left` groups are here.
template <int Left> __device__ __forceinline__ void awaitCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Left) : "memory");
}

/// Four 8 x 8 tiles of 16-bit elements; a lane names a row of one of them.
__device__ __forceinline__ void loadTiles(uint32_t (&tiles)[4], uint32_t row) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(tiles[0]), "=r"(tiles[1]), "=r"(tiles[2]), "=r"(tiles[3])
      : "r"(row)
      : "memory");
}

/// The same of two; lanes from 16 on name nothing.
__device__ __forceinline__ void loadTiles(uint32_t (&tiles)[2], uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(tiles[0]), "=r"(tiles[1])
               : "r"(row)
               : "memory");
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_MATRIX_CUH
