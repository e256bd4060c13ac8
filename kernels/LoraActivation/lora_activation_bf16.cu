//===- lora_activation_bf16.cu ---------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LoRA and the sparse gated GELU in one pass, over bf16.
//
//===----------------------------------------------------------------------===//

#include "LoraActivation/Kernel.cuh"

namespace {
using Gate =
    frit::SparseGelu<__nv_bfloat16, frit::Rounding::Stepwise, frit::GeluTanh>;
} // namespace

FRIT_LORA_ACTIVATION_KERNEL(frit_lora_gelu_and_mul_sparse16_16_bf16, Gate, 16,
                            1, 4, 2)
