//===- LoopsToGpu.h - Code on buffers as kernels ----------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of convert-loops-to-gpu: what stays on the host, and how parallel
// loops and runs of other ops become launches.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_LOOPSTOGPU_LOOPSTOGPU_H
#define FRIT_LIB_CONVERSION_LOOPSTOGPU_LOOPSTOGPU_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::frit {

/// The gpu.module that all generated kernels go to, so that they are compiled
/// by one run of the tools.
inline constexpr llvm::StringLiteral kGeneratedKernels = "frit_generated";

/// True where an op, not what is nested in it, runs on the host and orders work
/// of the device: allocations, copies, launches, Frit ops, calls, assertions.
bool isHostWork(Operation *op);

/// True where an op or something nested in it accesses memory or has unknown
/// effects, other than host work.
bool accessesMemory(Operation *op);

/// A parallel loop that is not in a launch becomes one. A body without parallel
/// loops is run by a thread for each iteration; else by a block, whose threads
/// share the inner loops. Errors: an allocation in the body.
LogicalResult convertParallelLoop(scf::ParallelOp op, RewriterBase &rewriter);

/// Moves a run of ops of one block into a launch of one thread. What they
/// define must not be used elsewhere.
gpu::LaunchOp wrapInLaunch(ArrayRef<Operation *> run, RewriterBase &rewriter);

/// Moves everything in a function that accesses memory into launches.
LogicalResult offloadFunction(func::FuncOp function, RewriterBase &rewriter);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_LOOPSTOGPU_LOOPSTOGPU_H
