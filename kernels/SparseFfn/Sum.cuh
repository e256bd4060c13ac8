//===- Sum.cuh -------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The third kernel of the sparse FFN: adds the blocks' sums in a fixed order
// and rounds. A block has 32 columns of a token; its threads take every 32nd
// share each.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_SUM_CUH
#define FRIT_KERNELS_SPARSEFFN_SUM_CUH

#include "Common/Launch.cuh"
#include "SparseFfn/Operands.cuh"
#include "SparseFfn/SumLora.cuh"

namespace frit::sparseffn {

inline __device__ float4 addFours(float4 a, float4 b) {
  return make_float4(__fadd_rn(a.x, b.x), __fadd_rn(a.y, b.y),
                     __fadd_rn(a.z, b.z), __fadd_rn(a.w, b.w));
}

/// Grid: (ceildiv(h, kSumColumns), tokens). `out` is added to where `residual`
/// is not null, which may be `out`: both roundings are to E.
template <class E, class Lora = NoExpansion>
__device__ void sumKernel(const float *sums, const E *residual, E *out,
                          int64_t tokens, int64_t h, int64_t shares,
                          int64_t residualStride, int64_t outStride,
                          Lora lora = {}) {
  constexpr int kLanes = kSumColumns / 4; // Threads that share a row of sums.
  constexpr int kTaken = kSumThreads / kLanes;
  constexpr int kAtOnce = 4;
  __shared__ float4 partial[kSumThreads / 32][kLanes];
  const int64_t token = blockIdx.y;
#if FRIT_HAS_CLUSTERS
  // The next kernel may start at once: it waits for this one, which waits for
  // the one ahead, and that writes nothing which may be read before the wait.
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  lora.begin(token, h);
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  const int64_t width = paddedWidth(h),
                column = int64_t(blockIdx.x) * kSumColumns +
                         threadIdx.x % kLanes * 4;
  const float *from = sums + token * width + column;
  float4 own = make_float4(0, 0, 0, 0);
  if (column < h)
    for (int64_t base = threadIdx.x / kLanes; base < shares;
         base += kAtOnce * kTaken) {
      float4 loaded[kAtOnce];
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i)
        loaded[i] = base + i * kTaken < shares
                        ? *reinterpret_cast<const float4 *>(
                              from + (base + i * kTaken) * tokens * width)
                        : make_float4(0, 0, 0, 0);
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i)
        own = addFours(own, loaded[i]);
    }
#pragma unroll
  for (int bit = kLanes; bit < 32; bit *= 2)
    own = addFours(own, make_float4(__shfl_xor_sync(~0u, own.x, bit),
                                    __shfl_xor_sync(~0u, own.y, bit),
                                    __shfl_xor_sync(~0u, own.z, bit),
                                    __shfl_xor_sync(~0u, own.w, bit)));
  if (threadIdx.x % 32 < kLanes)
    partial[threadIdx.x / 32][threadIdx.x % 32] = own;
  lora.expand(token, h, shares);
  __syncthreads();
  const int64_t mine = int64_t(blockIdx.x) * kSumColumns + threadIdx.x;
  if (threadIdx.x >= kSumColumns || mine >= h)
    return;
  float sum = 0;
#pragma unroll
  for (int warp = 0; warp < kSumThreads / 32; ++warp)
    sum = __fadd_rn(
        sum, reinterpret_cast<const float *>(partial[warp])[threadIdx.x]);
  sum = lora.add(Element<E>::round(sum));
  if (residual)
    sum = __fadd_rn(sum, loadElement(residual + token * residualStride + mine));
  storeElement(out + token * outStride + mine, sum);
}

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_SUM_CUH
