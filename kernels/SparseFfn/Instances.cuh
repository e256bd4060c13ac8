//===- Instances.cuh -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel functions of the sparse FFN, as kernels/README.md states them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_SPARSEFFN_INSTANCES_CUH
#define FRIT_KERNELS_SPARSEFFN_INSTANCES_CUH

#include "SparseFfn/Rows.cuh"
#include "SparseFfn/Sum.cuh"

#define FRIT_SPARSE_FFN_GATE(VARIANT, E, TOKENS, START, RESIDENT)              \
  extern "C" __global__ void __launch_bounds__(frit::matmul::kThreads,         \
                                               RESIDENT)                       \
      frit_sparse_ffn_gate_##VARIANT(                                          \
          const E *x, const E *w, E *gate, frit::sparseffn::Part *parts,       \
          int64_t tokens, int64_t d, int64_t h, int64_t xStride,               \
          int64_t wStride, int64_t gateStride) {                               \
    const frit::matmul::Operands<E> operands = {                               \
        x, w, gate, tokens, d, h, xStride, wStride, gateStride};               \
    frit::matmul::gemvKernel<E, TOKENS, frit::matmul::Start::START>(           \
        operands, frit::sparseffn::StoreGate<E>(operands, parts));             \
  }

/// A thread has at most REGISTERS registers: up to 80 leave room beside the
/// block for one of the kernel after it.
#define FRIT_SPARSE_FFN_ROWS(VARIANT, E, TOKENS, REGISTERS)                    \
  extern "C" __global__ void __maxnreg__(REGISTERS)                            \
      frit_sparse_ffn_rows_##VARIANT(                                          \
          const E *x, const E *gate, const frit::sparseffn::Part *parts,       \
          const E *up, const E *down, float *sums, int64_t tokens, int64_t d,  \
          int64_t h, int64_t partCount, int64_t xStride, int64_t gateStride,   \
          int64_t upStride, int64_t downStride, float stdMultiplier,           \
          int32_t correction, int32_t flags) {                                 \
    frit::sparseffn::rowsKernel<E, TOKENS>(                                    \
        {x, gate, parts, up, down, sums,                                       \
         tokens * frit::sparseffn::paddedWidth(h), tokens, d, h, partCount,    \
         xStride, gateStride, upStride, downStride, stdMultiplier, correction, \
         flags});                                                              \
  }

#define FRIT_SPARSE_FFN_SUM(VARIANT, E)                                        \
  extern "C" __global__ void __launch_bounds__(frit::sparseffn::kSumThreads)   \
      frit_sparse_ffn_sum_##VARIANT(const float *sums, const E *residual,      \
                                    E *out, int64_t tokens, int64_t h,         \
                                    int64_t shares, int64_t residualStride,    \
                                    int64_t outStride) {                       \
    frit::sparseffn::sumKernel<E>(sums, residual, out, tokens, h, shares,      \
                                  residualStride, outStride);                  \
  }

/// All kernels of one type; REGISTERS as above.
#define FRIT_SPARSE_FFN_KERNELS(NAME, E, RESIDENT, LEAN, REGISTERS)            \
  FRIT_SPARSE_FFN_GATE(NAME##_tile8, E, 8, Ordered, RESIDENT)                  \
  FRIT_SPARSE_FFN_GATE(NAME##_tile8_early, E, 8, Early, RESIDENT)              \
  FRIT_SPARSE_FFN_GATE(NAME##_tile16, E, 16, Ordered, 1)                       \
  FRIT_SPARSE_FFN_GATE(NAME##_tile16_early, E, 16, Early, 1)                   \
  FRIT_SPARSE_FFN_ROWS(NAME##_tile1, E, 1, LEAN)                               \
  FRIT_SPARSE_FFN_ROWS(NAME##_tile2, E, 2, REGISTERS)                          \
  FRIT_SPARSE_FFN_ROWS(NAME##_tile4, E, 4, REGISTERS)                          \
  FRIT_SPARSE_FFN_ROWS(NAME##_tile8, E, 8, REGISTERS)                          \
  FRIT_SPARSE_FFN_SUM(NAME, E)

#endif // FRIT_KERNELS_SPARSEFFN_INSTANCES_CUH
