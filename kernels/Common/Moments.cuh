//===- Moments.cuh ---------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mean and sum of squared deviations (M2) of a row, merged from disjoint parts.
// Each part is measured in two passes over registers and parts are merged by
// Chan's formula, so that no large square is ever subtracted from another. The
// number of elements of a part follows from the row's length alone: merge weights
// are computed while the loads are in flight.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_COMMON_MOMENTS_CUH
#define FRIT_KERNELS_COMMON_MOMENTS_CUH

#include "Common/Element.cuh"

namespace frit {

/// Of a part whose number of elements its user knows.
struct Moments {
  float mean;
  float m2;
};

/// Merges `b` of `bCount` elements into `a` of `aCount`; one may be empty. What
/// is merged with an empty part stays exactly as it was.
inline __device__ Moments merge(Moments a, float aCount, Moments b,
                                float bCount) {
  float weight = aCount > 0 ? __fdividef(bCount, aCount + bCount) : 1.0f;
  float delta = b.mean - a.mean;
  return {fmaf(delta, weight, a.mean),
          fmaf(delta * delta, aCount * weight, a.m2 + b.m2)};
}

/// Moments of whole vectors in registers.
template <typename E, int kVectors>
__device__ Moments momentsOfWhole(const Vector (&vectors)[kVectors]) {
  constexpr int kCount = kVectors * Element<E>::kPerVector;
  // Four chains, so that no addition waits long for the one before.
  float sums[4] = {0, 0, 0, 0};
#pragma unroll
  for (int k = 0; k < kVectors; ++k)
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float values[Element<E>::kPerWord];
      Element<E>::unpack(vectors[k].words[w], values);
      if constexpr (Element<E>::kPerWord == 2)
        sums[w] += values[0] + values[1];
      else
        sums[w] += values[0];
    }
  float mean = ((sums[0] + sums[1]) + (sums[2] + sums[3])) * (1.0f / kCount);
  float squares[4] = {0, 0, 0, 0};
#pragma unroll
  for (int k = 0; k < kVectors; ++k)
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float values[Element<E>::kPerWord];
      Element<E>::unpack(vectors[k].words[w], values);
#pragma unroll
      for (float value : values) {
        float deviation = value - mean;
        squares[w] = fmaf(deviation, deviation, squares[w]);
      }
    }
  return {mean, (squares[0] + squares[1]) + (squares[2] + squares[3])};
}

/// Moments of vectors of which vector k holds min(left[k], a vector) elements.
template <typename E, int kVectors>
__device__ Moments momentsOfPart(const Vector (&vectors)[kVectors],
                                 const int (&left)[kVectors], float count) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kVectors; ++k)
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float values[Element<E>::kPerWord];
      Element<E>::unpack(vectors[k].words[w], values);
#pragma unroll
      for (int i = 0; i < Element<E>::kPerWord; ++i)
        sum += w * Element<E>::kPerWord + i < left[k] ? values[i] : 0.0f;
    }
  float mean = sum / fmaxf(count, 1.0f);
  float m2 = 0;
#pragma unroll
  for (int k = 0; k < kVectors; ++k)
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float values[Element<E>::kPerWord];
      Element<E>::unpack(vectors[k].words[w], values);
#pragma unroll
      for (int i = 0; i < Element<E>::kPerWord; ++i) {
        float deviation =
            w * Element<E>::kPerWord + i < left[k] ? values[i] - mean : 0.0f;
        m2 = fmaf(deviation, deviation, m2);
      }
    }
  return {mean, m2};
}

/// Merges the parts of the lanes of a warp. Lane 0 holds the result in the end;
/// other lanes hold it up to rounding.
class LaneMerge {
public:
  /// All lanes hold `count` elements.
  __device__ void setEqual(float count) {
#pragma unroll
    for (int step = 0; step < 5; ++step) {
      weight[step] = 0.5f;
      scale[step] = count * 0.5f;
      count *= 2;
    }
  }

  /// This lane holds `count` elements.
  __device__ void set(float count) {
#pragma unroll
    for (int step = 0; step < 5; ++step) {
      float other = __shfl_xor_sync(~0u, count, 1 << step);
      float total = count + other;
      weight[step] = total > 0 ? __fdiv_rn(other, total) : 0.0f;
      scale[step] = count * weight[step];
      count = total;
    }
  }

  /// Merges the first `lanes` lanes; those beyond hold nothing.
  __device__ Moments operator()(Moments own, int lanes = 32) const {
#pragma unroll
    for (int step = 0; step < 5; ++step) {
      if ((1 << step) >= lanes)
        break;
      float mean = __shfl_xor_sync(~0u, own.mean, 1 << step);
      float m2 = __shfl_xor_sync(~0u, own.m2, 1 << step);
      float delta = mean - own.mean;
      own.mean = fmaf(delta, weight[step], own.mean);
      own.m2 = fmaf(delta * delta, scale[step], own.m2 + m2);
    }
    return own;
  }

private:
  float weight[5];
  float scale[5];
};

} // namespace frit

#endif // FRIT_KERNELS_COMMON_MOMENTS_CUH
