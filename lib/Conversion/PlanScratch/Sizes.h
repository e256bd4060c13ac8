//===- Sizes.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of buffers: what they are made of, and moving them up.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_PLANSCRATCH_SIZES_H
#define FRIT_LIB_CONVERSION_PLANSCRATCH_SIZES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::frit {

/// Replaces the dimensions of an allocation by the sizes that it was given,
/// also where the memref is a cast or the result of branches that all yield it.
void simplifyDims(FunctionOpInterface function);

/// Whether a value is a size wherever it is computed, not negative and rising
/// with the sizes that it comes from. A size of a buffer in a branch or a loop
/// that does not run need not be one.
bool isSize(Value value);

/// Values that are computed from what a function has in front of an op.
class Hoister {
public:
  Hoister(Operation *point, const DominanceInfo &dominance)
      : point(point), dominance(dominance) {}

  bool canHoist(Value value);

  /// The value in front of the op: itself, or a copy.
  Value hoist(Value value, OpBuilder &builder);

private:
  Operation *point;
  const DominanceInfo &dominance;
  DenseMap<Value, bool> decided;
  IRMapping copies;
};

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_PLANSCRATCH_SIZES_H
