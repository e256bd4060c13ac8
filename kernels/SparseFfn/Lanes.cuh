//===- Lanes.cuh -----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over the lanes of a warp.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_LANES_CUH
#define FRIT_KERNELS_SPARSEFFN_LANES_CUH

#include "Common/Element.cuh"

namespace frit::sparseffn {

/// The same in all lanes.
inline __device__ float addOverLanes(float value) {
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2)
    value = __fadd_rn(value, __shfl_xor_sync(~0u, value, bit));
  return value;
}

/// A lane's part of the product of two rows of so many vectors.
template <class E>
inline __device__ float multiplyRows(const Vector *as, const Vector *bs,
                                     int vectors, int lane) {
  constexpr int kPerWord = Element<E>::kPerWord;
  float sums[4] = {0, 0, 0, 0};
#pragma unroll 4
  for (int v = lane; v < vectors; v += 32) {
    const Vector a = as[v], b = bs[v];
#pragma unroll
    for (int w = 0; w < 4; ++w) {
      float left[kPerWord], right[kPerWord];
      Element<E>::unpack(a.words[w], left);
      Element<E>::unpack(b.words[w], right);
#pragma unroll
      for (int e = 0; e < kPerWord; ++e)
        sums[w] = fmaf(left[e], right[e], sums[w]);
    }
  }
  return __fadd_rn(__fadd_rn(sums[0], sums[1]), __fadd_rn(sums[2], sums[3]));
}

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_LANES_CUH
