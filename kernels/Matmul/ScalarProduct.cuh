//===- ScalarProduct.cuh ---------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 16 rows of f32 weights times 8 or 16 tokens by fused multiply-adds: the
// matrix units have no product of binary32. Every warp has an eighth of a
// stage's k, two lanes a row; x lies in shared memory, where all rows read the
// same places.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_MATMUL_SCALARPRODUCT_CUH
#define FRIT_KERNELS_MATMUL_SCALARPRODUCT_CUH

#include "Matmul/Input.cuh"
#include "Matmul/Stream.cuh"

namespace frit::matmul {

template <class E, int Tokens> class ScalarProduct {
  static constexpr int kKept = kKeptStages * kStage<E>;
  /// Vectors of a row that a lane takes of a stage.
  static constexpr int kVectors = kWarpBytes / 32;

public:
  static constexpr int kInputBytes =
      Tokens * kKept * static_cast<int>(sizeof(E));

  __device__ explicit ScalarProduct(uint32_t input)
      : x(input), row(threadIdx.x % 32 / 2), half(threadIdx.x % 2) {}

  __device__ void load(const Input<E> &input, int k) {
    constexpr int kPerToken = kKept / Element<E>::kPerVector;
    __syncthreads(); // Of the input before, all have taken theirs.
    for (int i = threadIdx.x; i < Tokens * kPerToken; i += kThreads)
      storeShared(x + 16 * i,
                  input.load(i / kPerToken,
                             k + i % kPerToken * Element<E>::kPerVector));
    __syncthreads();
  }

  __device__ void clear() {
#pragma unroll
    for (float &sum : sums)
      sum = 0;
  }

  __device__ void add(int s, uint32_t slot) {
    Vector weights[kVectors];
#pragma unroll
    for (int v = 0; v < kVectors; ++v)
      weights[v] = loadShared(slot + placeInSlot(row, half * kVectors + v));
    const uint32_t from = x + s * kStageBytes + threadIdx.x / 32 * kWarpBytes +
                          half * kVectors * 16;
#pragma unroll
    for (int t = 0; t < Tokens; ++t)
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        const Vector token =
            loadShared(from + t * kKept * static_cast<int>(sizeof(E)) + 16 * v);
#pragma unroll
        for (int i = 0; i < 4; ++i)
          sums[t] = fmaf(__uint_as_float(weights[v].words[i]),
                         __uint_as_float(token.words[i]), sums[t]);
      }
  }

  template <class Shares> __device__ void store(Shares &shares) const {
    auto &own = shares[threadIdx.x / 32];
#pragma unroll
    for (int t = 0; t < Tokens; ++t) {
      const float sum = __fadd_rn(sums[t], __shfl_xor_sync(~0u, sums[t], 1));
      if (half == 0)
        own[t][row] = sum;
    }
  }

private:
  uint32_t x;
  int row, half;
  float sums[Tokens];
};

} // namespace frit::matmul

#endif // FRIT_KERNELS_MATMUL_SCALARPRODUCT_CUH
