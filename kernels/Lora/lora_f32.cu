//===- lora_f32.cu ---------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LoRA kernels with f32 weights.
//
//===----------------------------------------------------------------------===//

#include "Kernel.cuh"

FRIT_LORA_KERNEL(frit_lora_tile16_f32, float, float, 16)
FRIT_LORA_KERNEL(frit_lora_tile16_bf16_f32, __nv_bfloat16, float, 16)
FRIT_LORA_KERNEL(frit_lora_tile16_f16_f32, __half, float, 16)
