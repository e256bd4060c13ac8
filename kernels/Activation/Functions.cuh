//===- Functions.cuh -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The activation functions, from binary32 to binary32, in the form of PyTorch's
// eager kernels but with the hardware's approximate 2^x and 1/x in place of
// exp, tanh and division. docs/kernels/Activation.md has the error of each.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_FUNCTIONS_CUH
#define FRIT_KERNELS_ACTIVATION_FUNCTIONS_CUH

#include <cstdint>

namespace frit {

inline __device__ float exp2Approximate(float x) {
  // Flushing is harmless: the result is only ever added to 1.
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// Keeps subnormal results, which occur where a gate is far below zero.
inline __device__ float reciprocalApproximate(float x) {
  float y;
  asm("rcp.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// For x of at most 2^126.
inline __device__ float reciprocalOfNormal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// exp(-2 y) for y = sqrt(2 / pi) (x + 0.044715 x^3), the argument of the tanh
/// form; 2 sqrt(2 / pi) log2(e) is folded into the polynomial.
inline __device__ float geluTanhExponential(float x) {
  constexpr float kScale = 2.302208198f;
  constexpr float kCubic = 2.302208198f * 0.044715f;
  float square = __fmul_rn(x, x);
  return exp2Approximate(__fmul_rn(x, fmaf(square, -kCubic, -kScale)));
}

/// 0.5 x (1 + tanh(y)) = x / (1 + exp(-2 y)).
struct GeluTanh {
  /// PyTorch rounds tanh before it adds 1, which leaves few bits where x is
  /// negative: round at the same place.
  static __device__ float apply(float x) {
    float sigmoid = reciprocalOfNormal(1.0f + geluTanhExponential(x));
    float tanh = fmaf(2.0f, sigmoid, -1.0f);
    return __fmul_rn(__fmul_rn(0.5f, x), __fadd_rn(1.0f, tanh));
  }
  /// For x >= 0, where nothing cancels and 1 + exp(-2 y) is at most 2: four
  /// reciprocals come from that of the product, which costs five products less
  /// than it saves of the special function unit. One NaN makes all four NaN.
  static __device__ void applyPositive(float (&x)[4]) {
    float a = 1.0f + geluTanhExponential(x[0]);
    float b = 1.0f + geluTanhExponential(x[1]);
    float c = 1.0f + geluTanhExponential(x[2]);
    float d = 1.0f + geluTanhExponential(x[3]);
    float ab = __fmul_rn(a, b);
    float cd = __fmul_rn(c, d);
    float inverse = reciprocalOfNormal(__fmul_rn(ab, cd));
    float inverseAb = __fmul_rn(inverse, cd);
    float inverseCd = __fmul_rn(inverse, ab);
    x[0] = __fmul_rn(x[0], __fmul_rn(inverseAb, b));
    x[1] = __fmul_rn(x[1], __fmul_rn(inverseAb, a));
    x[2] = __fmul_rn(x[2], __fmul_rn(inverseCd, d));
    x[3] = __fmul_rn(x[3], __fmul_rn(inverseCd, c));
  }
};

/// 0.5 x (1 + erf(x / sqrt(2))).
struct GeluErf {
  static __device__ float apply(float x) {
    constexpr float kRootHalf = 0.70710678118654752440f;
    return __fmul_rn(__fmul_rn(x, 0.5f),
                     __fadd_rn(1.0f, erff(__fmul_rn(x, kRootHalf))));
  }
  static __device__ void applyPositive(float (&x)[4]) {
    for (float &value : x)
      value = apply(value);
  }
};

/// x / (1 + exp(-x)).
struct Silu {
  static __device__ float apply(float x) {
    constexpr float kLog2E = 1.4426950408889634f;
    return __fmul_rn(
        x, reciprocalApproximate(1.0f + exp2Approximate(x * -kLog2E)));
  }
};

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_FUNCTIONS_CUH
