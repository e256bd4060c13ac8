//===- lora_halves_bf16.cu -------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LoRA kernels for bf16 that compute one half through a ring of shared memory.
//
//===----------------------------------------------------------------------===//

#include "Decode.cuh"
#include "Flow.cuh"

FRIT_LORA_DECODE_SHRINK_KERNEL(frit_lora_decode_shrink_bf16, __nv_bfloat16,
                               decodeToken, 16, 1, FRIT_LORA_RESIDENT)
FRIT_LORA_DECODE_SHRINK_KERNEL(frit_lora_decode64_shrink_bf16, __nv_bfloat16,
                               decodeToken, 32, 2, FRIT_LORA_RESIDENT)
FRIT_LORA_DECODE_SHRINK_KERNEL(frit_lora_decode_tile8_shrink_bf16,
                               __nv_bfloat16, decodeTile, 16, 1,
                               FRIT_LORA_RESIDENT)
FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow16_16_shrink_bf16, __nv_bfloat16,
                           Shrink, 16, 16, 4, 256, 2)
FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow32_16_shrink_bf16, __nv_bfloat16,
                           Shrink, 32, 16, 4, 256, 2)
FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow16_64_shrink_bf16, __nv_bfloat16,
                           Shrink, 16, 64, 2, 256, 2)

FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow16_16_expand_bf16, __nv_bfloat16,
                           Expand, 16, 16, 2, 256, 3)
FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow32_16_expand_bf16, __nv_bfloat16,
                           Expand, 32, 16, 2, 256, 2)
FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow16_64_expand_bf16, __nv_bfloat16,
                           Expand, 16, 64, 2, 256, 2)
FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow16_256_expand_bf16, __nv_bfloat16,
                           Expand, 16, 256, 2, 128, 1)
