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

FRIT_LORA_WIDE_KERNEL(frit_lora_wide32_bf16, __nv_bfloat16, Both, 32, 2)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide64_bf16, __nv_bfloat16, Both, 64, 2)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide128_bf16, __nv_bfloat16, Both, 128, 1)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide256_bf16, __nv_bfloat16, Both, 256, 1)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide64_shrink_bf16, __nv_bfloat16, Shrink, 64,
                      2)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide32_expand_bf16, __nv_bfloat16, Expand, 32,
                      2)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide64_expand_bf16, __nv_bfloat16, Expand, 64,
                      2)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide128_expand_bf16, __nv_bfloat16, Expand, 128,
                      1)
FRIT_LORA_WIDE_KERNEL(frit_lora_wide256_expand_bf16, __nv_bfloat16, Expand, 256,
                      1)
