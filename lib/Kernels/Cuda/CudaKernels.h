//===- CudaKernels.h - Entries of the fused CUDA kernels --------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of the kernels in kernels/, one function for each family of ops.
// What the kernels take and when each is faster is in kernels/README.md.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_CUDA_CUDAKERNELS_H
#define FRIT_LIB_KERNELS_CUDA_CUDAKERNELS_H

#include "frit/Kernels/KernelTable.h"

namespace mlir::frit {

/// frit.gelu_and_mul_sparse.
void addSparseKernels(KernelTable &table);

/// frit.act_and_mul.
void addGatedKernels(KernelTable &table);

/// frit.lora_matmul, frit.lora_shrink and frit.lora_expand.
void addLoraKernels(KernelTable &table);

/// frit.lora_matmul in forms of its own.
void addLoraMatmulKernels(KernelTable &table);

/// frit.lora_shrink and frit.lora_expand, the kernels of one half.
void addLoraHalfKernels(KernelTable &table);

/// frit.lora_gelu_and_mul_sparse.
void addLoraActivationKernels(KernelTable &table);

/// frit.lora_group.
void addLoraGroupKernels(KernelTable &table);

/// frit.matmul of few tokens.
void addGemvKernels(KernelTable &table);

/// That frit.lora_matmul adds to a result of these, beside which it may begin.
KernelCondition followsGemv();

/// frit.sparse_ffn.
void addSparseFfnKernels(KernelTable &table);

/// Whether the launch of an op begins beside the kernel ahead of it.
bool isBeside(KernelOpInterface op);

/// "bf16".
std::string getTypeName(Type type);

/// The images of a kernel by element type: the one of each name in this build,
/// none where it was built without CUDA.
std::vector<KernelImage> findImages(ArrayRef<std::string> names);

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_CUDA_CUDAKERNELS_H
