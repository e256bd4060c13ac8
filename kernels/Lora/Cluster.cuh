//===- Cluster.cuh ---------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clusters of blocks: who a block is, the barrier, stores to other blocks.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_CLUSTER_CUH
#define FRIT_KERNELS_LORA_CLUSTER_CUH

#include <cstdint>

namespace frit::lora {

/// Blocks in this cluster; 1 where the launch names no cluster.
__device__ inline int clusterBlocks() {
  uint32_t blocks;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  return static_cast<int>(blocks);
}

/// This block's number in its cluster.
__device__ inline int clusterRank() {
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(rank));
  return static_cast<int>(rank);
}

/// The halves of the cluster's barrier. Stores before an arrival, remote ones
/// too, are seen after the wait.
__device__ inline void clusterArrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ inline void clusterWait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// Stores to where `local` lies in the shared memory of block `rank`.
__device__ inline void storeRemote(float *local, int rank, float value) {
  uint32_t from = static_cast<uint32_t>(__cvta_generic_to_shared(local));
  uint32_t to;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(from), "r"(rank));
  asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(to), "f"(value)
               : "memory");
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_CLUSTER_CUH
