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

/// Copies 16 bytes.
__device__ __forceinline__ void copyBytes(uint32_t to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
}

/// The same, or zeros where `left` is not positive: a few instructions less
/// than a copy of any length takes.
__device__ __forceinline__ void copyWhole(uint32_t to, const void *from,
                                          int left) {
  asm volatile("{\n\t.reg .pred none;\n\t"
               "setp.le.s32 none, %2, 0;\n\t"
               "cp.async.cg.shared.global [%0], [%1], 16, none;\n\t}" ::"r"(to),
               "l"(from), "r"(left)
               : "memory");
}

/// Copies the first `bytes` of 16, and zeros after them.
__device__ __forceinline__ void copyBytes(uint32_t to, const void *from,
                                          int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
               "l"(from), "r"(bytes)
               : "memory");
}

/// Copies the first `count` elements of a piece, none where count <= 0, and
/// zeros after them.
template <bool Vectors, class E>
__device__ __forceinline__ void copyPiece(uint32_t to, const E *from,
                                          int count) {
  count = max(min(count, kPiece), 0);
  if constexpr (Vectors) {
    copyBytes(to, from, count * static_cast<int>(sizeof(E)));
  } else {
    const Fragment<E, kPiece> piece = loadSome<E, kPiece>(from, count);
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to),
                 "r"(piece.words[0]), "r"(piece.words[1]), "r"(piece.words[2]),
                 "r"(piece.words[3])
                 : "memory");
  }
}

/// A piece of a row whose length is a multiple of a piece's where vectors are
/// used: all of it, or zeros.
template <bool Vectors, class E>
__device__ __forceinline__ void copyWholePiece(uint32_t to, const E *from,
                                               int left) {
  if constexpr (Vectors)
    copyWhole(to, from, left);
  else
    copyPiece<false>(to, from, left);
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

/// v as the sum of `Terms` bf16 values, of which three say all.
template <int Terms>
__device__ __forceinline__ void splitRounded(float v, float (&terms)[Terms]) {
  terms[0] = roundTo<__nv_bfloat16>(v);
  if (isinf(terms[0])) // A finite v is not to become infinite.
    terms[0] = __uint_as_float(__float_as_uint(v) & 0xffff0000u);
  const bool finite = isfinite(terms[0]);
  float rest = v;
#pragma unroll
  for (int t = 1; t < Terms; ++t) {
    rest = __fsub_rn(rest, terms[t - 1]);
    terms[t] = finite ? roundTo<__nv_bfloat16>(rest) : 0.0f;
  }
}

/// Terms of eight neighbouring ranks of a token.
template <int Terms> struct HiddenPiece {
  uint32_t words[Terms][kPiece / 2];

  /// Ranks `r` to `r` + 3.
  __device__ __forceinline__ void set(int r, const float (&v)[4]) {
    float terms[4][Terms];
#pragma unroll
    for (int e = 0; e < 4; ++e)
      splitRounded(v[e], terms[e]);
#pragma unroll
    for (int t = 0; t < Terms; ++t) {
      words[t][r / 2] = packTerms(terms[0][t], terms[1][t]);
      words[t][r / 2 + 1] = packTerms(terms[2][t], terms[3][t]);
    }
  }
};

/// Stores 16 bytes to shared memory.
__device__ __forceinline__ void storePiece(uint32_t to,
                                           const uint32_t (&words)[4]) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to),
               "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}

/// Sixteen bytes of shared memory.
__device__ __forceinline__ float4 loadPiece(uint32_t at) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(at)
               : "memory");
  return v;
}
__device__ __forceinline__ void storeWord(uint32_t to, uint32_t word) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(word) : "memory");
}

/// Adds the sums of all blocks for this block's tokens, which lie in `inbox`
/// [blocks][rowsEach][Ranks], and writes the rank vectors, from `firstRank` on,
/// to h.
template <int Ranks, class X, class W, int Tokens>
__device__ __forceinline__ void
writeRows(const Arguments<X, W> &args, const Tile<X, W, Tokens> &tile,
          const float *inbox, int rowsEach, int block, int blocks,
          int firstRank) {
  constexpr int kEach = Ranks / 4;
  const int first = block * rowsEach;
  const int count = min(rowsEach, tile.count - first);
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < count * kEach;
       i += kThreads) {
    const int token = i / kEach, r = i % kEach * 4;
    const float *from = inbox + token * Ranks + r;
    float4 v = *reinterpret_cast<const float4 *>(from);
#pragma unroll 3
    for (int b = 1; b < blocks; ++b)
      v = addFour(
          v, *reinterpret_cast<const float4 *>(from + b * rowsEach * Ranks));
    v = make_float4(hiddenValue<W>(args.flags, tile.scale, v.x),
                    hiddenValue<W>(args.flags, tile.scale, v.y),
                    hiddenValue<W>(args.flags, tile.scale, v.z),
                    hiddenValue<W>(args.flags, tile.scale, v.w));
    storeHidden<W>(args.h,
                   tile.row[first + token] * args.hStride + firstRank + r, v,
                   tile.rank - firstRank - r, args.flags);
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
