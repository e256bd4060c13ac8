//===- gelu_and_mul_sparse_bf16.cu -----------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of gelu_and_mul_sparse over bf16.
//
//===----------------------------------------------------------------------===//

#include "Activation/Instances.cuh"

FRIT_SPARSE_KERNELS(bf16_stepwise_tanh,
                    SparseGelu<__nv_bfloat16, Rounding::Stepwise, GeluTanh>)
FRIT_SPARSE_KERNELS(bf16_stepwise_erf,
                    SparseGelu<__nv_bfloat16, Rounding::Stepwise, GeluErf>)
FRIT_SPARSE_KERNELS(bf16_final_tanh,
                    SparseGelu<__nv_bfloat16, Rounding::Final, GeluTanh>)
FRIT_SPARSE_KERNELS(bf16_final_erf,
                    SparseGelu<__nv_bfloat16, Rounding::Final, GeluErf>)
