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
#include "frit/Kernels/KernelTarget.h"

#include <array>

namespace mlir::frit {

/// The family of a kernel: hand-fused, of a vendor's library, or made from the
/// op by the compiler.
enum class KernelProvider { Cuda, Library, Native };

StringRef stringifyKernelProvider(KernelProvider provider);
std::optional<KernelProvider> symbolizeKernelProvider(StringRef text);

/// How a kernel is launched, as expressions over the op's KernelShape.
struct KernelLaunchPlan {
  std::array<AffineExpr, 3> grid, block;
  /// Null where the kernel needs no cluster.
  std::array<AffineExpr, 3> cluster;
  /// In bytes.
  AffineExpr dynamicSharedMemory;
};

/// One argument of a kernel, in terms of an operand of the op.
struct KernelArgument {
  enum class Kind { Pointer, Stride, Scalar, TensorMap };

  Kind kind;
  unsigned operand;
  /// The dimension that a stride belongs to.
  int64_t dim = 0;
};

/// The compiled code of a kernel, as the build found it.
struct KernelImage {
  std::string name;
  /// Of the contents; a mismatch with what is embedded is an error.
  std::string hash;
  std::vector<CudaArch> archs;
};

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

  // Of entries of provider `cuda` only.

  std::function<KernelLaunchPlan(const KernelShape &, MLIRContext *)>
      launchPlan = {};
  /// The kernel's arguments, in order.
  std::function<std::vector<KernelArgument>(KernelOpInterface)> argumentPlan =
      {};
  /// Bytes of scratch memory; empty where it needs none.
  std::function<AffineExpr(const KernelShape &, MLIRContext *)> workspace = {};
  /// Absent where the build has no CUDA.
  std::optional<KernelImage> image = {};

  /// How the code of the entry came into this build: `built in`, the
  /// architectures, or `built without CUDA`.
  std::string describeBuild() const;
};

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELENTRY_H
