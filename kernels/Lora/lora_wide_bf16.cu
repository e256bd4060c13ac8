//===- lora_wide_bf16.cu ---------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LoRA kernels for bf16 on the wide matrix units, which only 9.0a has.
//
//===----------------------------------------------------------------------===//

#include "Wide.cuh"

FRIT_LORA_WIDE_KERNEL(frit_lora_wide32_bf16, __nv_bfloat16, 32, 2)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide64_bf16, __nv_bfloat16, 64, 2)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide128_bf16, __nv_bfloat16, 128, 1)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide256_bf16, __nv_bfloat16, 256, 1)
