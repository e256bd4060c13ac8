//===- Cutoff.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cutoff of a row from the moments of its parts, where a block works for
// one token: by one warp, which has nothing to compete with, where the parts
// are as many as the gate's kernel has blocks for few tokens and equal; else by
// all warps in two steps. Both merge in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_CUTOFF_CUH
#define FRIT_KERNELS_SPARSEFFN_CUTOFF_CUH

#include "SparseFfn/Select.cuh"

namespace frit::sparseffn {

/// The parts of a row, equal ones merged by a warp: a tree over the numbers of
/// the parts from the lowest bit on, as that of mergeParts.
class PartTree {
  /// Parts of a lane, 32 apart.
  static constexpr int kChains = 8;

public:
  static constexpr int kParts = 32 * kChains;

  /// Asks for the parts.
  __device__ explicit PartTree(const Part *parts) {
#pragma unroll
    for (int c = 0; c < kChains; ++c)
      loaded[c] =
          __ldcg(reinterpret_cast<const float4 *>(parts) + 32 * c + lane());
  }

  /// Whether all parts have the same number of elements.
  __device__ bool isEven() const {
    const float first = __shfl_sync(~0u, loaded[0].z, 0);
    bool isEven = true;
#pragma unroll
    for (int c = 0; c < kChains; ++c)
      isEven &= loaded[c].z == first;
    return __all_sync(~0u, isEven);
  }

  /// The moments of the row, if the parts are even. Lane 0 holds them; other
  /// lanes hold them up to rounding.
  __device__ Moments merge() const {
    Moments own[kChains];
#pragma unroll
    for (int c = 0; c < kChains; ++c)
      own[c] = {loaded[c].x, loaded[c].y};
    float scale = loaded[0].z * 0.5f;
    halve<kChains>(own, 1, scale);
    halve<kChains / 2>(own, 2, scale);
    halve<kChains / 4>(own, 4, scale);
    Moments row = own[0];
    // What was halved last has the lowest bit of the chains' numbers.
#pragma unroll
    for (int bit : {8, 16, 4, 2, 1}) {
      row = mergeLane(row, bit, 0.5f, scale);
      scale *= 2;
    }
    return row;
  }

private:
  static __device__ int lane() { return static_cast<int>(threadIdx.x) % 32; }

  /// Merges `kCount` chains with those of the lane that differs in `bit`; the
  /// lane with the bit set keeps the second half of them, the other the first.
  template <int kCount>
  static __device__ void halve(Moments (&own)[kChains], int bit, float &scale) {
    const bool isSecond = lane() & bit;
    const float weight = isSecond ? -0.5f : 0.5f;
#pragma unroll
    for (int c = 0; c < kCount / 2; ++c) {
      const Moments first = own[c], second = own[c + kCount / 2];
      const Moments kept = isSecond ? second : first;
      const Moments sent = isSecond ? first : second;
      const float mean = __shfl_xor_sync(~0u, sent.mean, bit);
      const float m2 = __shfl_xor_sync(~0u, sent.m2, bit);
      const float delta = mean - kept.mean;
      // From the mean of the lane without the bit, as mergeLane does there.
      own[c] = {fmaf(delta, weight, isSecond ? mean : kept.mean),
                fmaf(delta * delta, scale, kept.m2 + m2)};
    }
    scale *= 2;
  }

  float4 loaded[kChains];
};

/// What the warps of a block tell each other.
struct CutoffShared {
  Part parts[1][kWarps];
  float cutoff;
  bool isKnown;
};

/// The cutoff of the token, by all threads. `ask` asks for what the block needs
/// next, behind the parts; `awaitOthers` waits for what it shall have before a
/// barrier.
template <class E, class Ask, class Await>
__device__ float findCutoff(const Operands<E> &all, CutoffShared &shared,
                            Ask ask, Await awaitOthers) {
  const bool isFirst = threadIdx.x < 32;
  Moments row = {0, 0};
  bool isKnown = false;
  if (isFirst && all.partCount == PartTree::kParts) {
    const PartTree tree(all.parts);
    isKnown = tree.isEven();
    row = tree.merge();
  }
  ask();
  if (isFirst) {
    const float cutoff = cutoffOf(all, row);
    if (threadIdx.x == 0) {
      shared.cutoff = cutoff;
      shared.isKnown = isKnown;
    }
  }
  awaitOthers();
  __syncthreads();
  if (__builtin_expect(shared.isKnown, 1))
    return shared.cutoff;
  mergeParts<1>(all, shared.parts);
  __syncthreads();
  return cutoffOf(all, shared.parts[0]);
}

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_CUTOFF_CUH
