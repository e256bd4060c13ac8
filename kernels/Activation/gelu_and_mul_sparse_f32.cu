//===- gelu_and_mul_sparse_f32.cu ------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of gelu_and_mul_sparse over f32.
//
//===----------------------------------------------------------------------===//

#include "Activation/Instances.cuh"

FRIT_SPARSE_KERNELS(f32_tanh, SparseGelu<float, Rounding::Stepwise, GeluTanh>)
FRIT_SPARSE_KERNELS(f32_erf, SparseGelu<float, Rounding::Stepwise, GeluErf>)
