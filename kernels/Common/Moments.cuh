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
// number of elements of a part follows from the row's length alone: merge
// weights are computed while the loads are in flight.
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
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(aCount + bCount));
  float weight = aCount > 0 ? bCount * inverse : 1.0f;
  float delta = b.mean - a.mean;
  return {fmaf(delta, weight, a.mean),
          fmaf(delta * delta, aCount * weight, a.m2 + b.m2)};
}

/// Moments of whole vectors in registers; more than two in halves, so that few
/// values are unpacked at a time.
template <typename E, int kVectors>
__device__ Moments momentsOfWhole(const Vector *vectors) {
  if constexpr (kVectors > 2) {
    constexpr int kHalf = kVectors / 2;
    constexpr float kShare = float(kVectors - kHalf) / kVectors;
    Moments a = momentsOfWhole<E, kHalf>(vectors);
    Moments b = momentsOfWhole<E, kVectors - kHalf>(vectors + kHalf);
    float delta = b.mean - a.mean;
    return {fmaf(delta, kShare, a.mean),
            fmaf(delta * delta, kShare * kHalf * Element<E>::kPerVector,
                 a.m2 + b.m2)};
  }
  constexpr int kPerWord = Element<E>::kPerWord;
  constexpr int kCount = kVectors * Element<E>::kPerVector;
  // Four chains each, so that no addition waits long for the one before.
  float sums[4], squares[4];
#pragma unroll
  for (int k = 0; k < kVectors; ++k)
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float values[kPerWord];
      Element<E>::unpack(vectors[k].words[w], values);
      float sum = values[0];
      if constexpr (kPerWord == 2)
        sum += values[1];
      sums[w] = k == 0 ? sum : sums[w] + sum;
    }
  float mean = ((sums[0] + sums[1]) + (sums[2] + sums[3])) * (1.0f / kCount);
#pragma unroll
  for (int k = 0; k < kVectors; ++k)
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float values[kPerWord];
      Element<E>::unpack(vectors[k].words[w], values);
#pragma unroll
      for (int i = 0; i < kPerWord; ++i) {
        float deviation = values[i] - mean;
        squares[w] = k == 0 && i == 0 ? deviation * deviation
                                      : fmaf(deviation, deviation, squares[w]);
      }
    }
  return {mean, (squares[0] + squares[1]) + (squares[2] + squares[3])};
}

/// Moments of the first `count` elements of a vector; 0 of them: zeros.
template <typename E>
__device__ Moments momentsOfPart(const Vector &vector, int count) {
  constexpr int kPerWord = Element<E>::kPerWord;
  Moments result = {0, 0};
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    float values[kPerWord];
    Element<E>::unpack(vector.words[w], values);
#pragma unroll
    for (int i = 0; i < kPerWord; ++i)
      if (w * kPerWord + i < count)
        result = merge(result, w * kPerWord + i, {values[i], 0}, 1);
  }
  return result;
}

/// Merges the moments of a vector, of which `left` or all elements are of the
/// row, into `own` of `count` elements, and counts them.
template <typename E>
__device__ void mergeVector(Moments &own, float &count, const Vector &vector,
                            int left) {
  if (left >= Element<E>::kPerVector) {
    own = merge(own, count, momentsOfWhole<E, 1>(&vector),
                Element<E>::kPerVector);
    count += Element<E>::kPerVector;
  } else if (left > 0) {
    own = merge(own, count, momentsOfPart<E>(vector, left), left);
    count += left;
  }
}

/// One step of the merge of lanes: this lane's part with that of the lane whose
/// number differs in `bit`. `weight` is the other part's share of the elements
/// of both, `scale` this part's elements times that share.
inline __device__ Moments mergeLane(Moments own, int bit, float weight,
                                    float scale) {
  float mean = __shfl_xor_sync(~0u, own.mean, bit);
  float m2 = __shfl_xor_sync(~0u, own.m2, bit);
  float delta = mean - own.mean;
  return {fmaf(delta, weight, own.mean),
          fmaf(delta * delta, scale, own.m2 + m2)};
}

/// The share of `part` in `part + rest`, 0 for none; not rounded correctly,
/// which a weight need not be.
inline __device__ float getShare(float part, float rest) {
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(part + rest));
  return part > 0 ? part * inverse : 0.0f;
}

/// Merges the parts of the lanes of a warp, with weights that are computed
/// once. Lane 0 holds the result in the end; other lanes hold it up to
/// rounding.
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

  /// Each of the first `lanes` lanes holds `count` elements, the others none.
  /// No lane waits for another, and no weight is rounded correctly.
  __device__ void setEqual(float count, int lanes) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int step = 0; step < 5; ++step) {
      const int bit = 1 << step;
      const int first = lane & -bit;
      const float own = min(max(lanes - first, 0), bit);
      const float other = min(max(lanes - (first ^ bit), 0), bit);
      weight[step] = getShare(other, own);
      scale[step] = count * own * weight[step];
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

  /// The same in fewer instructions and registers, with weights of getShare.
  __device__ void setNearly(float count) {
#pragma unroll
    for (int step = 0; step < 5; ++step) {
      float other = __shfl_xor_sync(~0u, count, 1 << step);
      weight[step] = getShare(other, count);
      scale[step] = count * weight[step];
      count += other;
    }
  }

  /// Merges the first `lanes` lanes; those beyond hold nothing.
  __device__ Moments operator()(Moments own, int lanes = 32) const {
#pragma unroll
    for (int step = 0; step < 5; ++step) {
      if ((1 << step) >= lanes)
        break;
      own = mergeLane(own, 1 << step, weight[step], scale[step]);
    }
    return own;
  }

private:
  float weight[5];
  float scale[5];
};

/// The same where time is not short but registers are: keeps the count alone.
class SlimLaneMerge {
public:
  __device__ void setEqual(float elements) {
    count = elements;
    equal = true;
  }
  __device__ void set(float elements) {
    count = elements;
    equal = false;
  }
  __device__ void setNearly(float elements) { set(elements); }

  __device__ Moments operator()(Moments own, int lanes = 32) const {
    float size = count;
    for (int bit = 1; bit < lanes; bit *= 2) {
      if (equal) {
        own = mergeLane(own, bit, 0.5f, size * 0.5f);
        size *= 2;
      } else {
        float other = __shfl_xor_sync(~0u, size, bit);
        float total = size + other;
        float weight = total > 0 ? __fdiv_rn(other, total) : 0.0f;
        own = mergeLane(own, bit, weight, size * weight);
        size = total;
      }
    }
    return own;
  }

private:
  float count;
  bool equal;
};

} // namespace frit

#endif // FRIT_KERNELS_COMMON_MOMENTS_CUH
