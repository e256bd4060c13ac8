//===- Element.cuh ---------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types f32, f16 and bf16: vectors of 16 bytes, conversion to and
// from binary32, and the pairs in which the 16-bit types compute two elements
// at once. Every operation rounds once, to nearest even, and keeps subnormals.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_COMMON_ELEMENT_CUH
#define FRIT_KERNELS_COMMON_ELEMENT_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace frit {

/// 16 bytes of elements, the widest access of a thread.
struct alignas(16) Vector {
  uint32_t words[4];
};

/// What the kernels ask of an element type: `kPerVector`, `fromFloat` (rounds),
/// `unpack` of one 32-bit word into `kPerWord` floats and `pack` back (rounds).
template <typename E> struct Element;

template <> struct Element<float> {
  static constexpr int kPerWord = 1;
  static constexpr int kPerVector = 4;
  static constexpr bool kHasPairs = false;

  static __device__ float round(float value) { return value; }
  static __device__ void unpack(uint32_t word, float *values) {
    values[0] = __uint_as_float(word);
  }
  static __device__ uint32_t pack(const float *values) {
    return __float_as_uint(values[0]);
  }
};

template <> struct Element<__half> {
  using Pair = __half2;
  static constexpr int kPerWord = 2;
  static constexpr int kPerVector = 8;
  static constexpr bool kHasPairs = true;

  static __device__ float round(float value) {
    return __half2float(__float2half_rn(value));
  }
  static __device__ Pair splat(float value) {
    return __half2half2(__float2half_rn(value));
  }
  static __device__ void unpack(uint32_t word, float *values) {
    float2 pair = __half22float2(toPair(word));
    values[0] = pair.x;
    values[1] = pair.y;
  }
  static __device__ uint32_t pack(const float *values) {
    return fromPair(__floats2half2_rn(values[0], values[1]));
  }
  static __device__ Pair toPair(uint32_t word) {
    return *reinterpret_cast<Pair *>(&word);
  }
  static __device__ uint32_t fromPair(Pair pair) {
    return *reinterpret_cast<uint32_t *>(&pair);
  }
};

template <> struct Element<__nv_bfloat16> {
  using Pair = __nv_bfloat162;
  static constexpr int kPerWord = 2;
  static constexpr int kPerVector = 8;
  static constexpr bool kHasPairs = true;

  static __device__ float round(float value) {
    return __bfloat162float(__float2bfloat16_rn(value));
  }
  static __device__ Pair splat(float value) {
    return __bfloat162bfloat162(__float2bfloat16_rn(value));
  }
  static __device__ void unpack(uint32_t word, float *values) {
    values[0] = __uint_as_float(word << 16);
    values[1] = __uint_as_float(word & 0xffff0000u);
  }
  static __device__ uint32_t pack(const float *values) {
    return fromPair(__floats2bfloat162_rn(values[0], values[1]));
  }
  static __device__ Pair toPair(uint32_t word) {
    return *reinterpret_cast<Pair *>(&word);
  }
  static __device__ uint32_t fromPair(Pair pair) {
    return *reinterpret_cast<uint32_t *>(&pair);
  }
};

/// The rounded products of the elements of two words. The product of two 16-bit
/// elements is exact in binary32, so that the pair's single rounding is the
/// same.
template <typename E> __device__ uint32_t multiply(uint32_t a, uint32_t b) {
  if constexpr (Element<E>::kHasPairs)
    return Element<E>::fromPair(
        __hmul2_rn(Element<E>::toPair(a), Element<E>::toPair(b)));
  else
    return __float_as_uint(__fmul_rn(__uint_as_float(a), __uint_as_float(b)));
}

/// One element as it is in memory.
template <typename E> __device__ float loadElement(const E *address) {
  float values[Element<E>::kPerWord];
  if constexpr (sizeof(E) == 4)
    Element<E>::unpack(*reinterpret_cast<const uint32_t *>(address), values);
  else
    Element<E>::unpack(*reinterpret_cast<const uint16_t *>(address), values);
  return values[0];
}

/// Rounds `value` and stores it.
template <typename E> __device__ void storeElement(E *address, float value) {
  const float values[2] = {value, 0};
  const uint32_t word = Element<E>::pack(values);
  if constexpr (sizeof(E) == 4)
    *reinterpret_cast<uint32_t *>(address) = word;
  else
    *reinterpret_cast<uint16_t *>(address) = static_cast<uint16_t>(word);
}

} // namespace frit

#endif // FRIT_KERNELS_COMMON_ELEMENT_CUH
