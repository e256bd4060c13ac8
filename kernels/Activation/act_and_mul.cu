//===- act_and_mul.cu ------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of act_and_mul.
//
//===----------------------------------------------------------------------===//

#include "Activation/Instances.cuh"

FRIT_FLAT_KERNEL(bf16_silu, ActAndMul<__nv_bfloat16, Silu>)
FRIT_FLAT_KERNEL(bf16_gelu_tanh, ActAndMul<__nv_bfloat16, GeluTanh>)
FRIT_FLAT_KERNEL(bf16_gelu_erf, ActAndMul<__nv_bfloat16, GeluErf>)
FRIT_FLAT_KERNEL(f16_silu, ActAndMul<__half, Silu>)
FRIT_FLAT_KERNEL(f16_gelu_tanh, ActAndMul<__half, GeluTanh>)
FRIT_FLAT_KERNEL(f16_gelu_erf, ActAndMul<__half, GeluErf>)
FRIT_FLAT_KERNEL(f32_silu, ActAndMul<float, Silu>)
FRIT_FLAT_KERNEL(f32_gelu_tanh, ActAndMul<float, GeluTanh>)
FRIT_FLAT_KERNEL(f32_gelu_erf, ActAndMul<float, GeluErf>)
