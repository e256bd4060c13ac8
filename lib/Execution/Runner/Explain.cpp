//===- Explain.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says which kernel executes each op and why, before anything is compiled.
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "frit/Execution/KernelChoices.h"

using namespace mlir;
using namespace mlir::frit;

LogicalResult mlir::frit::explainKernels(ModuleOp module, StringRef target,
                                         const CompileOptions &options,
                                         raw_ostream &stream) {
  return chooseKernels(module, target, options.policy,
                       options.assumeFiniteWeights,
                       [&](ArrayRef<KernelDecision> decisions) {
                         printKernelDecisions(stream, decisions);
                       });
}
