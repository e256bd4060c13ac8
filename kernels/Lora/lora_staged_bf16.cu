//===- lora_staged_bf16.cu -------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LoRA kernels for bf16 by way of shared memory, for few tokens of high ranks.
//
//===----------------------------------------------------------------------===//

#include "Staged.cuh"

FRIT_LORA_STAGED_KERNEL(frit_lora_staged16_64_bf16, __nv_bfloat16, 64, 2)
FRIT_LORA_STAGED_KERNEL(frit_lora_staged16_128_bf16, __nv_bfloat16, 128, 2)
FRIT_LORA_STAGED_KERNEL(frit_lora_staged16_256_bf16, __nv_bfloat16, 256, 1)
