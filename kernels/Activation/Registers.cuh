//===- Registers.cuh -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Families `registers`, `parked` and `needed`: a block or a cluster for each
// row, whose gate stays in registers between the statistics and the result.
// Gate and up are asked for at once, so a row costs one trip to memory. Up
// waits in registers, or it is parked in shared memory, so that wide rows leave
// registers for more rows on a multiprocessor; where it is known to be finite,
// `needed` asks for what the result depends on, and rows make two trips. Every
// thread has `kVectors` vectors of each: d = kVectors * threads * blocks of a
// cluster * elements of a vector. Rows of another length or alignment are
// streamed.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_REGISTERS_CUH
#define FRIT_KERNELS_ACTIVATION_REGISTERS_CUH

#include "Activation/Streamed.cuh"

namespace frit {

/// Where up waits for the cutoff; or that it is asked for after the cutoff, and
/// only in vectors whose gate has an element above it.
enum class Up { InRegisters, Parked, WhereNeeded };

template <typename Gate, int kVectors, Meet kMeet, Up kUp, typename Buffer>
__device__ void rowInRegisters(const Rows<typename Gate::E> &rows, int d,
                               int thread, int threads,
                               const typename Gate::Parameters &parameters,
                               Buffer &buffer) {
  using E = typename Gate::E;
  constexpr int kPerVector = Element<E>::kPerVector;
  Exchange<kMeet, Buffer::kParts, Buffer::kRounds> exchange(buffer, blockDim.x);
  waitForEarlierKernels();
  const int first = thread * kPerVector;
  const int step = threads * kPerVector;
  constexpr bool kParksUp = kUp != Up::InRegisters;
  Vector gate[kVectors], up[kParksUp ? 1 : kVectors];
#pragma unroll
  for (int k = 0; k < kVectors; ++k)
    gate[k] = loadWhole(rows.gate.data + first + k * step);
  // A thread reads only what it copied: no barrier is needed.
  extern __shared__ Vector waiting[];
  Vector *const parked = waiting + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    if constexpr (kUp == Up::Parked)
      copyToShared(parked + k * blockDim.x, rows.up.data + first + k * step);
    else if constexpr (kUp == Up::InRegisters)
      up[k] = loadWhole(rows.up.data + first + k * step);
  }

  LaneMerge lanes;
  lanes.setEqual(kVectors * kPerVector);
  exchange.awaitBlocks();
  exchange.publish(lanes(momentsOfWhole<E, kVectors>(gate)), 0);
  const RowDeal<E, int> deal(d, threads);
  exchange.prepare(deal);
  Moments row = exchange.merged(deal, 0);
  float cutoff =
      __shfl_sync(~0u, Gate::cutoff(row, static_cast<float>(d), parameters), 0);
  uint32_t active = 0;
  if constexpr (kUp == Up::WhereNeeded) {
#pragma unroll
    // Never ends early, as below.
    for (int k = 0; k < kVectors && k * step < d; ++k)
      if (Gate::isActive(gate[k], cutoff)) {
        active |= 1u << k;
        copyToShared(parked + k * blockDim.x, rows.up.data + first + k * step);
      }
  }
  if constexpr (kParksUp)
    awaitCopies();
  E *out = rows.out.data + first;
#pragma unroll
  for (int k = 0; k < kVectors; ++k, out += step) {
    // Never taken: keeps the compiler from computing all vectors side by side,
    // which would take more registers than there are.
    if (kVectors > 2 && k * step >= d)
      break;
    Vector other = kParksUp ? parked[k * blockDim.x] : up[kParksUp ? 0 : k];
    if constexpr (kUp == Up::WhereNeeded)
      for (uint32_t &word : other.words)
        word = active >> k & 1 ? word : 0;
    storeWhole(out, Gate::apply(gate[k], other, cutoff));
  }
}

/// Grid: tokens * blocks of a cluster. Threads: a multiple of 32. Dynamic
/// shared memory: kVectors * 16 bytes a thread where up is parked.
template <typename Gate, int kVectors, Meet kMeet, Up kUp>
__device__ void registersKernel(const Operands<typename Gate::E> &operands,
                                const typename Gate::Parameters &parameters) {
  using E = typename Gate::E;
  constexpr bool kCluster = kMeet == Meet::Cluster;
  __shared__ ExchangeBuffer<kCluster ? 512 : 32, 1> buffer;
  const int threads = kCluster ? blockDim.x * clusterSize() : blockDim.x;
  const Rows<E> all(operands);
  if (operands.d != int64_t(kVectors) * threads * Element<E>::kPerVector ||
      !all.allowVectors()) {
    streamRows<Gate, kMeet, 1>(operands, parameters, buffer);
    return;
  }
  const int thread =
      kCluster ? clusterRank() * blockDim.x + threadIdx.x : threadIdx.x;
  const int64_t token = kCluster ? clusterIndex() : blockIdx.x;
  rowInRegisters<Gate, kVectors, kMeet, kUp>(
      all.at(operands, token), static_cast<int>(operands.d), thread, threads,
      parameters, buffer);
}

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_REGISTERS_CUH
