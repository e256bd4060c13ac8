//===- SumBuilder.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits loops that add up terms accurately.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_SUMBUILDER_H
#define FRIT_LIB_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_SUMBUILDER_H

#include "frit/Dialect/Frit/Transforms/NumericsBuilder.h"

namespace mlir::frit {

/// Emits scalar sums over [0, count).
///
/// The f32 form adds up blocks of 8 terms plainly and then the blocks' sums
/// with compensation. A plain f32 sum is not good enough: where terms have one
/// sign and all 24 bits, its error grows with the count (a constant row of
/// 262144 elements would miss its own mean by thousands of units in the last
/// place, and elements would pass a cutoff that they equal). This one errs by
/// at most 9 * 2^-24 * sum |term| at any count: 7 units for the additions in a
/// block, 2 for the compensated sum. The blocks are independent of each other,
/// so they also overlap in a processor's pipeline.
///
/// The f64 form adds up in order, in f64, and rounds the result to f32.
class SumBuilder {
public:
  SumBuilder(NumericsBuilder &numerics, bool inF64)
      : numerics(numerics), inF64(inF64) {}

  /// A scalar of any element type in the type of the accumulator.
  Value widen(Value value);

  /// The sum in f32. `addTerm` adds term k to an accumulator.
  Value build(Value count, function_ref<Value(Value k, Value sum)> addTerm);

private:
  Value loop(Value lower, Value upper,
             function_ref<Value(Value k, Value sum)> addTerm);

  NumericsBuilder &numerics;
  bool inF64;
};

} // namespace mlir::frit

#endif // FRIT_LIB_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_SUMBUILDER_H
