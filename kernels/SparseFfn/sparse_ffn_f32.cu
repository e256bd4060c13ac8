//===- sparse_ffn_f32.cu ----------------------------------------*- CUDA
//-*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of the sparse FFN over f32.
//
//===----------------------------------------------------------------------===//

#include "SparseFfn/Instances.cuh"

FRIT_SPARSE_FFN_KERNELS(f32, float, 1, 72, 80, 128, 128, 128)
