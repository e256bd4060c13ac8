//===- Instances.cuh -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel functions of the gated activations: the names, parameters and launch
// bounds that kernels/README.md states, from the families' templates.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_ACTIVATION_INSTANCES_CUH
#define FRIT_KERNELS_ACTIVATION_INSTANCES_CUH

#include "Activation/Flat.cuh"
#include "Activation/Registers.cuh"
#include "Activation/Ring.cuh"
#include "Activation/Streamed.cuh"

#define FRIT_OPERAND_PARAMETERS(E)                                             \
  const E *gate, const E *up, E *out, int64_t tokens, int64_t d,               \
      int64_t gateStride, int64_t upStride, int64_t outStride
#define FRIT_OPERANDS                                                          \
  {gate, up, out, tokens, d, gateStride, upStride, outStride}

/// frit_gelu_and_mul_sparse_<FAMILY>_<VARIANT>, computed by CALL.
#define FRIT_SPARSE_KERNEL(FAMILY, VARIANT, E, THREADS, ...)                   \
  extern "C" __global__ void __launch_bounds__(THREADS)                        \
      frit_gelu_and_mul_sparse_##FAMILY##_##VARIANT(                           \
          FRIT_OPERAND_PARAMETERS(E), float stdMultiplier,                     \
          int32_t correction) {                                                \
    __VA_ARGS__(FRIT_OPERANDS, {stdMultiplier, correction});                   \
  }

/// Every family of one variant (dtype, rounding, approximation).
#define FRIT_SPARSE_KERNELS(VARIANT, ...)                                      \
  namespace frit::VARIANT {                                                    \
  using Gate = __VA_ARGS__;                                                    \
  using E = Gate::E;                                                           \
  FRIT_SPARSE_KERNEL(registers1, VARIANT, E, 1024,                             \
                     registersKernel<Gate, 1, false>)                          \
  FRIT_SPARSE_KERNEL(registers2, VARIANT, E, 512,                             \
                     registersKernel<Gate, 2, false>)                          \
  FRIT_SPARSE_KERNEL(registers4, VARIANT, E, 512,                              \
                     registersKernel<Gate, 4, false>)                          \
  FRIT_SPARSE_KERNEL(cluster1, VARIANT, E, 1024,                               \
                     registersKernel<Gate, 1, true>)                           \
  FRIT_SPARSE_KERNEL(cluster2, VARIANT, E, 512,                               \
                     registersKernel<Gate, 2, true>)                           \
  FRIT_SPARSE_KERNEL(ring, VARIANT, E, 544, ringKernel<Gate, 2>)              \
  FRIT_SPARSE_KERNEL(streamed, VARIANT, E, 512, streamedKernel<Gate, false>)   \
  FRIT_SPARSE_KERNEL(streamed_cluster, VARIANT, E, 512,                        \
                     streamedKernel<Gate, true>)                               \
  }

#define FRIT_FLAT_KERNEL(VECTORS, VARIANT, ...)                                \
  extern "C" __global__ void __launch_bounds__(512)                            \
      frit_act_and_mul_flat##VECTORS##_##VARIANT(                              \
          FRIT_OPERAND_PARAMETERS(__VA_ARGS__::E)) {                           \
    frit::flatKernel<__VA_ARGS__, VECTORS>(FRIT_OPERANDS);                     \
  }
#define FRIT_FLAT_KERNELS(VARIANT, ...)                                        \
  namespace frit::VARIANT {                                                    \
  using Gate = __VA_ARGS__;                                                    \
  FRIT_FLAT_KERNEL(1, VARIANT, Gate)                                           \
  FRIT_FLAT_KERNEL(2, VARIANT, Gate)                                           \
  FRIT_FLAT_KERNEL(4, VARIANT, Gate)                                           \
  }

#endif // FRIT_KERNELS_ACTIVATION_INSTANCES_CUH
