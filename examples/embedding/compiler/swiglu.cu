//===- swiglu.cu ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel of this compiler: silu(gate) * up in bf16, rounded after each step
// as Frit's op says. The simplest one that takes all sizes and strides.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cuda_bf16.h>

// Strides in elements. Blocks take turns at the rows.
extern "C" __global__ void
downstream_swiglu_bf16(const __nv_bfloat16 *gate, const __nv_bfloat16 *up,
                       __nv_bfloat16 *out, int64_t tokens, int64_t d,
                       int64_t gateStride, int64_t upStride,
                       int64_t outStride) {
  for (int64_t token = blockIdx.x; token < tokens; token += gridDim.x)
    for (int64_t i = threadIdx.x; i < d; i += blockDim.x) {
      float x = __bfloat162float(gate[token * gateStride + i]);
      __nv_bfloat16 silu = __float2bfloat16_rn(x / (1.0f + expf(-x)));
      out[token * outStride + i] = __hmul_rn(silu, up[token * upStride + i]);
    }
}
