//===- SparseFfnCode.h ------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts that the code of a sparse feed-forward network is made of. The
// buffer `activation` `[T, d]` f32 goes through them: first it holds a, the
// activated gate, then y. Columns in which some token has an a that is not zero
// are active; the list of them is in the order of the columns. A token's sums
// over columns are cut at fixed columns and leave out its own zeros, so they do
// not depend on which columns other tokens make active.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOVECTOR_SPARSEFFNCODE_H
#define FRIT_LIB_CONVERSION_FRITTOVECTOR_SPARSEFFNCODE_H

#include "../Utils/DotProducts.h"

#include "frit/Dialect/Frit/Transforms/NumericsBuilder.h"

namespace mlir::frit {

/// What the parts emit with.
struct SparseFfnEmitter {
  SparseFfnOp op;
  VectorEmitter &e;
  NumericsBuilder &numerics;

  ImplicitLocOpBuilder &getBuilder() const { return e.getBuilder(); }
  Type getElementType() const {
    return const_cast<SparseFfnOp &>(op).getElementType();
  }
};

/// The active columns of a token, or of all, in ascending order.
struct ActiveColumns {
  /// Columns in a range over which a sum is one chain.
  static constexpr int64_t kRange = 512;

  /// `[d]` i32; as many entries count as the last entry of `starts` says.
  Value list;
  /// i32: where in the list the columns of each range begin; one entry more
  /// than there are ranges of kRange columns.
  Value starts;

  /// Of `[T, d]` lists and their starts those of a token.
  ActiveColumns ofToken(VectorEmitter &e, Value token) const;

  Value getCount(VectorEmitter &e) const;
};

/// Writes to `activation` the activated gate of each token.
void emitActivatedGate(const SparseFfnEmitter &f, Value gate, Value activation);

/// Fills the list and the starts with the columns that are active for one of
/// the tokens [begin, end).
void emitActiveColumns(const SparseFfnEmitter &f, Value activation, Value begin,
                       Value end, const ActiveColumns &active);

/// Sums over the columns of a token's activation, a row of f32, times each of
/// `rows`, as scalars. Columns whose activation is zero are left out.
SmallVector<Value> emitActiveDots(const SparseFfnEmitter &f,
                                  const VectorRow &activation,
                                  ArrayRef<VectorRow> rows, Value columns);

/// f without its LoRA: `out` `[T, H]`. `active` has a list for each token.
void emitDown(const SparseFfnEmitter &f, Value activation,
              const ActiveColumns &active, Value out);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOVECTOR_SPARSEFFNCODE_H
