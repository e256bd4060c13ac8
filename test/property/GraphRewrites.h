//===- GraphRewrites.h - Other ways to write a graph ------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random rewrites of linalg graphs that keep every value, as exporters, passes
// and people write the same graph in different ways.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_GRAPHREWRITES_H
#define FRIT_TEST_PROPERTY_GRAPHREWRITES_H

#include "Random.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::frit::test {

/// Rewrites a module of linalg ops on tensors `count` times. Returns the names
/// of the rewrites that were done, in order.
std::string rewriteRandomly(ModuleOp module, Random &random, int64_t count);

/// Runs a pass pipeline, in textual form, on a module.
LogicalResult runPipeline(ModuleOp module, llvm::StringRef pipeline);

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_GRAPHREWRITES_H
