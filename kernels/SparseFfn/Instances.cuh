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

#include "SparseFfn/Dealt.cuh"
#include "SparseFfn/Hidden.cuh"
#include "SparseFfn/Rows.cuh"
#include "SparseFfn/Sum.cuh"

#define FRIT_SPARSE_FFN_GATE_PARAMETERS(E)                                     \
  const E *x, const E *w, E *gate, frit::sparseffn::Part *parts,               \
      int64_t tokens, int64_t d, int64_t h, int64_t xStride, int64_t wStride,  \
      int64_t gateStride
#define FRIT_SPARSE_FFN_ROWS_PARAMETERS(E)                                     \
  const E *x, const E *gate, const frit::sparseffn::Part *parts, const E *up,  \
      const E *down, float *sums, int64_t tokens, int64_t d, int64_t h,        \
      int64_t partCount, int64_t xStride, int64_t gateStride,                  \
      int64_t upStride, int64_t downStride, float stdMultiplier,               \
      int32_t correction, int32_t flags
#define FRIT_SPARSE_FFN_SUM_PARAMETERS(E)                                      \
  const float *sums, const E *residual, E *out, int64_t tokens, int64_t h,     \
      int64_t shares, int64_t residualStride, int64_t outStride
/// What all LoRAs share, behind the other parameters.
#define FRIT_SPARSE_FFN_ADAPTERS                                               \
  const int32_t *ids, const float *scales, const int32_t *ranks,               \
      int64_t scalesStride, int64_t ranksStride, int64_t adapterCount,         \
      int64_t rank, int32_t loraFlags
/// A matrix of a LoRA, null where there is none.
#define FRIT_SPARSE_FFN_FACTOR(NAME)                                           \
  const void *NAME, int64_t NAME##AdapterStride, int64_t NAME##RowStride
#define FRIT_SPARSE_FFN_ADAPTERS_VALUE                                         \
  {ids, scales, ranks, scalesStride, ranksStride, adapterCount, rank, loraFlags}
#define FRIT_SPARSE_FFN_FACTOR_VALUE(NAME)                                     \
  {NAME, NAME##AdapterStride, NAME##RowStride}

#define FRIT_SPARSE_FFN_HIDDEN_KERNEL(NAME, E, START)                          \
  extern "C" __global__ void __launch_bounds__(                                \
      frit::sparseffn::kHiddenThreads)                                         \
      NAME(const E *x, float *hidden, int64_t h, int64_t xStride,              \
           FRIT_SPARSE_FFN_ADAPTERS, FRIT_SPARSE_FFN_FACTOR(gateA),            \
           FRIT_SPARSE_FFN_FACTOR(upA)) {                                      \
    frit::sparseffn::hiddenKernel<E, frit::matmul::Start::START>(              \
        x, FRIT_SPARSE_FFN_FACTOR_VALUE(gateA),                                \
        FRIT_SPARSE_FFN_FACTOR_VALUE(upA), FRIT_SPARSE_FFN_ADAPTERS_VALUE,     \
        hidden, h, xStride);                                                   \
  }

/// In order, and letting the gate ask for its weights before the kernels ahead
/// are complete.
#define FRIT_SPARSE_FFN_HIDDEN(VARIANT, E)                                     \
  FRIT_SPARSE_FFN_HIDDEN_KERNEL(frit_sparse_ffn_hidden_##VARIANT, E, Ordered)  \
  FRIT_SPARSE_FFN_HIDDEN_KERNEL(frit_sparse_ffn_hidden_##VARIANT##_early, E,   \
                                Early)

#define FRIT_SPARSE_FFN_GATE_KERNEL(NAME, E, TOKENS, RESIDENT, START)          \
  extern "C" __global__ void __launch_bounds__(frit::matmul::kThreads,         \
                                               RESIDENT)                       \
      NAME(FRIT_SPARSE_FFN_GATE_PARAMETERS(E)) {                               \
    const frit::matmul::Operands<E> operands = {                               \
        x, w, gate, tokens, d, h, xStride, wStride, gateStride};               \
    frit::matmul::gemvKernel<E, TOKENS, frit::matmul::Start::START>(           \
        operands, frit::sparseffn::StoreGate<E>(operands, parts));             \
  }

/// In order, and with the first weights asked for before the kernels ahead are
/// complete.
#define FRIT_SPARSE_FFN_GATE(VARIANT, E, TOKENS, RESIDENT)                     \
  FRIT_SPARSE_FFN_GATE_KERNEL(frit_sparse_ffn_gate_##VARIANT, E, TOKENS,       \
                              RESIDENT, Ordered)                               \
  FRIT_SPARSE_FFN_GATE_KERNEL(frit_sparse_ffn_gate_##VARIANT##_early, E,       \
                              TOKENS, RESIDENT, Early)

/// The kernel ahead is that of the rank vectors, which writes no weights. It
/// waits for all before it, or is told that they write none.
#define FRIT_SPARSE_FFN_GATE_LORA(VARIANT, E, TOKENS, RESIDENT)                \
  extern "C" __global__ void __launch_bounds__(frit::matmul::kThreads,         \
                                               RESIDENT)                       \
      frit_sparse_ffn_gate_##VARIANT##_lora(                                   \
          FRIT_SPARSE_FFN_GATE_PARAMETERS(E), FRIT_SPARSE_FFN_ADAPTERS,        \
          FRIT_SPARSE_FFN_FACTOR(b), const float *hidden, float scale) {       \
    const frit::matmul::Operands<E> operands = {                               \
        x, w, gate, tokens, d, h, xStride, wStride, gateStride};               \
    const frit::sparseffn::Expansion<E> lora = {                               \
        FRIT_SPARSE_FFN_ADAPTERS_VALUE, FRIT_SPARSE_FFN_FACTOR_VALUE(b),       \
        hidden, scale, frit::sparseffn::kGateProjection};                      \
    using Lora = frit::sparseffn::GateExpansion<E>;                            \
    frit::matmul::gemvKernel<E, TOKENS, frit::matmul::Start::Early>(           \
        operands,                                                              \
        frit::sparseffn::StoreGate<E, Lora>(operands, parts, Lora(lora, d)));  \
  }

#define FRIT_SPARSE_FFN_ROWS_VALUE                                             \
  {x,                                                                          \
   gate,                                                                       \
   parts,                                                                      \
   up,                                                                         \
   down,                                                                       \
   sums,                                                                       \
   tokens * frit::sparseffn::paddedWidth(h),                                   \
   tokens,                                                                     \
   d,                                                                          \
   h,                                                                          \
   partCount,                                                                  \
   xStride,                                                                    \
   gateStride,                                                                 \
   upStride,                                                                   \
   downStride,                                                                 \
   stdMultiplier,                                                              \
   correction,                                                                 \
   flags}

/// A thread has at most REGISTERS registers: up to 80 leave room beside the
/// block for one of the kernel after it.
#define FRIT_SPARSE_FFN_ROWS(VARIANT, E, TOKENS, REGISTERS)                    \
  extern "C" __global__ void __maxnreg__(REGISTERS)                            \
      frit_sparse_ffn_rows_##VARIANT(FRIT_SPARSE_FFN_ROWS_PARAMETERS(E)) {     \
    frit::sparseffn::rowsKernel<E, TOKENS>(FRIT_SPARSE_FFN_ROWS_VALUE);        \
  }

/// What the kernels of rows have for LoRAs, behind the other parameters.
#define FRIT_SPARSE_FFN_ROWS_LORA_PARAMETERS                                   \
  FRIT_SPARSE_FFN_ADAPTERS, FRIT_SPARSE_FFN_FACTOR(upB),                       \
      const float *upHidden, float upScale, FRIT_SPARSE_FFN_FACTOR(downA),     \
      float *downHidden
#define FRIT_SPARSE_FFN_ROWS_LORA_VALUE(E)                                     \
  frit::sparseffn::RowsLora<E> {                                               \
    {FRIT_SPARSE_FFN_ADAPTERS_VALUE, FRIT_SPARSE_FFN_FACTOR_VALUE(upB),        \
     upHidden, upScale, frit::sparseffn::kUpProjection},                       \
        FRIT_SPARSE_FFN_FACTOR_VALUE(downA), downHidden,                       \
        tokens *frit::sparseffn::paddedRank(rank)                              \
  }

/// A block a share of one token's rows; NAME is how it finds them.
#define FRIT_SPARSE_FFN_DEALT(NAME, VARIANT, E, SHARE, REGISTERS)              \
  extern "C" __global__ void __maxnreg__(REGISTERS)                            \
      frit_sparse_ffn_##NAME##_##VARIANT(FRIT_SPARSE_FFN_ROWS_PARAMETERS(E)) { \
    frit::sparseffn::dealtKernel<E, frit::sparseffn::SHARE<E>>(                \
        FRIT_SPARSE_FFN_ROWS_VALUE);                                           \
  }
#define FRIT_SPARSE_FFN_DEALT_LORA(NAME, VARIANT, E, SHARE, REGISTERS)         \
  extern "C" __global__ void __maxnreg__(REGISTERS)                            \
      frit_sparse_ffn_##NAME##_##VARIANT##_lora(                               \
          FRIT_SPARSE_FFN_ROWS_PARAMETERS(E),                                  \
          FRIT_SPARSE_FFN_ROWS_LORA_PARAMETERS) {                              \
    frit::sparseffn::dealtKernel<E, frit::sparseffn::SHARE<E>,                 \
                                 frit::sparseffn::DealtLora<E>>(               \
        FRIT_SPARSE_FFN_ROWS_VALUE, FRIT_SPARSE_FFN_ROWS_LORA_VALUE(E));       \
  }

#define FRIT_SPARSE_FFN_ROWS_LORA(VARIANT, E, TOKENS, REGISTERS)               \
  extern "C" __global__ void __maxnreg__(REGISTERS)                            \
      frit_sparse_ffn_rows_##VARIANT##_lora(                                   \
          FRIT_SPARSE_FFN_ROWS_PARAMETERS(E),                                  \
          FRIT_SPARSE_FFN_ROWS_LORA_PARAMETERS) {                              \
    frit::sparseffn::rowsKernel<E, TOKENS, frit::sparseffn::RowsLora<E>>(      \
        FRIT_SPARSE_FFN_ROWS_VALUE, FRIT_SPARSE_FFN_ROWS_LORA_VALUE(E));       \
  }

#define FRIT_SPARSE_FFN_SUM(VARIANT, E)                                        \
  extern "C" __global__ void __launch_bounds__(frit::sparseffn::kSumThreads)   \
      frit_sparse_ffn_sum_##VARIANT(FRIT_SPARSE_FFN_SUM_PARAMETERS(E)) {       \
    frit::sparseffn::sumKernel<E>(sums, residual, out, tokens, h, shares,      \
                                  residualStride, outStride);                  \
  }

#define FRIT_SPARSE_FFN_SUM_LORA(VARIANT, E)                                   \
  extern "C" __global__ void __launch_bounds__(frit::sparseffn::kSumThreads)   \
      frit_sparse_ffn_sum_##VARIANT##_lora(                                    \
          FRIT_SPARSE_FFN_SUM_PARAMETERS(E), FRIT_SPARSE_FFN_ADAPTERS,         \
          FRIT_SPARSE_FFN_FACTOR(b), const float *hidden, float scale) {       \
    using Lora = frit::sparseffn::DownExpansion<E>;                            \
    __shared__ Lora::Shared shared;                                            \
    const frit::sparseffn::Expansion<E> lora = {                               \
        FRIT_SPARSE_FFN_ADAPTERS_VALUE, FRIT_SPARSE_FFN_FACTOR_VALUE(b),       \
        hidden, scale, frit::sparseffn::kDownProjection};                      \
    frit::sparseffn::sumKernel<E, Lora>(sums, residual, out, tokens, h,        \
                                        shares, residualStride, outStride,     \
                                        Lora(lora, shared, tokens));           \
  }

/// All kernels of one type: RESIDENT blocks of the gate on a multiprocessor,
/// and the most registers of the rows' kernels: of dealt columns without and
/// with LoRAs, of one token, of several, and with LoRAs.
#define FRIT_SPARSE_FFN_KERNELS(NAME, E, RESIDENT, DEALT, DEALT_LORA, LEAN,    \
                                REGISTERS, WITH_LORA)                          \
  FRIT_SPARSE_FFN_GATE(NAME##_tile8, E, 8, RESIDENT)                           \
  FRIT_SPARSE_FFN_GATE(NAME##_tile16, E, 16, 1)                                \
  FRIT_SPARSE_FFN_ROWS(NAME##_tile1, E, 1, LEAN)                               \
  FRIT_SPARSE_FFN_ROWS(NAME##_tile2, E, 2, REGISTERS)                          \
  FRIT_SPARSE_FFN_ROWS(NAME##_tile4, E, 4, REGISTERS)                          \
  FRIT_SPARSE_FFN_ROWS(NAME##_tile8, E, 8, REGISTERS)                          \
  FRIT_SPARSE_FFN_DEALT(dealt, NAME, E, AllColumns, DEALT)                     \
  FRIT_SPARSE_FFN_DEALT(grouped, NAME, E, GroupColumns, DEALT)                 \
  FRIT_SPARSE_FFN_SUM(NAME, E)                                                 \
  FRIT_SPARSE_FFN_HIDDEN(NAME, E)                                              \
  FRIT_SPARSE_FFN_GATE_LORA(NAME##_tile8, E, 8, RESIDENT)                      \
  FRIT_SPARSE_FFN_GATE_LORA(NAME##_tile16, E, 16, 1)                           \
  FRIT_SPARSE_FFN_DEALT_LORA(dealt, NAME, E, AllColumns, DEALT_LORA)           \
  FRIT_SPARSE_FFN_DEALT_LORA(grouped, NAME, E, GroupColumns, DEALT_LORA)       \
  FRIT_SPARSE_FFN_ROWS_LORA(NAME##_tile1, E, 1, WITH_LORA)                     \
  FRIT_SPARSE_FFN_ROWS_LORA(NAME##_tile4, E, 4, WITH_LORA)                     \
  FRIT_SPARSE_FFN_ROWS_LORA(NAME##_tile8, E, 8, WITH_LORA)                     \
  FRIT_SPARSE_FFN_SUM_LORA(NAME, E)

#endif // FRIT_KERNELS_SPARSEFFN_INSTANCES_CUH
