//===- Elements.cuh -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of any alignment by way of shared memory: element by element, but
// neighbours by neighbouring threads, so that a warp's access is a few lines
// and what it writes to memory whole sectors.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_ELEMENTS_CUH
#define FRIT_KERNELS_LORA_ELEMENTS_CUH

#include "Shrink.cuh"

namespace frit::lora {

/// The bits of one element, which this kernel also writes.
template <class E>
__device__ __forceinline__ uint32_t loadWrittenBits(const E *from) {
  if constexpr (sizeof(E) == 4)
    return *reinterpret_cast<const volatile uint32_t *>(from);
  else
    return *reinterpret_cast<const volatile unsigned short *>(from);
}

/// Fills `Rows` rows of `Width` elements of 16 bits with `load(row, column)`,
/// at the shared addresses `place(row, column)`. Loads are issued together.
template <int Rows, int Width, class Load, class Place>
__device__ __forceinline__ void copyElements(Load load, Place place) {
  static_assert(kThreads % Width == 0 && Rows % (kThreads / Width) == 0);
  constexpr int kAtOnce = kThreads / Width, kEach = Rows / kAtOnce;
  constexpr int kBatch = kEach < 8 ? kEach : 8;
  const int column = static_cast<int>(threadIdx.x) % Width;
  const int first = static_cast<int>(threadIdx.x) / Width;
#pragma unroll 1
  for (int i = 0; i < kEach; i += kBatch) {
    uint32_t bits[kBatch];
#pragma unroll
    for (int u = 0; u < kBatch; ++u)
      bits[u] = load(first + kAtOnce * (i + u), column);
#pragma unroll
    for (int u = 0; u < kBatch; ++u)
      asm volatile("st.shared.u16 [%0], %1;" ::"r"(
                       place(first + kAtOnce * (i + u), column)),
                   "h"(static_cast<uint16_t>(bits[u]))
                   : "memory");
  }
}

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_ELEMENTS_CUH
