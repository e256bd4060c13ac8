//===- Terms.cuh -----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of any two element types on the bf16 matrix units. A value is a sum
// of bf16 terms, exactly: one for bf16, two for f16, three for f32; the product
// of two values is the sum of the products of their terms, of which those below
// 2^-21 of the whole are left out. Terms are cut off, not rounded, so that all
// of one value have its sign and an infinity meets no opposite one.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_TERMS_CUH
#define FRIT_KERNELS_LORA_TERMS_CUH

#include "Common/MatrixUnit.cuh"
#include "Fragment.cuh"

namespace frit::lora {

/// Products of terms i and j count where i + j is below this.
inline constexpr int kTermOrders = 3;

template <class E> inline constexpr int kTerms = 3;
template <> inline constexpr int kTerms<__half> = 2;
template <> inline constexpr int kTerms<__nv_bfloat16> = 1;

/// The first N terms of v, each as an f32. A term that would be zero beside a
/// nonzero one is 2^-126 instead, far below what f32 resolves of v: zero times
/// an infinity of the other factor would make a NaN of it.
template <int N>
__device__ __forceinline__ void splitTerms(float v, float (&terms)[N]) {
  constexpr uint32_t kHigh = 0xffff0000u;
  float least = fabsf(v) >= 0x1p-100f ? copysignf(0x1p-126f, v) : 0.0f;
  float rest = v;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    float term = __uint_as_float(__float_as_uint(rest) & kHigh);
    rest = __fsub_rn(rest, term);
    terms[i] = i > 0 && term == 0.0f ? least : term;
  }
  if (!(fabsf(v) < __int_as_float(0x7f800000))) {
    float special = isnan(v) ? __uint_as_float(0x7fff0000u) : v;
#pragma unroll
    for (int i = 0; i < N; ++i)
      terms[i] = special;
  }
}

/// Two terms as the bf16 pair they are.
__device__ __forceinline__ uint32_t packTerms(float low, float high) {
  return __byte_perm(__float_as_uint(low), __float_as_uint(high), 0x7632);
}

/// The terms of elements 2 * pair and 2 * pair + 1 of a fragment.
template <class E, int Count>
__device__ __forceinline__ void pairTerms(const Fragment<E, Count> &from,
                                          int pair,
                                          uint32_t (&terms)[kTerms<E>]) {
  if constexpr (kTerms<E> == 1) {
    terms[0] = from.words[pair];
  } else {
    float low[kTerms<E>], high[kTerms<E>];
    splitTerms(from.get(2 * pair), low);
    splitTerms(from.get(2 * pair + 1), high);
#pragma unroll
    for (int i = 0; i < kTerms<E>; ++i)
      terms[i] = packTerms(low[i], high[i]);
  }
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_TERMS_CUH
