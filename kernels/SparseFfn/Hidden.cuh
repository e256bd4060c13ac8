//===- Hidden.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel before the gate's where there are LoRAs: the sums of the rank
// vectors of gate and up, a warp a rank of a token.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_HIDDEN_CUH
#define FRIT_KERNELS_SPARSEFFN_HIDDEN_CUH

#include "Matmul/Gemv.cuh"
#include "SparseFfn/Lanes.cuh"
#include "SparseFfn/Lora.cuh"

namespace frit::sparseffn {

inline constexpr int kHiddenThreads = 256;

/// sum_k row[k] * x[k], by a warp.
template <bool kIsWhole, class E, class W>
__device__ float multiplyRow(const W *row, const E *x, int64_t h) {
  constexpr int kAtOnce = 8;
  float sums[4] = {0, 0, 0, 0};
#pragma unroll 4
  for (int64_t k = threadIdx.x % 32 * kAtOnce; k < h; k += 32 * kAtOnce) {
    Elements<W, kAtOnce> left;
    Elements<E, kAtOnce> right;
    left.load(row + k, h - k, kIsWhole);
    right.load(x + k, h - k, kIsWhole);
    float weights[kAtOnce], values[kAtOnce];
    left.unpack(weights);
    right.unpack(values);
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i)
      sums[i / 2] = fmaf(weights[i], values[i], sums[i / 2]);
  }
  return addOverLanes(
      __fadd_rn(__fadd_rn(sums[0], sums[1]), __fadd_rn(sums[2], sums[3])));
}

/// Grid: (ceildiv(rank, warps), tokens, 2), the last for gate and up. `hidden`
/// is [2, tokens, paddedRank(rank)]; where a token has no adapter, or beyond
/// its true rank, nothing is written. With an early start, only where no kernel
/// ahead writes anything but x that the op is given, the gate's kernel need not
/// wait for those.
template <class E, matmul::Start kStart>
__device__ void hiddenKernel(const E *x, const Factor &gateA, const Factor &upA,
                             const Adapters &adapters, float *hidden, int64_t h,
                             int64_t xStride) {
  if (kStart == matmul::Start::Early)
    letNextKernelStart();
  const bool isUp = blockIdx.z == 1;
  const Factor a = isUp ? upA : gateA;
  const int64_t token = blockIdx.y;
  const int rank =
      static_cast<int>(blockIdx.x * (kHiddenThreads / 32) + threadIdx.x / 32);
  if (a.weights && rank < adapters.rank) {
    // An id that an earlier kernel may write still: only asked for.
    const int early = adapters.find(token);
    if (early >= 0)
      withWeights<E>(adapters.flags, [&](auto *type) {
        using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
        askLines(a.row<W>(early, rank), h * int64_t(sizeof(W)),
                 threadIdx.x % 32, 32);
      });
  }
  // The kernels after this one start only then, and so find what this one is
  // given complete before they wait for their own.
  waitForEarlierKernels(x);
  if (!a.weights)
    return;
  const int adapter = adapters.find(token);
  if (adapter < 0 || rank >= adapters.trueRank(adapter, isUp ? kUpProjection
                                                             : kGateProjection))
    return;
  float sum = 0;
  withWeights<E>(adapters.flags, [&](auto *type) {
    using W = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
    const W *row = a.row<W>(adapter, rank);
    const E *own = x + token * xStride;
    sum = isWhole(row, 0, h) && isWhole(own, 0, h) && h % 8 == 0
              ? multiplyRow<true>(row, own, h)
              : multiplyRow<false>(row, own, h);
  });
  if (threadIdx.x % 32 == 0)
    hidden[(blockIdx.z * int64_t(gridDim.y) + token) *
               paddedRank(adapters.rank) +
           rank] = sum;
}

} // namespace frit::sparseffn

#endif // FRIT_KERNELS_SPARSEFFN_HIDDEN_CUH
