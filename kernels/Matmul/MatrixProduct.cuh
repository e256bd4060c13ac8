//===- MatrixProduct.cuh ---------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 16 rows of 16-bit weights times 8 or 16 tokens on the matrix units. Every
// warp has an eighth of a stage's k. Which k a place of the unit's tile holds
// is free as long as both operands agree: a lane takes 16 bytes of a row as the
// four pairs of two products, straight from where the copy put them, and keeps
// the same places of x in registers for all tiles.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_MATMUL_MATRIXPRODUCT_CUH
#define FRIT_KERNELS_MATMUL_MATRIXPRODUCT_CUH

#include "Common/MatrixUnit.cuh"
#include "Matmul/Input.cuh"
#include "Matmul/Stream.cuh"

namespace frit::matmul {

template <class E, int Tokens> class MatrixProduct {
  static constexpr int kTokenTiles = Tokens / 8;
  /// Vectors of a row that a lane takes of a stage; four lanes share 32 k.
  static constexpr int kVectors = kWarpStage<E> / 32;

public:
  /// Bytes of shared memory that the input takes.
  static constexpr int kInputBytes = 0;

  __device__ explicit MatrixProduct(uint32_t)
      : group(threadIdx.x % 32 / 4), quarter(threadIdx.x % 4) {}

  /// Takes the input from `k` on for the kept stages.
  __device__ void load(const Input<E> &input, int k) {
#pragma unroll
    for (int s = 0; s < kKeptStages; ++s)
#pragma unroll
      for (int v = 0; v < kVectors; ++v)
#pragma unroll
        for (int t = 0; t < kTokenTiles; ++t)
          x[s][v][t] =
              input.load(8 * t + group,
                         k + s * kStage<E> + threadIdx.x / 32 * kWarpStage<E> +
                             32 * v + quarter * Element<E>::kPerVector);
  }

  __device__ void clear() {
#pragma unroll
    for (int t = 0; t < kTokenTiles; ++t)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        sums[t][i] = 0;
  }

  /// Adds kept stage `s`.
  __device__ void add(int s, uint32_t slot) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const Vector low = loadShared(slot + placeInSlot(group, 4 * v + quarter));
      const Vector high =
          loadShared(slot + placeInSlot(group + 8, 4 * v + quarter));
#pragma unroll
      for (int t = 0; t < kTokenTiles; ++t)
#pragma unroll
        for (int i = 0; i < 4; i += 2)
          multiply<std::is_same_v<E, __half>>(
              sums[t], low.words[i], high.words[i], low.words[i + 1],
              high.words[i + 1], x[s][v][t].words[i], x[s][v][t].words[i + 1]);
    }
  }

  /// Stores this thread's part of the tile's shares.
  template <class Shares> __device__ void store(Shares &shares) const {
    auto &own = shares[threadIdx.x / 32];
#pragma unroll
    for (int t = 0; t < kTokenTiles; ++t)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        own[8 * t + quarter * 2 + i % 2][group + i / 2 * 8] = sums[t][i];
  }

private:
  int group, quarter;
  Vector x[kKeptStages][kVectors][kTokenTiles];
  float sums[kTokenTiles][4];
};

} // namespace frit::matmul

#endif // FRIT_KERNELS_MATMUL_MATRIXPRODUCT_CUH
