//===- Barrier.cuh ---------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers in shared memory (mbarrier) and what completes on them: bulk copies
// from global memory and stores into the shared memory of another block of the
// cluster. Architecture 9.0 and later.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_COMMON_BARRIER_CUH
#define FRIT_KERNELS_COMMON_BARRIER_CUH

#include "Common/Launch.cuh"

namespace frit {

#if FRIT_HAS_CLUSTERS

// Barriers and data are named by their addresses in shared memory.

/// The address of `pointer` in shared memory. Opaque, since the compiler would
/// else compute it anew, from a special register, wherever it is used.
inline __device__ uint32_t sharedAddress(const void *pointer) {
  uint32_t address;
  asm volatile("mov.u32 %0, %1;"
               : "=r"(address)
               : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(pointer))));
  return address;
}

inline __device__ void barrierInit(uint32_t barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier),
               "r"(arrivals)
               : "memory");
}

/// Makes initialized barriers visible to other blocks and to the copy engine.
inline __device__ void barrierInitFence() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

inline __device__ void barrierArrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier)
               : "memory");
}

/// Arrives and announces `bytes` that will complete on the barrier.
inline __device__ void barrierExpect(uint32_t barrier, uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
      "r"(bytes)
      : "memory");
}

/// Waits for the end of the phase with this parity.
inline __device__ void barrierWait(uint32_t barrier, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "again:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@done bra finished;\n"
               "bra again;\n"
               "finished:\n"
               "}" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

/// Copies `bytes` (a multiple of 16, both addresses aligned to 16) from global
/// into shared memory and completes them on `barrier`.
inline __device__ void bulkLoad(uint32_t shared, const void *global,
                                uint32_t bytes, uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(shared),
               "l"(global), "r"(bytes), "r"(barrier)
               : "memory");
}

/// Stores two floats into another block's copy of `*shared` and completes their
/// 8 bytes on that block's copy of `barrier`.
inline __device__ void storeInBlock(uint32_t rank, uint32_t shared,
                                    float2 value, uint32_t barrier) {
  asm volatile(
      "{\n"
      ".reg .u32 data, done;\n"
      "mapa.shared::cluster.u32 data, %0, %4;\n"
      "mapa.shared::cluster.u32 done, %1, %4;\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [data], "
      "{%2, %3}, [done];\n"
      "}" ::"r"(shared),
      "r"(barrier), "f"(value.x), "f"(value.y), "r"(rank)
      : "memory");
}

inline __device__ void clusterArrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

inline __device__ void clusterWait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

#endif // FRIT_HAS_CLUSTERS

} // namespace frit

#endif // FRIT_KERNELS_COMMON_BARRIER_CUH
