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

#include "Expand.cuh"

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

/// The address of block `rank` for a shared address of this block.
__device__ __forceinline__ uint32_t inBlock(uint32_t address, int rank) {
  uint32_t result;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(result)
      : "r"(address), "r"(rank));
  return result;
}

/// Eight neighbouring ranks of a token.
struct HiddenPiece {
  Fragment<__nv_bfloat16, kPiece> high, low;
};

/// v as the sum of two bf16 values.
__device__ __forceinline__ void splitRounded(float v, float &high, float &low) {
  high = roundTo<__nv_bfloat16>(v);
  if (isinf(high)) // A finite v is not to become infinite.
    high = __uint_as_float(__float_as_uint(v) & 0xffff0000u);
  low = isfinite(high) ? roundTo<__nv_bfloat16>(__fsub_rn(v, high)) : 0.0f;
}

/// Adds the sums of `blocks` blocks, `pitch` floats apart, and keeps `left` of
/// the ranks.
template <class W>
__device__ __forceinline__ void
takeHidden(const float *from, int pitch, int blocks, int32_t flags, float scale,
           int left, HiddenPiece &piece) {
#pragma unroll
  for (int q = 0; q < kPiece; q += 4) {
    float4 sum = *reinterpret_cast<const float4 *>(from + q);
    for (int b = 1; b < blocks; ++b)
      sum =
          addFour(sum, *reinterpret_cast<const float4 *>(from + b * pitch + q));
    const float v[4] = {sum.x, sum.y, sum.z, sum.w};
    float high[4], low[4];
#pragma unroll
    for (int e = 0; e < 4; ++e)
      splitRounded(q + e < left ? hiddenValue<W>(flags, scale, v[e]) : 0.0f,
                   high[e], low[e]);
    piece.high.words[q / 2] = packTerms(high[0], high[1]);
    piece.high.words[q / 2 + 1] = packTerms(high[2], high[3]);
    piece.low.words[q / 2] = packTerms(low[0], low[1]);
    piece.low.words[q / 2 + 1] = packTerms(low[2], low[3]);
  }
}

__device__ __forceinline__ void
storePiece(uint32_t to, const Fragment<__nv_bfloat16, kPiece> &piece) {
  asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to),
               "r"(piece.words[0]), "r"(piece.words[1]), "r"(piece.words[2]),
               "r"(piece.words[3])
               : "memory");
}

/// Adds the sums of all blocks for this block's tokens, which lie in `inbox`
/// [blocks][rowsEach][Ranks], and gives the rank vectors to all blocks: the
/// first terms to where `place(token, rank)` is in each, the second `termBytes`
/// further.
template <int Ranks, class X, class W, int Tokens, class Place>
__device__ __forceinline__ void
shareHidden(const Arguments<X, W> &args, const Tile<X, W, Tokens> &tile,
            const float *inbox, int rowsEach, int block, int blocks,
            int termBytes, Place place) {
  constexpr int kPieces = Ranks / kPiece;
  const int first = block * rowsEach;
  const int count = min(rowsEach, tile.count - first);
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < count * kPieces;
       i += kThreads) {
    const int token = i / kPieces, r = i % kPieces * kPiece;
    HiddenPiece terms;
    takeHidden<W>(inbox + token * Ranks + r, rowsEach * Ranks, blocks,
                  args.flags, tile.scale, tile.rank - r, terms);
    const uint32_t at = place(first + token, r);
    for (int receiver = 0; receiver < blocks; ++receiver) {
      const uint32_t to = blocks > 1 ? inBlock(at, receiver) : at;
      storePiece(to, terms.high);
      storePiece(to + termBytes, terms.low);
    }
  }
}

__device__ __forceinline__ float sharedBf16(uint32_t at) {
  uint16_t bits;
  asm volatile("ld.shared.u16 %0, [%1];" : "=h"(bits) : "r"(at) : "memory");
  return __uint_as_float(static_cast<uint32_t>(bits) << 16);
}

/// Rounds and stores neighbouring columns; without vectors the first `count`.
template <bool Vectors, class E, int Count>
__device__ __forceinline__ void storeColumns(E *to, const float (&v)[Count],
                                             int count) {
  if constexpr (Vectors) {
    Fragment<E, Count> out;
#pragma unroll
    for (int c = 0; c < Count; c += 2)
      out.words[c / 2] = packPair<E>(v[c], v[c + 1]);
    storeVector(to, out);
  } else {
#pragma unroll
    for (int c = 0; c < Count; ++c)
      if (c < count)
        to[c] = fromFloat<E>(v[c]);
  }
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_MATRIX_CUH
