//===- sparse_ffn_f16.cu ----------------------------------------*- CUDA
//-*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of the sparse FFN over f16.
//
//===----------------------------------------------------------------------===//

#include "SparseFfn/Instances.cuh"

FRIT_SPARSE_FFN_KERNELS(f16, __half, 2, 56, 64, 64, 96, 128)
