//===- copy.cu -------------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copies that kernels are compared to: 16 bytes a thread, or 4 times 16.
//
//===----------------------------------------------------------------------===//

#include <cstdint>

/// What a launch costs.
extern "C" __global__ void frit_lab_empty() {}

extern "C" __global__ void frit_lab_copy(const uint4 *from, uint4 *to,
                                         int64_t count) {
  int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < count)
    to[at] = from[at];
}

extern "C" __global__ void frit_lab_copy4(const uint4 *from, uint4 *to,
                                          int64_t count) {
  int64_t first = static_cast<int64_t>(blockIdx.x) * 4 * blockDim.x;
  uint4 values[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (int64_t at = first + k * blockDim.x + threadIdx.x; at < count)
      values[k] = from[at];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (int64_t at = first + k * blockDim.x + threadIdx.x; at < count)
      to[at] = values[k];
}
