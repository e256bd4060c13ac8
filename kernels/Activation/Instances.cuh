//===- Instances.cuh -------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel functions of the gated activations: the names, parameters and
// launch bounds that kernels/README.md states, from the families' templates.
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

/// frit_gelu_and_mul_sparse_<FAMILY>_<VARIANT>, computed by the template that
/// comes last. A thread has at most REGISTERS registers: what lets blocks of
/// 1024 threads start and the usual rows of a family share a multiprocessor.
#define FRIT_SPARSE_KERNEL(FAMILY, VARIANT, E, REGISTERS, ...)                 \
  extern "C" __global__ void __maxnreg__(REGISTERS)                            \
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
  FRIT_SPARSE_KERNEL(registers1, VARIANT, E, 48,                               \
                     registersKernel<Gate, 1, Meet::Block, Up::InRegisters>)   \
  FRIT_SPARSE_KERNEL(registers2, VARIANT, E, 56,                               \
                     registersKernel<Gate, 2, Meet::Block, Up::InRegisters>)   \
  FRIT_SPARSE_KERNEL(registers3, VARIANT, E, 56,                               \
                     registersKernel<Gate, 3, Meet::Block, Up::InRegisters>)   \
  FRIT_SPARSE_KERNEL(registers4, VARIANT, E, 64,                               \
                     registersKernel<Gate, 4, Meet::Block, Up::InRegisters>)   \
  FRIT_SPARSE_KERNEL(parked6, VARIANT, E, 64,                                  \
                     registersKernel<Gate, 6, Meet::Block, Up::Parked>)        \
  FRIT_SPARSE_KERNEL(parked8, VARIANT, E, 64,                                  \
                     registersKernel<Gate, 8, Meet::Block, Up::Parked>)        \
  FRIT_SPARSE_KERNEL(cluster1, VARIANT, E, 64,                                 \
                     registersKernel<Gate, 1, Meet::Cluster, Up::InRegisters>) \
  FRIT_SPARSE_KERNEL(cluster2, VARIANT, E, 64,                                 \
                     registersKernel<Gate, 2, Meet::Cluster, Up::InRegisters>) \
  FRIT_SPARSE_KERNEL(parked_cluster4, VARIANT, E, 64,                          \
                     registersKernel<Gate, 4, Meet::Cluster, Up::Parked>)      \
  FRIT_SPARSE_KERNEL(needed8, VARIANT, E, 64,                                  \
                     registersKernel<Gate, 8, Meet::Block, Up::WhereNeeded>)   \
  FRIT_SPARSE_KERNEL(ring, VARIANT, E, 80, ringKernel<Gate, 2>)                \
  FRIT_SPARSE_KERNEL(streamed, VARIANT, E, 96,                                 \
                     streamedKernel<Gate, Meet::Block>)                        \
  FRIT_SPARSE_KERNEL(streamed_cluster, VARIANT, E, 96,                         \
                     streamedKernel<Gate, Meet::Cluster>)                      \
  }

/// frit_act_and_mul_flat_<VARIANT>; the gate comes last. The bounds leave the
/// compiler registers to work on both vectors at once.
#define FRIT_FLAT_KERNEL(VARIANT, ...)                                         \
  namespace frit::VARIANT {                                                    \
  using Gate = __VA_ARGS__;                                                    \
  extern "C" __global__ void __launch_bounds__(512, 1) frit_act_and_mul_flat_  \
      ##VARIANT(FRIT_OPERAND_PARAMETERS(Gate::E)) {                            \
    flatKernel<Gate, 2>(FRIT_OPERANDS);                                        \
  }                                                                            \
  }

#endif // FRIT_KERNELS_ACTIVATION_INSTANCES_CUH
