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

inline __device__ uint32_t sharedAddress(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

inline __device__ void barrierInit(uint64_t *barrier, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(arrivals)
               : "memory");
}

/// Makes initialized barriers visible to other blocks and to the copy engine.
inline __device__ void barrierInitFence() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

inline __device__ void barrierArrive(uint64_t *barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                   sharedAddress(barrier))
               : "memory");
}

/// Arrives and announces `bytes` that will complete on the barrier.
inline __device__ void barrierExpect(uint64_t *barrier, uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
          sharedAddress(barrier)),
      "r"(bytes)
      : "memory");
}

/// Waits for the end of the phase with this parity.
inline __device__ void barrierWait(uint64_t *barrier, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred done;\n"
               "again:\n"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
               "done, [%0], %1;\n"
               "@done bra finished;\n"
               "bra again;\n"
               "finished:\n"
               "}" ::"r"(sharedAddress(barrier)),
               "r"(parity)
               : "memory");
}

/// Copies `bytes` (a multiple of 16, both addresses aligned to 16) from global
/// into shared memory and completes them on `barrier`.
inline __device__ void bulkLoad(void *shared, const void *global,
                                uint32_t bytes, uint64_t *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(shared)),
               "l"(global), "r"(bytes), "r"(sharedAddress(barrier))
               : "memory");
}

/// Stores two floats into another block's copy of `*shared` and completes their
/// 8 bytes on that block's copy of `barrier`.
inline __device__ void storeInBlock(uint32_t rank, float2 *shared, float2 value,
                                    uint64_t *barrier) {
  asm volatile(
      "{\n"
      ".reg .u32 data, done;\n"
      "mapa.shared::cluster.u32 data, %0, %4;\n"
      "mapa.shared::cluster.u32 done, %1, %4;\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [data], "
      "{%2, %3}, [done];\n"
      "}" ::"r"(sharedAddress(shared)),
      "r"(sharedAddress(barrier)), "f"(value.x), "f"(value.y), "r"(rank)
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
