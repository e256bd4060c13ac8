//===- Columns.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Access to the columns of a row as f32 vectors, loops over them, and sums.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOVECTOR_COLUMNS_H
#define FRIT_LIB_CONVERSION_FRITTOVECTOR_COLUMNS_H

#include "frit/Dialect/Frit/Transforms/NumericsBuilder.h"

namespace mlir::frit {

/// Loads `width` columns of a row (a memref of f32, f16 or bf16 of rank 1) from
/// `column` on: a vector, or a scalar where `width` is 1.
Value loadElements(NumericsBuilder &numerics, Value row, Value column,
                   int64_t width);

/// The same, widened to f32.
Value loadColumns(NumericsBuilder &numerics, Value row, Value column,
                  int64_t width);

/// Loads 2 * `lanes` columns as two f32 vectors. Of bf16 these are the columns
/// at even and at odd positions, which are cheaper to get than those in order.
std::pair<Value, Value> loadColumnPair(NumericsBuilder &numerics, Value row,
                                       Value column, int64_t lanes);

/// Stores what has the row's element type, a vector or a scalar.
void storeColumns(NumericsBuilder &numerics, Value values, Value row,
                  Value column);

/// One vector out of several vectors of equal length, in their order.
Value concatenateVectors(NumericsBuilder &numerics, ValueRange parts);

/// `width` elements of a vector from `offset` on; `width` divides its length.
Value sliceVector(NumericsBuilder &numerics, Value vector, int64_t offset,
                  int64_t width);

/// An f32 scalar in all lanes of a vector of `width`; itself where that is 1.
Value broadcastColumns(NumericsBuilder &numerics, Value scalar, int64_t width);

/// The columns at a row's end that fill no vector. They are copied to buffers
/// that do, so that the code for them is that of vectors: scalar code of a
/// formula would cost more, also where it is not executed, since its constants
/// take registers.
class RestColumns {
public:
  /// Allocates a buffer of `lanes` elements for each of `numInputs` rows and
  /// for the result, for as long as the scope of the insertion point.
  RestColumns(NumericsBuilder &numerics, Type elementType, int64_t lanes,
              unsigned numInputs);

  /// Makes code for the `rest` columns of rows from `begin` on, fewer than
  /// `lanes`. `body` computes vectors of elements from those of the inputs,
  /// which are zero beyond the rows. All is read before anything is written.
  void build(ValueRange inputs, Value output, Value begin, Value rest,
             function_ref<Value(ValueRange elements)> body);

private:
  NumericsBuilder &numerics;
  int64_t lanes;
  SmallVector<Value> inputBuffers;
  Value outputBuffer;
};

/// A temporary of a row's columns, for as long as the scope of the insertion
/// point. A vector that spans two cache lines costs twice: none does.
Value allocateColumns(NumericsBuilder &numerics, int64_t size, Type type);

/// Sums over the columns [0, columns) of a row. `accumulate` adds f32 elements
/// to an f32 accumulator of the same shape.
///
/// Chains of plain f32 additions are at most 8 long and the sums of chains are
/// added up with compensation, so that the error stays below 10 * 2^-24 of the
/// sum of magnitudes for any number of columns, also where all errors have one
/// sign (a constant row). The order depends on the number of columns and
/// `lanes` alone.
Value buildRowSum(NumericsBuilder &numerics, Value row, Value columns,
                  int64_t lanes,
                  function_ref<Value(Value elements, Value sum)> accumulate);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOVECTOR_COLUMNS_H
