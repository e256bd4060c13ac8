//===- Ring.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Family `ring`: blocks that stay for the whole launch and take every gridDim-th
// row. One warp copies gate and up in chunks into a ring of slots in shared memory
// with the bulk copy engine, as far ahead as the slots allow; the other warps
// measure the gate, wait for one another, and write the result, while the next
// row already arrives. A row's gate stays in its slots until its result is
// written: shared memory holds at least the gate of a row and one chunk of up.
// Architecture 9.0 and later; rows that are not aligned to 16 bytes are streamed.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_RING_CUH
#define FRIT_KERNELS_ACTIVATION_RING_CUH

#include "Activation/Streamed.cuh"

namespace frit {

struct RingHeader {
  static constexpr int kMaxSlots = 32;
  uint64_t full[kMaxSlots];
  uint64_t empty[kMaxSlots];
  ExchangeBuffer<32, 2> exchange;
};

/// Bytes of shared memory before the slots; part of the launch plan.
constexpr int kRingHeaderBytes = 1152;
static_assert(sizeof(RingHeader) <= kRingHeaderBytes);

/// A place in the ring, with the parity of the barriers' phase there.
struct RingPlace {
  int slot;
  uint32_t parity;

  __device__ void advance(int count, int slots) {
    slot += count;
    while (slot >= slots) {
      slot -= slots;
      parity ^= 1;
    }
  }
};

#if FRIT_HAS_CLUSTERS

/// The copying thread: for every row first the chunks of gate, then of up.
template <typename E>
__device__ void fillRing(const Operands<E> &operands, RingHeader &header,
                         unsigned char *ring, int slots, uint32_t slotBytes,
                         int chunks) {
  RingPlace place = {0, 0};
  const uint32_t rowBytes = static_cast<uint32_t>(operands.d * sizeof(E));
  for (int64_t token = blockIdx.x; token < operands.tokens;
       token += gridDim.x) {
    const E *sources[2] = {operands.gate + token * operands.gateStride,
                           operands.up + token * operands.upStride};
    for (const E *source : sources)
      for (int chunk = 0; chunk < chunks; ++chunk) {
        uint32_t offset = chunk * slotBytes;
        uint32_t bytes = min(slotBytes, rowBytes - offset);
        // A slot that was never used counts as empty.
        barrierWait(&header.empty[place.slot], place.parity ^ 1);
        barrierExpect(&header.full[place.slot], bytes);
        bulkLoad(ring + place.slot * slotBytes,
                 reinterpret_cast<const unsigned char *>(source) + offset,
                 bytes, &header.full[place.slot]);
        place.advance(1, slots);
      }
  }
}

template <typename Gate, int kVectors>
__device__ void drainRing(const Operands<typename Gate::E> &operands,
                          const typename Gate::Parameters &parameters,
                          RingHeader &header, const unsigned char *ring,
                          int slots, uint32_t slotBytes, int chunks,
                          int threads) {
  using E = typename Gate::E;
  constexpr int kPerVector = Element<E>::kPerVector;
  const int thread = threadIdx.x;
  const int d = static_cast<int>(operands.d);
  const RowDeal<E, int> deal(d, threads);
  Exchange<false, 32, 2> exchange(header.exchange, threads);
  exchange.prepare(deal);
  LaneMerge lanes;
  lanes.set(deal.count(thread, 1));
  const auto meet = [threads] {
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
  };
  const auto vectorsAt = [=](int slot) {
    return reinterpret_cast<const Vector *>(ring + slot * slotBytes) + thread;
  };
  const int chunkSize = kVectors * threads * kPerVector;

  RingPlace gatePlace = {0, 0};
  RingPlace upPlace = {0, 0};
  upPlace.advance(chunks, slots);
  uint32_t done = 0;
  for (int64_t token = blockIdx.x; token < operands.tokens;
       token += gridDim.x, ++done) {
    Moments own = {0, 0};
    float count = 0;
    RingPlace place = gatePlace;
    for (int chunk = 0; chunk < chunks; ++chunk, place.advance(1, slots)) {
      barrierWait(&header.full[place.slot], place.parity);
      const Vector *slot = vectorsAt(place.slot);
      int first = chunk * chunkSize + thread * kPerVector;
      Vector gate[kVectors];
      if ((chunk + 1) * chunkSize <= d) {
#pragma unroll
        for (int k = 0; k < kVectors; ++k)
          gate[k] = slot[k * threads];
        constexpr float kSize = kVectors * kPerVector;
        own = merge(own, count, momentsOfWhole<E>(gate), kSize);
        count += kSize;
        continue;
      }
      int left[kVectors];
      float size = 0;
#pragma unroll
      for (int k = 0; k < kVectors; ++k) {
        left[k] = first + k * threads * kPerVector < d ? kPerVector : 0;
        size += left[k];
        gate[k] = left[k] ? slot[k * threads] : Vector{{0, 0, 0, 0}};
      }
      own = merge(own, count, momentsOfPart<E>(gate, left, size), size);
      count += size;
    }
    Moments row = exchange(lanes(own), deal, done, meet);
    float cutoff = __shfl_sync(
        ~0u, Gate::cutoff(row, static_cast<float>(d), parameters), 0);

    E *out = operands.out + token * operands.outStride;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      barrierWait(&header.full[upPlace.slot], upPlace.parity);
      const Vector *gate = vectorsAt(gatePlace.slot);
      const Vector *up = vectorsAt(upPlace.slot);
      int first = chunk * chunkSize + thread * kPerVector;
#pragma unroll
      for (int k = 0; k < kVectors; ++k)
        if (first + k * threads * kPerVector < d)
          storeWhole(out + first + k * threads * kPerVector,
                     Gate::apply(gate[k * threads], up[k * threads], cutoff));
      __syncwarp();
      if (thread % 32 == 0) {
        barrierArrive(&header.empty[gatePlace.slot]);
        barrierArrive(&header.empty[upPlace.slot]);
      }
      gatePlace.advance(1, slots);
      upPlace.advance(1, slots);
    }
    gatePlace = upPlace;
    upPlace.advance(chunks, slots);
  }
}

#endif // FRIT_HAS_CLUSTERS

/// Grid: any number of blocks. Threads: a multiple of 32, of which the last
/// warp copies. Shared memory: the header and whole slots, at most kMaxSlots,
/// of kVectors * 16 bytes for each of the other threads.
template <typename Gate, int kVectors>
__device__ void ringKernel(const Operands<typename Gate::E> &operands,
                           const typename Gate::Parameters &parameters) {
#if FRIT_HAS_CLUSTERS
  using E = typename Gate::E;
  extern __shared__ __align__(128) unsigned char shared[];
  RingHeader &header = *reinterpret_cast<RingHeader *>(shared);
  letNextKernelStart();
  if (!Rows<E>(operands).allowVectors() || operands.d * sizeof(E) % 16 != 0) {
    streamRows<Gate, false>(operands, parameters, header.exchange);
    return;
  }
  const int threads = blockDim.x - 32;
  const uint32_t slotBytes = kVectors * 16 * threads;
  uint32_t sharedBytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(sharedBytes));
  const int slots =
      min((sharedBytes - kRingHeaderBytes) / slotBytes, RingHeader::kMaxSlots);
  const int chunks = static_cast<int>(
      (operands.d * sizeof(E) + slotBytes - 1) / slotBytes);
  if (threadIdx.x == 0) {
    for (int slot = 0; slot < slots; ++slot) {
      barrierInit(&header.full[slot], 1);
      barrierInit(&header.empty[slot], threads / 32);
    }
    barrierInitFence();
  }
  __syncthreads();
  waitForEarlierKernels();
  unsigned char *ring = shared + kRingHeaderBytes;
  if (threadIdx.x < threads)
    drainRing<Gate, kVectors>(operands, parameters, header, ring, slots,
                              slotBytes, chunks, threads);
  else if (threadIdx.x == threads)
    fillRing(operands, header, ring, slots, slotBytes, chunks);
#endif
}

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_RING_CUH
