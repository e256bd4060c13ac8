//===- CublasLtKernels.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLASLt takes every form of frit.matmul that has something to sum: types,
// transposes, strides, batches, bias and accumulation are told to it at run
// time, when its heuristics choose an algorithm for the sizes.
//
//===----------------------------------------------------------------------===//

#include "LibraryKernels.h"

#include "frit/Kernels/KernelTable.h"

using namespace mlir;
using namespace mlir::frit;

void frit::addCublasLtKernels(KernelTable &table) {
  KernelEntry entry{"library.cublaslt",      "frit.matmul",
                    KernelProvider::Library, KernelTargets::minimumSm(80),
                    {"f32", "f16", "bf16"},
                    /*priority=*/20};
  entry.conditions = {KernelCondition::atLeast("terms", "K", 1)};
  entry.bitsFollowTokens = true;
  (void)table.add(std::move(entry));
}
