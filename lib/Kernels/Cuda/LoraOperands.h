//===- LoraOperands.h - The three LoRA ops as one ---------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels' one parameter list takes of frit.lora_matmul,
// frit.lora_shrink and frit.lora_expand.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_KERNELS_CUDA_LORAOPERANDS_H
#define FRIT_LIB_KERNELS_CUDA_LORAOPERANDS_H

#include "CudaKernels.h"

namespace mlir::frit {

/// The operands of a LoRA op; those that it lacks are null or empty.
struct LoraOperands {
  SmallVector<Value, 8> a, b;
  Value x, h, y;
  Value ids, scales, ranks, order, starts, active;
  /// The op's factor.
  FloatAttr scale;
  /// The first column of the first slice.
  int64_t offset = 0;
  /// The kernels' last parameter (kernels/Lora/Arguments.cuh).
  int32_t flags = 0;

  static LoraOperands of(Operation *op);

  size_t getNumSlices() const { return std::max(a.size(), b.size()); }
  bool isGrouped() const { return static_cast<bool>(order); }
  Type getWeightType() const;
};

/// The arguments of every LoRA kernel.
std::vector<KernelArgument> planLoraArguments(KernelOpInterface op,
                                              const KernelPlanSizes &sizes);

/// The same without the grouping, so that the kernel reads the ids.
std::vector<KernelArgument>
planLoraArgumentsOfIds(KernelOpInterface op, const KernelPlanSizes &sizes);

/// The positions of the weights among the operands.
SmallVector<unsigned> getLoraWeights(KernelOpInterface op);

} // namespace mlir::frit

#endif // FRIT_LIB_KERNELS_CUDA_LORAOPERANDS_H
