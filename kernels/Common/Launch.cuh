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

/// Lets the next kernel of the stream start as soon as all blocks of this one
/// have started. It waits in `waitForEarlierKernels`; without the launch
/// attribute both are empty.
inline __device__ void letNextKernelStart() {
#if FRIT_HAS_CLUSTERS
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Makes the compiler take `value` as computed here, after all `volatile` code.
inline __device__ void keepBehind(int32_t &value) {
  asm volatile("" : "+r"(value)::"memory");
}
template <class T> __device__ void keepBehind(T *&pointer) {
  asm volatile("" : "+l"(pointer)::"memory");
}

/// Waits until the earlier kernels of the stream are complete and their writes
/// are visible. Every block must come here before it touches an operand, and
/// before it ends, so that waiting for one kernel means waiting for all.
inline __device__ void waitForEarlierKernels() {
#if FRIT_HAS_CLUSTERS
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
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
