//===- GraphMutations.h - Other graphs that look alike ----------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random changes of linalg graphs after which they may compute something else:
// what is raised then has to compute that.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_GRAPHMUTATIONS_H
#define FRIT_TEST_PROPERTY_GRAPHMUTATIONS_H

#include "Random.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::frit::test {

/// Changes a module of linalg ops on tensors `count` times. Returns the names
/// of the changes that were made, in order.
std::string mutateRandomly(ModuleOp module, Random &random, int64_t count);

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_GRAPHMUTATIONS_H
