//===- GraphPlaces.h - Places in graphs -------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random places in a graph of linalg ops, for what edits it there.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_GRAPHPLACES_H
#define FRIT_TEST_PROPERTY_GRAPHPLACES_H

#include "Random.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::frit::test {

/// One op of a kind; null if there is none.
template <typename Op>
Op pick(
    ModuleOp module, Random &random,
    function_ref<bool(Op)> isSuitable = [](Op) { return true; }) {
  SmallVector<Op> ops;
  module.walk([&](Op op) {
    if (isSuitable(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return Op();
  return ops[random.integer(0, static_cast<int64_t>(ops.size()) - 1)];
}

/// Whether an op is in the body of a linalg.generic.
bool isInBody(Operation *op);
/// A float operand of an op in a body; null if there is none.
OpOperand *pickFloat(ModuleOp module, Random &random);
/// An input of a generic that is a ranked tensor; null if there is none.
OpOperand *pickInput(ModuleOp module, Random &random);

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_GRAPHPLACES_H
