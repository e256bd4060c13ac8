//===- Gates.cuh -----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed from one vector of the gate and one of up. A gate names its
// element type, says whether it needs the moments of the gate's row, and maps
// vectors to vectors; the row families are templates over it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_GATES_CUH
#define FRIT_KERNELS_ACTIVATION_GATES_CUH

#include "Activation/Functions.cuh"
#include "Common/Moments.cuh"

namespace frit {

/// Where results are rounded to the element type: after every step, as PyTorch
/// does between its operations, or once at the end.
enum class Rounding { Stepwise, Final };

/// y = act(g) * u, with a rounding after each of the two.
template <typename Type, typename Function> struct ActAndMul {
  using E = Type;
  struct Parameters {};

  static __device__ Vector apply(const Vector &gate, const Vector &up) {
    Vector result;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float values[Element<E>::kPerWord];
      Element<E>::unpack(gate.words[w], values);
      for (float &value : values)
        value = Function::apply(value);
      result.words[w] =
          multiply<E>(Element<E>::pack(values), up.words[w]);
    }
    return result;
  }
};

/// The gated GELU whose gate is first reduced by the cutoff
/// mean + multiplier * standard deviation of its row and clamped at zero.
template <typename Type, Rounding kRounding, typename Function>
struct SparseGelu {
  using E = Type;
  struct Parameters {
    float multiplier;
    int32_t correction;
  };

  /// The cutoff; every step is a rounding of its own.
  static __device__ float cutoff(Moments row, float size,
                                 const Parameters &parameters) {
    float variance = __fdiv_rn(row.m2, size - parameters.correction);
    float mean = step(row.mean);
    float deviation = step(__fsqrt_rn(variance));
    float spread = step(__fmul_rn(deviation, parameters.multiplier));
    return step(__fadd_rn(mean, spread));
  }

  static __device__ Vector apply(const Vector &gate, const Vector &up,
                                 float cutoff) {
    Vector result;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float values[Element<E>::kPerWord];
      if constexpr (kStepwisePairs) {
        using Pair = typename Element<E>::Pair;
        Pair excess = __hsub2_rn(Element<E>::toPair(gate.words[w]),
                                 Element<E>::splat(cutoff));
        excess = __hmax2_nan(excess, Element<E>::splat(0.0f));
        Element<E>::unpack(Element<E>::fromPair(excess), values);
      } else {
        Element<E>::unpack(gate.words[w], values);
        for (float &value : values) {
          value = __fsub_rn(value, cutoff);
          value = value < 0 ? 0.0f : value;
        }
      }
      for (float &value : values)
        value = Function::applyPositive(value);
      if constexpr (kStepwisePairs) {
        result.words[w] = multiply<E>(Element<E>::pack(values), up.words[w]);
      } else {
        float ups[Element<E>::kPerWord];
        Element<E>::unpack(up.words[w], ups);
#pragma unroll
        for (int i = 0; i < Element<E>::kPerWord; ++i)
          values[i] = __fmul_rn(values[i], ups[i]);
        result.words[w] = Element<E>::pack(values);
      }
    }
    return result;
  }

private:
  static constexpr bool kStepwisePairs =
      kRounding == Rounding::Stepwise && Element<E>::kHasPairs;

  static __device__ float step(float value) {
    return kRounding == Rounding::Stepwise ? Element<E>::round(value) : value;
  }
};

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_GATES_CUH
