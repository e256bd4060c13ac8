//===- lora_bf16.cu --------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LoRA kernels for bf16.
//
//===----------------------------------------------------------------------===//

#include "Decode.cuh"
#include "Kernel.cuh"

FRIT_LORA_KERNEL(frit_lora_tile8_bf16, __nv_bfloat16, __nv_bfloat16, 8)
FRIT_LORA_KERNEL(frit_lora_tile16_bf16, __nv_bfloat16, __nv_bfloat16, 16)
FRIT_LORA_DECODE_KERNEL(frit_lora_decode_bf16, __nv_bfloat16, decodeToken, 16,
                        1, FRIT_LORA_RESIDENT)
FRIT_LORA_DECODE_KERNEL(frit_lora_decode64_bf16, __nv_bfloat16, decodeToken, 32,
                        2, 1)
FRIT_LORA_DECODE_KERNEL(frit_lora_decode_tile8_bf16, __nv_bfloat16, decodeTile,
                        16, 1, FRIT_LORA_RESIDENT)
