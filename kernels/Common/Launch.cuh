//===- Launch.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programmatic dependent launch and the place of a block in its cluster. On
// architectures before 9.0 kernels start one after the other and every block is
// a cluster of its own.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_COMMON_LAUNCH_CUH
#define FRIT_KERNELS_COMMON_LAUNCH_CUH

#include <cstdint>

namespace frit {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define FRIT_HAS_CLUSTERS 1
#else
#define FRIT_HAS_CLUSTERS 0
#endif

/// Makes the compiler take `value` as computed here, after all `volatile` code.
inline __device__ void keepBehind(int32_t &value) {
  asm volatile("" : "+r"(value)::"memory");
}
template <class T> __device__ void keepBehind(T *&pointer) {
  asm volatile("" : "+l"(pointer)::"memory");
}

/// The halves of waitForEarlierKernels, for a kernel that has something to do
/// between them.
inline __device__ void awaitEarlierKernels() {
#if FRIT_HAS_CLUSTERS
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
inline __device__ void letNextKernelStart() {
#if FRIT_HAS_CLUSTERS
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Waits until the earlier kernels of the stream are complete and their writes
/// are visible, then lets the next kernel start beside this one; without the
/// launch attribute it does nothing. Every block must come here before it
/// touches an operand, and before it ends, so that waiting for one kernel means
/// waiting for all. The next kernel may not start any earlier, unless the one
/// that lets it says why: whole queues of waiting kernels would fill the
/// multiprocessors and crowd each other's blocks onto a few of them.
inline __device__ void waitForEarlierKernels() {
  awaitEarlierKernels();
  letNextKernelStart();
}

/// The same for a kernel whose loads the compiler may move, since nothing
/// writes to what they read while it runs: it cannot compute an address from
/// one of `values` earlier.
template <class... Values>
__device__ void waitForEarlierKernels(Values &...values) {
  waitForEarlierKernels();
  (keepBehind(values), ...);
}

inline __device__ uint32_t clusterSize() {
#if FRIT_HAS_CLUSTERS
  uint32_t size;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(size));
  return size;
#else
  return 1;
#endif
}

inline __device__ uint32_t clusterRank() {
#if FRIT_HAS_CLUSTERS
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
#else
  return 0;
#endif
}

inline __device__ uint32_t clusterIndex() {
#if FRIT_HAS_CLUSTERS
  uint32_t index;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(index));
  return index;
#else
  return blockIdx.x;
#endif
}

inline __device__ uint32_t clusterCount() {
#if FRIT_HAS_CLUSTERS
  uint32_t count;
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(count));
  return count;
#else
  return gridDim.x;
#endif
}

} // namespace frit

#endif // FRIT_KERNELS_COMMON_LAUNCH_CUH
