//===- FritToGpu.h - Fused kernels as launches ------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of convert-frit-to-gpu: tokens as one dimension, and the launch of
// an entry of the kernel table.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOGPU_FRITTOGPU_H
#define FRIT_LIB_CONVERSION_FRITTOGPU_FRITTOGPU_H

#include "LaunchHistory.h"

#include "../RuntimeCalls/RuntimeCalls.h"

#include "frit/Kernels/KernelTable.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

/// What launches of a module share.
class LaunchContext {
public:
  /// `overlaps`: kernels may begin with what the kernel ahead does not write.
  LaunchContext(ModuleOp module, bool overlaps)
      : overlaps(overlaps), runtime(module) {}

  const bool overlaps;
  LaunchHistory history;

  /// The gpu.binary of an image, which holds its name and hash only.
  gpu::BinaryOp getBinary(const KernelImage &image);

  /// The number of multiprocessors of the device, asked for once in the
  /// function around `op`.
  FailureOr<Value> getMultiprocessors(Operation *op);

private:
  RuntimeCalls runtime;
  llvm::StringMap<gpu::BinaryOp> binaries;
  DenseMap<Operation *, Value> multiprocessors;
};

/// Brings an op on memrefs to one dimension of tokens: the leading dimensions
/// as one where that is a row stride, else a loop over the outer ones; where
/// only run time can tell, both. Returns the ops that replace it, or itself.
SmallVector<KernelOpInterface> flattenTokens(KernelOpInterface op,
                                             RewriterBase &rewriter);

/// Brings the operands of an op on memrefs at those positions to memory without
/// gaps: where only run time can tell whether they have any, one op takes them
/// as they are and one takes copies. Returns the ops that replace it, or
/// itself.
SmallVector<KernelOpInterface> makeContiguous(KernelOpInterface op,
                                              ArrayRef<unsigned> positions,
                                              RewriterBase &rewriter);

/// Replaces an op on memrefs by the launches that its entry plans.
LogicalResult convertToLaunch(KernelOpInterface op, const KernelEntry &entry,
                              LaunchContext &launches, RewriterBase &rewriter);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOGPU_FRITTOGPU_H
