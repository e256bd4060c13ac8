//===- matmul_gemv.cu ------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matrix products for few tokens.
//
//===----------------------------------------------------------------------===//

#include "Matmul/Gemv.cuh"

/// frit_matmul_gemv_<VARIANT>: tiles of TOKENS tokens. RESIDENT blocks fit on
/// a multiprocessor, so that the next kernel's can start beside them.
#define FRIT_GEMV_KERNEL(VARIANT, E, TOKENS, START, RESIDENT)                  \
  extern "C" __global__ void __launch_bounds__(frit::matmul::kThreads,         \
                                               RESIDENT)                       \
      frit_matmul_gemv_##VARIANT(const E *x, const E *w, E *out,               \
                                 int64_t tokens, int64_t n, int64_t k,         \
                                 int64_t xStride, int64_t wStride,             \
                                 int64_t outStride, int32_t accumulate) {      \
    const frit::matmul::Operands<E> operands = {x,         w,                  \
                                                out,       tokens,             \
                                                n,         k,                  \
                                                xStride,   wStride,            \
                                                outStride, accumulate != 0};   \
    frit::matmul::gemvKernel<E, TOKENS, frit::matmul::Start::START>(           \
        operands, frit::matmul::StoreSums<E>(operands));                       \
  }

#define FRIT_GEMV_KERNELS(NAME, E, RESIDENT)                                   \
  FRIT_GEMV_KERNEL(NAME##_tile8, E, 8, Ordered, RESIDENT)                      \
  FRIT_GEMV_KERNEL(NAME##_tile8_early, E, 8, Early, RESIDENT)                  \
  FRIT_GEMV_KERNEL(NAME##_tile16, E, 16, Ordered, RESIDENT)                    \
  FRIT_GEMV_KERNEL(NAME##_tile16_early, E, 16, Early, RESIDENT)

FRIT_GEMV_KERNELS(bf16, __nv_bfloat16, 2)
FRIT_GEMV_KERNELS(f16, __half, 2)
FRIT_GEMV_KERNELS(f32, float, 1)
