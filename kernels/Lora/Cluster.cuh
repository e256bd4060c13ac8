//===- Cluster.cuh ---------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clusters of blocks: who a block is, the barrier, messages to other blocks.
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

/// This cluster's number in the grid's row.
__device__ inline int clusterIndex() {
  uint32_t index;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(index));
  return static_cast<int>(index);
}

/// Clusters in the grid's row.
__device__ inline int clusterCount() {
  uint32_t count;
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(count));
  return static_cast<int>(count);
}

/// The halves of the cluster's barrier. It orders no memory accesses: a release
/// would wait for all of this thread's loads from global memory.
__device__ inline void clusterArrive() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
__device__ inline void clusterWait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// The address in block `rank` for a shared address of this block.
__device__ __forceinline__ uint32_t inBlock(uint32_t address, int rank) {
  uint32_t result;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(result)
      : "r"(address), "r"(rank));
  return result;
}

/// A barrier in shared memory that completes, once, when bytes have arrived. A
/// block alone stores what it sends itself: in a launch without clusters a
/// message is an illegal instruction.
struct Mailbox {
  uint64_t state;

  __device__ uint32_t address() const {
    return static_cast<uint32_t>(__cvta_generic_to_shared(&state));
  }

  /// Called by one thread, before its next arrival at the cluster's barrier.
  __device__ void expect(int bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
                 "fence.mbarrier_init.release.cluster;\n\t"
                 "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     address()),
                 "r"(bytes)
                 : "memory");
  }

  /// Waits until all bytes are here. Called by all threads.
  __device__ void wait() const {
    if (clusterBlocks() == 1) {
      __syncthreads();
      return;
    }
    uint32_t done;
    do
      asm volatile("{\n\t.reg .pred p;\n\t"
                   "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                   "selp.u32 %0, 1, 0, p;\n\t}"
                   : "=r"(done)
                   : "r"(address())
                   : "memory");
    while (!done);
  }

  /// Sends values to where the shared address `local` lies in block `rank`,
  /// whose mailbox counts them.
  __device__ void send(uint32_t local, int rank, float4 v) const {
    if (clusterBlocks() == 1) {
      asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(local),
                   "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                   : "memory");
      return;
    }
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 "
                 "[%0], {%1, %2, %3, %4}, [%5];" ::"r"(inBlock(local, rank)),
                 "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w),
                 "r"(inBlock(address(), rank))
                 : "memory");
  }
  __device__ void send(float *local, int rank, float4 v) const {
    send(static_cast<uint32_t>(__cvta_generic_to_shared(local)), rank, v);
  }
};

/// What the blocks of a cluster tell each other in two steps: sums, to the
/// block that finishes a token, and its rank vector, to all.
struct ExchangeMail {
  Mailbox sums, terms;

  /// Called by one thread, before its next arrival at the cluster's barrier:
  /// of `own` tokens `sumBytes` from each block, of the others, up to `count`,
  /// `termBytes` each.
  __device__ void expect(int blocks, int own, int sumBytes, int count,
                         int termBytes) {
    sums.expect(blocks * own * sumBytes);
    terms.expect((count - own) * termBytes);
  }
};

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_CLUSTER_CUH
