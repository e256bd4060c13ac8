//===- Streamed.cuh --------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Family `streamed`: a block or a cluster for each row, any number of elements.
// The gate is read twice, once for the statistics and once for the result; the
// second time it comes from the caches where the row fits.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_STREAMED_CUH
#define FRIT_KERNELS_ACTIVATION_STREAMED_CUH

#include "Activation/Gates.cuh"
#include "Activation/Operands.cuh"
#include "Common/Exchange.cuh"

namespace frit {

/// A thread loads `kVectors` vectors before it uses the first.
template <typename Gate, int kVectors>
__device__ Moments streamMoments(const Rows<typename Gate::E> &rows, int64_t d,
                                 int64_t thread, int64_t threads) {
  using E = typename Gate::E;
  constexpr int kPerVector = Element<E>::kPerVector;
  Moments own = {0, 0};
  float count = 0;
  for (int64_t index = thread * kPerVector; index < d;
       index += kVectors * threads * kPerVector) {
    Vector gate[kVectors];
    int left[kVectors];
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
      int64_t at = index + k * threads * kPerVector;
      int64_t rest = d - at;
      left[k] = static_cast<int>(rest < 0            ? 0
                                 : rest > kPerVector ? kPerVector
                                                     : rest);
      gate[k] = rows.gate.load(at, left[k]);
    }
    if (left[kVectors - 1] == kPerVector) {
      constexpr float kSize = kVectors * kPerVector;
      own = merge(own, count, momentsOfWhole<E, kVectors>(gate), kSize);
      count += kSize;
      continue;
    }
#pragma unroll
    for (int k = 0; k < kVectors; ++k)
      mergeVector<E>(own, count, gate[k], left[k]);
  }
  return own;
}

template <typename Gate, int kVectors>
__device__ void streamResult(const Rows<typename Gate::E> &rows, int64_t d,
                             int64_t thread, int64_t threads, float cutoff) {
  using E = typename Gate::E;
  constexpr int kPerVector = Element<E>::kPerVector;
  for (int64_t index = thread * kPerVector; index < d;
       index += kVectors * threads * kPerVector) {
    Vector gate[kVectors], up[kVectors];
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
      int64_t at = index + k * threads * kPerVector;
      gate[k] = rows.gate.load(at, d - at);
      up[k] = rows.up.load(at, d - at);
    }
#pragma unroll
    for (int k = 0; k < kVectors; ++k) {
      int64_t at = index + k * threads * kPerVector;
      rows.out.store(at, d - at, Gate::apply(gate[k], up[k], cutoff));
    }
  }
}

/// Works through the rows cluster by cluster; any number of clusters will do.
template <typename Gate, Meet kMeet, int kVectors, typename Buffer>
__device__ void streamRows(const Operands<typename Gate::E> &operands,
                           const typename Gate::Parameters &parameters,
                           Buffer &buffer) {
  using E = typename Gate::E;
  constexpr bool kCluster = kMeet == Meet::Cluster;
  Exchange<kMeet, Buffer::kParts, Buffer::kRounds> exchange(buffer, blockDim.x);
  const int threads = kCluster ? blockDim.x * clusterSize() : blockDim.x;
  const int thread =
      kCluster ? clusterRank() * blockDim.x + threadIdx.x : threadIdx.x;
  const int64_t stride = kCluster ? clusterCount() : gridDim.x;
  const RowDeal<E, int64_t> deal(operands.d, threads);
  exchange.awaitBlocks();
  const Rows<E> all(operands);
  waitForEarlierKernels();

  uint32_t done = 0;
  for (int64_t token = kCluster ? clusterIndex() : blockIdx.x;
       token < operands.tokens; token += stride, ++done) {
    const Rows<E> rows = all.at(operands, token);
    Moments own =
        streamMoments<Gate, kVectors>(rows, operands.d, thread, threads);
    // Here and not before the rows: the weights would take registers from the
    // loads.
    LaneMerge lanes;
    lanes.setNearly(deal.count(thread, 1));
    exchange.publish(lanes(own), done);
    exchange.prepare(deal);
    Moments row = exchange.merged(deal, done);
    float cutoff = __shfl_sync(
        ~0u, Gate::cutoff(row, static_cast<float>(operands.d), parameters), 0);
    streamResult<Gate, (kVectors + 1) / 2>(rows, operands.d, thread, threads,
                                           cutoff);
  }
}

/// Grid: clusters * blocks of a cluster. Threads: a multiple of 32.
template <typename Gate, Meet kMeet>
__device__ void streamedKernel(const Operands<typename Gate::E> &operands,
                               const typename Gate::Parameters &parameters) {
  __shared__ ExchangeBuffer<kMeet == Meet::Cluster ? 512 : 32, 2> buffer;
  streamRows<Gate, kMeet, 4>(operands, parameters, buffer);
}

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_STREAMED_CUH
