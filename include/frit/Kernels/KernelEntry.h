//===- KernelEntry.h ------------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry of the kernel table: one way to execute one kind of op.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELENTRY_H
#define FRIT_KERNELS_KERNELENTRY_H

#include "frit/Kernels/KernelCondition.h"
#include "frit/Kernels/KernelEstimate.h"
#include "frit/Kernels/KernelImages.h"
#include "frit/Kernels/KernelLaunch.h"
#include "frit/Kernels/KernelTarget.h"

namespace mlir::frit {

/// The family of a kernel: hand-fused, of a vendor's library, or made from the
/// op by the compiler.
enum class KernelProvider { Cuda, Library, Native };

StringRef stringifyKernelProvider(KernelProvider provider);
std::optional<KernelProvider> symbolizeKernelProvider(StringRef text);

namespace kernel_param {
/// 1 where a launch begins beside the kernel ahead of it; absent is 0.
inline constexpr StringLiteral kBeside = "beside";
} // namespace kernel_param

/// One way to execute an op.
struct KernelEntry {
  /// Unique among the entries of an op: `native.vector`.
  std::string id;
  /// Full name of the op that it executes: `frit.lora_matmul`.
  std::string op;
  KernelProvider provider;
  KernelTargets targets;
  /// The op's kernel element types, as the IR prints them.
  std::vector<std::string> elementTypes;
  /// Higher is tried first.
  int64_t priority = 0;
  std::vector<KernelCondition> conditions = {};

  /// What selection fixes for an op and writes beside the id; may be empty.
  std::function<DictionaryAttr(KernelOpInterface)> params = {};

  /// A token's bits may depend on how many tokens there are: the kernel chooses
  /// an algorithm by the sizes.
  bool bitsFollowTokens = false;

  /// The kernel reads the ids of the tokens even where the op has a grouping of
  /// them: an op that need not have one is executed without.
  bool ignoresGrouping = false;

  /// What it takes for a number of tokens, beside the ops that the op stands
  /// for; empty where nobody asks.
  std::function<KernelEstimate(KernelOpInterface, int64_t tokens)> estimate =
      {};

  // Of entries of provider `cuda` only.

  // The launch, or the first of several: the fields of a KernelStep.
  std::function<KernelLaunchPlan(const KernelPlanSizes &)> launchPlan = {};
  std::function<std::vector<KernelArgument>(KernelOpInterface,
                                            const KernelPlanSizes &)>
      argumentPlan = {};
  std::function<std::string(KernelOpInterface)> function = {};
  /// The launches after the first, in order, of the same image.
  std::vector<KernelStep> laterSteps = {};
  /// Operands of dynamic strides that the kernel takes for rows without gaps;
  /// lowering copies those that have gaps at run time. Empty where it takes any
  /// row stride.
  std::function<SmallVector<unsigned>(KernelOpInterface)> contiguousOperands =
      {};
  /// Operands that the kernel touches only after it has waited for the kernels
  /// ahead, if `kernel_param::kBeside` is among its parameters: nothing may
  /// still be writing any other one when it starts. Empty where it begins with
  /// none.
  std::function<SmallVector<unsigned>(KernelOpInterface)> operandsAfterWait =
      {};
  /// Bytes of scratch memory that the launches share; empty where they need
  /// none.
  std::function<AffineExpr(const KernelPlanSizes &)> workspace = {};
  /// The code: one image for all element types, or one for each. None where the
  /// build has no CUDA.
  std::vector<KernelImage> images = {};

  /// How the code of the entry came into this build: `built in`, the
  /// architectures, or `built without CUDA`.
  std::string describeBuild() const;

  /// All launches.
  std::vector<KernelStep> getSteps() const;

  /// The image for an element type; null without CUDA.
  const KernelImage *getImage(StringRef elementType) const;

  /// What the images were built for.
  SmallVector<CudaArch> getBuiltArchs() const;
};

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELENTRY_H
