//===- lora_flow_bf16.cu ---------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LoRA kernels for bf16 whose operands flow through one ring of shared memory.
//
//===----------------------------------------------------------------------===//

#include "Flow.cuh"

FRIT_LORA_FLOW_KERNEL(frit_lora_flow16_16_bf16, __nv_bfloat16, 16, 16, 4)
FRIT_LORA_FLOW_KERNEL(frit_lora_flow32_16_bf16, __nv_bfloat16, 32, 16, 4)
FRIT_LORA_FLOW_KERNEL(frit_lora_flow16_32_bf16, __nv_bfloat16, 16, 32, 2)
FRIT_LORA_FLOW_KERNEL(frit_lora_flow16_64_bf16, __nv_bfloat16, 16, 64, 2)
FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow16_128_bf16, __nv_bfloat16, Both, 16,
                           128, 4, 128, 1)
FRIT_LORA_FLOW_HALF_KERNEL(frit_lora_flow16_256_bf16, __nv_bfloat16, Both, 16,
                           256, 2, 128, 1)
