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
      result.words[w] = multiply<E>(Element<E>::pack(values), up.words[w]);
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

  /// The activation of the gate's four elements in `words`, not yet rounded. A
  /// row with a NaN or an infinity has a cutoff of NaN and is all NaN.
  static __device__ void activate(const uint32_t *words, float cutoff,
                                  float (&values)[4]) {
#pragma unroll
    for (int i = 0; i < 4; i += Element<E>::kPerWord)
      excess(words[i / Element<E>::kPerWord], cutoff, values + i);
    Function::applyPositive(values);
  }

  /// Whether any element of the gate is above the cutoff, or the row is NaN:
  /// where not, the result is zero whatever finite elements up has.
  static __device__ bool isActive(const Vector &gate, float cutoff) {
    uint32_t any = 0;
#pragma unroll
    for (uint32_t word : gate.words) {
      if constexpr (kStepwisePairs) {
        any |= excessOfPair(word, cutoff);
      } else {
        float values[Element<E>::kPerWord];
        Element<E>::unpack(word, values);
#pragma unroll
        for (float value : values)
          any |= value <= cutoff ? 0 : 1;
      }
    }
    return any != 0;
  }

  /// Bit i is set where element i is above the cutoff, or either is NaN: the
  /// results of the others are zero whatever finite elements up has.
  static __device__ uint32_t findAbove(const Vector &gate, float cutoff) {
    constexpr int kPerWord = Element<E>::kPerWord;
    uint32_t bits = 0;
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      if constexpr (kStepwisePairs) {
        const uint32_t mask = __hgtu2_mask(Element<E>::toPair(gate.words[w]),
                                           Element<E>::splat(cutoff));
        bits |= mask & 0x00010001u << 2 * w;
      } else {
        float values[kPerWord];
        Element<E>::unpack(gate.words[w], values);
#pragma unroll
        for (int i = 0; i < kPerWord; ++i)
          bits |= (values[i] <= cutoff ? 0u : 1u) << (w * kPerWord + i);
      }
    }
    // The upper elements of the pairs go between the lower ones.
    return kStepwisePairs ? (bits & 0x55u) | (bits >> 15 & 0xaau) : bits;
  }

  static __device__ Vector apply(const Vector &gate, const Vector &up,
                                 float cutoff) {
    constexpr int kPerWord = Element<E>::kPerWord;
    Vector result;
#pragma unroll
    for (int w = 0; w < 4; w += 4 / kPerWord) {
      float values[4];
      activate(gate.words + w, cutoff, values);
#pragma unroll
      for (int i = 0; i < 4; i += kPerWord)
        result.words[w + i / kPerWord] =
            gated(values + i, up.words[w + i / kPerWord]);
    }
    return result;
  }

  /// The value where results are rounded after every step.
  static __device__ float step(float value) {
    return kRounding == Rounding::Stepwise ? Element<E>::round(value) : value;
  }

private:
  static constexpr bool kStepwisePairs =
      kRounding == Rounding::Stepwise && Element<E>::kHasPairs;

  /// max(gate - cutoff, 0), NaN where that is NaN, of a pair of elements.
  static __device__ uint32_t excessOfPair(uint32_t gate, float cutoff) {
    using Pair = typename Element<E>::Pair;
    Pair pair = __hsub2_rn(Element<E>::toPair(gate), Element<E>::splat(cutoff));
    return Element<E>::fromPair(__hmax2_nan(pair, Element<E>::splat(0.0f)));
  }

  /// The same of the elements of a word, as binary32.
  static __device__ void excess(uint32_t gate, float cutoff, float *values) {
    if constexpr (kStepwisePairs) {
      Element<E>::unpack(excessOfPair(gate, cutoff), values);
    } else {
      Element<E>::unpack(gate, values);
#pragma unroll
      for (int i = 0; i < Element<E>::kPerWord; ++i) {
        float value = __fsub_rn(values[i], cutoff);
        values[i] = value < 0 ? 0.0f : value;
      }
    }
  }

  static __device__ uint32_t gated(const float *activated, uint32_t up) {
    if constexpr (kStepwisePairs) {
      return multiply<E>(Element<E>::pack(activated), up);
    } else {
      float values[Element<E>::kPerWord];
      Element<E>::unpack(up, values);
#pragma unroll
      for (int i = 0; i < Element<E>::kPerWord; ++i)
        values[i] = __fmul_rn(activated[i], values[i]);
      return Element<E>::pack(values);
    }
  }
};

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_GATES_CUH
