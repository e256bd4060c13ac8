//===- gelu_and_mul_sparse_f16.cu ------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of gelu_and_mul_sparse over f16.
//
//===----------------------------------------------------------------------===//

#include "Activation/Instances.cuh"

FRIT_SPARSE_KERNELS(f16_stepwise_tanh,
                    SparseGelu<__half, Rounding::Stepwise, GeluTanh>)
FRIT_SPARSE_KERNELS(f16_stepwise_erf,
                    SparseGelu<__half, Rounding::Stepwise, GeluErf>)
FRIT_SPARSE_KERNELS(f16_final_tanh,
                    SparseGelu<__half, Rounding::Final, GeluTanh>)
FRIT_SPARSE_KERNELS(f16_final_erf, SparseGelu<__half, Rounding::Final, GeluErf>)
