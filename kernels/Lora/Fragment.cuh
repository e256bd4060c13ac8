//===- Fragment.cuh --------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few consecutive elements of a row in one thread's registers: loaded as
// wide as alignment allows, or one by one up to where the row ends.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_FRAGMENT_CUH
#define FRIT_KERNELS_LORA_FRAGMENT_CUH

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

namespace frit::lora {

/// `Count` elements of type E, packed as they lie in memory.
template <class E, int Count> struct Fragment {
  static constexpr int kBytes = Count * static_cast<int>(sizeof(E));
  static constexpr int kWords = kBytes / 4;
  /// The alignment that a vector access needs.
  static constexpr int kAlignment = kBytes < 16 ? kBytes : 16;

  uint32_t words[kWords];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int i = 0; i < kWords; ++i)
      words[i] = 0;
  }

  /// Makes the elements from `count` on zero.
  __device__ __forceinline__ void keep(int count) {
#pragma unroll
    for (int i = 0; i < Count; ++i)
      if (i >= count) {
        if constexpr (sizeof(E) == 4)
          words[i] = 0;
        else
          words[i / 2] &= i % 2 ? 0x0000ffffu : 0xffff0000u;
      }
  }

  __device__ __forceinline__ float get(int i) const {
    if constexpr (sizeof(E) == 4)
      return __uint_as_float(words[i]);
    uint16_t bits = static_cast<uint16_t>(words[i / 2] >> (16 * (i % 2)));
    if constexpr (sizeof(E) == 2 && std::is_same_v<E, __half>)
      return __half2float(__ushort_as_half(bits));
    else
      return __uint_as_float(static_cast<uint32_t>(bits) << 16);
  }

  __device__ __forceinline__ void setBits(int i, uint32_t bits) {
    if constexpr (sizeof(E) == 4)
      words[i] = bits;
    else
      words[i / 2] |= bits << (16 * (i % 2));
  }
};

/// The bits of one element.
template <class E> __device__ __forceinline__ uint32_t loadBits(const E *from) {
  if constexpr (sizeof(E) == 4)
    return __ldg(reinterpret_cast<const uint32_t *>(from));
  else
    return __ldg(reinterpret_cast<const unsigned short *>(from));
}

/// All elements, which nothing writes while the kernel runs.
template <class E, int Count>
__device__ __forceinline__ Fragment<E, Count> loadVector(const E *from) {
  Fragment<E, Count> result;
  if constexpr (result.kBytes == 8) {
    uint2 v = __ldg(reinterpret_cast<const uint2 *>(from));
    result.words[0] = v.x;
    result.words[1] = v.y;
  } else {
#pragma unroll
    for (int i = 0; i < result.kBytes / 16; ++i) {
      uint4 v = __ldg(reinterpret_cast<const uint4 *>(from) + i);
      result.words[4 * i] = v.x;
      result.words[4 * i + 1] = v.y;
      result.words[4 * i + 2] = v.z;
      result.words[4 * i + 3] = v.w;
    }
  }
  return result;
}

/// The first `count` elements, the others zero; none where count <= 0.
template <class E, int Count>
__device__ __forceinline__ Fragment<E, Count> loadSome(const E *from,
                                                       int count) {
  Fragment<E, Count> result;
  result.clear();
#pragma unroll
  for (int i = 0; i < Count; ++i)
    if (i < count)
      result.setBits(i, loadBits(from + i));
  return result;
}

/// Whether every multiple of `Count` elements in rows `stride` apart is
/// aligned for loadVector.
template <int Count, class E>
__device__ __forceinline__ bool isAligned(const E *base, int64_t stride) {
  constexpr uint64_t mask = Fragment<E, Count>::kAlignment - 1;
  return ((reinterpret_cast<uint64_t>(base) |
           static_cast<uint64_t>(stride) * sizeof(E)) &
          mask) == 0;
}

__device__ __forceinline__ float toFloat(float v) { return v; }
__device__ __forceinline__ float toFloat(__half v) { return __half2float(v); }
__device__ __forceinline__ float toFloat(__nv_bfloat16 v) {
  return __bfloat162float(v);
}

template <class E> __device__ __forceinline__ E fromFloat(float v) {
  if constexpr (std::is_same_v<E, __half>)
    return __float2half_rn(v);
  else if constexpr (std::is_same_v<E, __nv_bfloat16>)
    return __float2bfloat16_rn(v);
  else
    return v;
}

/// Two values, rounded, as they lie in memory.
template <class E>
__device__ __forceinline__ uint32_t packPair(float low, float high) {
  if constexpr (std::is_same_v<E, __half>) {
    const __half2 pair = __floats2half2_rn(low, high);
    return reinterpret_cast<const uint32_t &>(pair);
  } else {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return reinterpret_cast<const uint32_t &>(pair);
  }
}

/// Stores all elements at once.
template <class E, int Count>
__device__ __forceinline__ void storeVector(E *to,
                                            const Fragment<E, Count> &from) {
  if constexpr (from.kBytes == 8)
    *reinterpret_cast<uint2 *>(to) = make_uint2(from.words[0], from.words[1]);
  else
    *reinterpret_cast<uint4 *>(to) =
        make_uint4(from.words[0], from.words[1], from.words[2], from.words[3]);
}

/// v rounded to E.
template <class E> __device__ __forceinline__ float roundTo(float v) {
  return toFloat(fromFloat<E>(v));
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_FRAGMENT_CUH
