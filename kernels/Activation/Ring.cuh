//===- Ring.cuh ------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Family `ring`: blocks that stay for the whole launch and take every
// gridDim-th row. Two warps copy gate and up in chunks into two rings of slots
// in shared memory with the bulk copy engine, as far ahead as the slots allow.
// The other warps measure a row's gate, publish their parts of its moments, and
// write the result of the row before: where the slots hold the gates of two
// rows, no warp waits for another, and the statistics of one row overlap the
// result of another. Rows that are not aligned to 16 bytes, and all before
// architecture 9.0, are streamed.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_RING_CUH
#define FRIT_KERNELS_ACTIVATION_RING_CUH

#include "Activation/Streamed.cuh"

namespace frit {

struct RingHeader {
  static constexpr int kMaxSlots = 32;
  /// Rows whose parts may be in shared memory at once: a warp publishes a row
  /// while the slowest may still merge the third before it.
  static constexpr int kRounds = 4;

  /// By slot; the gate's slots come first, then those of up.
  uint64_t full[kMaxSlots];
  uint64_t empty[kMaxSlots];
  /// Completes when the first row's gate has been asked for.
  uint64_t gateAsked;
  ExchangeBuffer<32, kRounds> exchange;
};

/// Bytes of shared memory before the slots; part of the launch plan.
constexpr int kRingHeaderBytes = 1664;
static_assert(sizeof(RingHeader) <= kRingHeaderBytes);

#if FRIT_HAS_CLUSTERS

/// One of the two rings; addresses are those of its first slot.
struct Ring {
  uint32_t fullBarriers;
  uint32_t emptyBarriers;
  uint32_t bytes;
  int slotBytes;
  int slots;

  __device__ uint32_t full(int slot) const { return fullBarriers + slot * 8; }
  __device__ uint32_t empty(int slot) const { return emptyBarriers + slot * 8; }
  __device__ uint32_t at(int slot) const { return bytes + slot * slotBytes; }
};

/// A place in a ring and the parity of its barriers' phase there.
struct RingPlace {
  int slot = 0;
  uint32_t parity = 0;

  __device__ void advance(const Ring &ring) {
    if (++slot == ring.slots) {
      slot = 0;
      parity ^= 1;
    }
  }
};

inline __device__ Vector loadShared(uint32_t address) {
  Vector v;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.words[0]), "=r"(v.words[1]), "=r"(v.words[2]),
                 "=r"(v.words[3])
               : "r"(address));
  return v;
}

/// The copying thread of one operand; calls `sayFirst` when it has asked for
/// the whole of the first row.
template <typename E, typename SayFirst>
__device__ void fillRing(const Ring &ring, const E *data, int64_t stride,
                         int64_t tokens, int rowBytes, SayFirst sayFirst) {
  RingPlace place;
  for (int64_t token = blockIdx.x; token < tokens; token += gridDim.x) {
    const unsigned char *row =
        reinterpret_cast<const unsigned char *>(data + token * stride);
    for (int offset = 0; offset < rowBytes; offset += ring.slotBytes) {
      int bytes = min(ring.slotBytes, rowBytes - offset);
      // A slot that was never used counts as empty.
      barrierWait(ring.empty(place.slot), place.parity ^ 1);
      barrierExpect(ring.full(place.slot), bytes);
      bulkLoad(ring.at(place.slot), row + offset, bytes, ring.full(place.slot));
      place.advance(ring);
      if (token == blockIdx.x && offset + ring.slotBytes >= rowBytes)
        sayFirst();
    }
  }
}

/// The computing threads of a block.
template <typename Gate, int kVectors> class RingReader {
  using E = typename Gate::E;
  static constexpr int kPerVector = Element<E>::kPerVector;

public:
  __device__ RingReader(RingHeader &header, const Ring &gates, const Ring &ups,
                        int d, int threads)
      : gates(gates), ups(ups), d(d), threads(threads),
        chunkSize(kVectors * threads * kPerVector), deal(d, threads),
        exchange(header.exchange, threads) {
    const float count = deal.count(threadIdx.x, 1);
    if (deal.isEven())
      lanes.setEqual(count);
    else
      lanes.set(count);
    exchange.prepare(deal);
  }

  /// Measures the gate of the next row and publishes this warp's part.
  __device__ void measure() {
    Moments own = {0, 0};
    float count = 0;
    for (int left = d; left > 0; left -= chunkSize) {
      barrierWait(gates.full(measured.slot), measured.parity);
      const uint32_t slot = gates.at(measured.slot) + threadIdx.x * 16;
      if (left >= chunkSize) {
        Vector gate[kVectors];
#pragma unroll
        for (int k = 0; k < kVectors; ++k)
          gate[k] = loadShared(slot + k * threads * 16);
        constexpr float kSize = kVectors * kPerVector;
        own = merge(own, count, momentsOfWhole<E, kVectors>(gate), kSize);
        count += kSize;
      } else {
#pragma unroll 1
        for (int k = 0; k < kVectors; ++k)
          if (offset(k) < left)
            mergeVector<E>(own, count, loadShared(slot + k * threads * 16),
                           kPerVector);
      }
      measured.advance(gates);
    }
    exchange.publish(lanes(own), measuredRows++);
  }

  /// Writes the result of the next row, which was measured before.
  __device__ void write(E *out, const typename Gate::Parameters &parameters) {
    Moments row = exchange.merged(deal, writtenRows++);
    float cutoff = __shfl_sync(
        ~0u, Gate::cutoff(row, static_cast<float>(d), parameters), 0);
    for (int left = d; left > 0; left -= chunkSize) {
      barrierWait(ups.full(read.slot), read.parity);
      const uint32_t gateSlot = gates.at(written.slot) + threadIdx.x * 16;
      const uint32_t upSlot = ups.at(read.slot) + threadIdx.x * 16;
      // All loads before the first use: few warps run at once.
      Vector gate[kVectors], up[kVectors];
      const bool whole = left >= chunkSize;
#pragma unroll
      for (int k = 0; k < kVectors; ++k)
        if (whole || offset(k) < left) {
          gate[k] = loadShared(gateSlot + k * threads * 16);
          up[k] = loadShared(upSlot + k * threads * 16);
        }
#pragma unroll
      for (int k = 0; k < kVectors; ++k)
        gate[k] = Gate::apply(gate[k], up[k], cutoff);
#pragma unroll
      for (int k = 0; k < kVectors; ++k)
        if (whole || offset(k) < left)
          storeWhole(out + offset(k), gate[k]);
      out += chunkSize;
      __syncwarp();
      if (threadIdx.x % 32 == 0) {
        barrierArrive(gates.empty(written.slot));
        barrierArrive(ups.empty(read.slot));
      }
      written.advance(gates);
      read.advance(ups);
    }
  }

private:
  /// Of this thread's vector k of a chunk, in elements.
  __device__ int offset(int k) const {
    return (k * threads + threadIdx.x) * kPerVector;
  }

  const Ring gates;
  const Ring ups;
  const int d;
  const int threads;
  /// In elements.
  const int chunkSize;
  RowDeal<E, int> deal;
  SlimLaneMerge lanes;
  Exchange<Meet::Warps, 32, RingHeader::kRounds> exchange;
  RingPlace measured;
  RingPlace written;
  RingPlace read;
  uint32_t measuredRows = 0;
  uint32_t writtenRows = 0;
};

#endif // FRIT_HAS_CLUSTERS

/// Grid: any number of blocks. Threads: a multiple of 32, of which the last two
/// warps copy. Shared memory: the header and whole slots, at most kMaxSlots, of
/// kVectors * 16 bytes for each of the computing threads; at least the chunks
/// of a row and one more.
template <typename Gate, int kVectors>
__device__ void ringKernel(const Operands<typename Gate::E> &operands,
                           const typename Gate::Parameters &parameters) {
#if FRIT_HAS_CLUSTERS
  using E = typename Gate::E;
  extern __shared__ __align__(128) unsigned char shared[];
  RingHeader &header = *reinterpret_cast<RingHeader *>(shared);
  const int threads = blockDim.x - 64;
  const int slotBytes = kVectors * 16 * threads;
  int sharedBytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(sharedBytes));
  const int slots =
      min((sharedBytes - kRingHeaderBytes) / slotBytes, RingHeader::kMaxSlots);
  // A row's gate and a chunk of up must fit.
  const int64_t allBytes = operands.d * sizeof(E);
  if (!Rows<E>(operands).allowVectors() || allBytes % 16 != 0 ||
      allBytes > int64_t(slots - 1) * slotBytes) {
    streamRows<Gate, Meet::Block, 1>(operands, parameters, header.exchange);
    return;
  }
  const int rowBytes = static_cast<int>(allBytes);
  const int chunks = (rowBytes + slotBytes - 1) / slotBytes;
  // Two rows of gate where they fit, then what is left in equal shares.
  const bool ahead = slots > 2 * chunks;
  const int least = ahead ? 2 * chunks : chunks;
  const int gateSlots = least + max(0, slots - least - chunks) / 2;
  const uint32_t full = sharedAddress(header.full);
  const uint32_t empty = sharedAddress(header.empty);
  const uint32_t asked = sharedAddress(&header.gateAsked);
  const uint32_t bytes = sharedAddress(shared) + kRingHeaderBytes;
  const Ring gates = {full, empty, bytes, slotBytes, gateSlots};
  const Ring ups = {full + gateSlots * 8, empty + gateSlots * 8,
                    bytes + gateSlots * slotBytes, slotBytes,
                    slots - gateSlots};
  if (threadIdx.x == 0) {
    for (int slot = 0; slot < slots; ++slot) {
      barrierInit(full + slot * 8, 1);
      barrierInit(empty + slot * 8, threads / 32);
    }
    for (uint64_t &barrier : header.exchange.arrived)
      barrierInit(sharedAddress(&barrier), threads / 32);
    barrierInit(asked, 1);
    barrierInitFence();
  }
  __syncthreads();

  if (threadIdx.x < threads) {
    RingReader<Gate, kVectors> reader(header, gates, ups,
                                      static_cast<int>(operands.d), threads);
    waitForEarlierKernels();
    int64_t next = blockIdx.x;
    for (int64_t token = blockIdx.x; token < operands.tokens;
         token += gridDim.x) {
      for (; next <= (ahead ? token + gridDim.x : token) &&
             next < operands.tokens;
           next += gridDim.x)
        reader.measure();
      reader.write(operands.out + token * operands.outStride, parameters);
    }
    return;
  }
  waitForEarlierKernels();
  if (threadIdx.x == threads) {
    fillRing(gates, operands.gate, operands.gateStride, operands.tokens,
             rowBytes, [&] { barrierArrive(asked); });
  } else if (threadIdx.x == threads + 32) {
    // The gate is needed first.
    if (blockIdx.x < operands.tokens)
      barrierWait(asked, 0);
    fillRing(ups, operands.up, operands.upStride, operands.tokens, rowBytes,
             [] {});
  }
#else
  __shared__ ExchangeBuffer<32, 2> buffer;
  streamRows<Gate, Meet::Block, 1>(operands, parameters, buffer);
#endif
}

} // namespace frit

#endif // FRIT_KERNELS_ACTIVATION_RING_CUH
