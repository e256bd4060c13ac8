//===- Contraction.h --------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg op seen as out[.., m, n] += sum_k lhs[.., m, k] * rhs[.., k, n] with
// whatever dimensions it has beside m, n and k, and the two forms of code for
// it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_CONTRACTIONTOVECTOR_CONTRACTION_H
#define FRIT_LIB_CONVERSION_CONTRACTIONTOVECTOR_CONTRACTION_H

#include "../Utils/VectorEmitter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::frit {

/// An operand and the loops that index it.
struct ContractionOperand {
  Value memref;
  AffineMap map;

  Type getElementType() const;
  /// The indices of an element from the values of all loops.
  SmallVector<Value> at(ArrayRef<Value> loops) const;
  /// Whether neighbours along `loop` are neighbours in memory.
  bool isContiguousAlong(int64_t loop) const;
};

struct Contraction {
  ContractionOperand lhs, rhs, out;
  /// Positions of loops. -1 for m in a product of a vector and a matrix.
  int64_t m, n, k;
  /// The other parallel loops.
  SmallVector<int64_t> outer;
  int64_t numLoops;
  /// The location of the arithmetic.
  Location loc;

  /// The op as a contraction that this pass has a form for; none where it is
  /// something else, sums in a type narrower than f32, or the order of its sums
  /// counts. `out` is contiguous along n.
  static std::optional<Contraction> match(linalg::LinalgOp op);

  /// Whether both inputs are contiguous along k; else the right-hand one is
  /// contiguous along n.
  bool isDotForm() const {
    return lhs.isContiguousAlong(k) && rhs.isContiguousAlong(k);
  }
  Type getSumType() const { return out.getElementType(); }
  /// The extent of a loop; 1 for the absent m.
  Value getSize(VectorEmitter &e, int64_t loop) const;
  /// The product of the extents of the outer loops.
  Value getNumOuter(VectorEmitter &e) const;
  /// The values of all loops, with the outer ones from their linear index and
  /// the others 0.
  SmallVector<Value> getOuterLoops(VectorEmitter &e, Value linear) const;
  /// Sets the value of m, where there is one.
  void setRow(SmallVector<Value> &loops, Value row) const {
    if (m >= 0)
      loops[m] = row;
  }
};

/// Code for a right-hand side that is contiguous along n: outer products of a
/// column of lhs and a row of rhs.
void emitOuterProductForm(VectorEmitter &e, const Contraction &contraction);

/// Code for two sides that are contiguous along k.
void emitDotForm(VectorEmitter &e, const Contraction &contraction);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_CONTRACTIONTOVECTOR_CONTRACTION_H
