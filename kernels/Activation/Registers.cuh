//===- Registers.cuh -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Family `registers`: a block or a cluster for each row, which stays in registers
// between the statistics and the result. Gate and up are asked for at once, so a
// row costs one trip to memory. A thread holds at most `kVectors` vectors of each:
// d <= kVectors * threads * blocks of a cluster * elements of a vector.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_REGISTERS_CUH
#define FRIT_KERNELS_ACTIVATION_REGISTERS_CUH

#include "Activation/Gates.cuh"
#include "Activation/Operands.cuh"
#include "Common/Exchange.cuh"

namespace frit {

template <typename Gate, int kVectors, bool kCluster, bool kWhole,
          typename Exchange>
__device__ void
rowInRegisters(const Rows<typename Gate::E> &rows, int d,
               const RowDeal<typename Gate::E, int> &deal, int thread,
               int threads, const typename Gate::Parameters &parameters,
               Exchange &exchange) {
  using E = typename Gate::E;
  constexpr int kPerVector = Element<E>::kPerVector;
  Vector gate[kVectors], up[kVectors];
  int left[kVectors];
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    int index = (k * threads + thread) * kPerVector;
    left[k] = d - index;
    if constexpr (kWhole)
      gate[k] = loadWhole<Reuse::Once>(rows.gate.data + index);
    else
      gate[k] = rows.gate.template load<Reuse::Once>(index, left[k]);
  }
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    int index = (k * threads + thread) * kPerVector;
    if constexpr (kWhole)
      up[k] = loadWhole<Reuse::Once>(rows.up.data + index);
    else
      up[k] = rows.up.template load<Reuse::Once>(index, left[k]);
  }

  LaneMerge lanes;
  float count = kWhole ? kVectors * kPerVector : deal.count(thread, 1);
  if constexpr (kWhole)
    lanes.setEqual(count);
  else
    lanes.set(count);
  exchange.prepare(deal);
  exchange.awaitBlocks();

  Moments own;
  if constexpr (kWhole)
    own = momentsOfWhole<E>(gate);
  else
    own = momentsOfPart<E>(gate, left, count);
  Moments row = exchange(lanes(own), deal, 0, [] { __syncthreads(); });
  float cutoff = __shfl_sync(
      ~0u, Gate::cutoff(row, static_cast<float>(d), parameters), 0);
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    int index = (k * threads + thread) * kPerVector;
    Vector result = Gate::apply(gate[k], up[k], cutoff);
    if constexpr (kWhole)
      storeWhole(rows.out.data + index, result);
    else
      rows.out.store(index, left[k], result);
  }
}

/// Grid: tokens * blocks of a cluster. Threads: a multiple of 32.
template <typename Gate, int kVectors, bool kCluster>
__device__ void registersKernel(const Operands<typename Gate::E> &operands,
                                const typename Gate::Parameters &parameters) {
  using E = typename Gate::E;
  __shared__ ExchangeBuffer<kCluster ? 512 : 32, 1> buffer;
  letNextKernelStart();
  Exchange<kCluster, kCluster ? 512 : 32, 1> exchange(buffer, blockDim.x);
  const int threads = kCluster ? blockDim.x * clusterSize() : blockDim.x;
  const int thread =
      kCluster ? clusterRank() * blockDim.x + threadIdx.x : threadIdx.x;
  const int64_t token = kCluster ? clusterIndex() : blockIdx.x;
  const int d = static_cast<int>(operands.d);
  const RowDeal<E, int> deal(d, threads);
  const Rows<E> all(operands);
  const Rows<E> rows = all.at(operands, token);
  const bool whole =
      deal.isEven() && deal.rounds == kVectors && rows.allowVectors();
  waitForEarlierKernels();
  if (whole)
    rowInRegisters<Gate, kVectors, kCluster, true>(rows, d, deal, thread,
                                                   threads, parameters,
                                                   exchange);
  else
    rowInRegisters<Gate, kVectors, kCluster, false>(rows, d, deal, thread,
                                                    threads, parameters,
                                                    exchange);
}

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_REGISTERS_CUH
