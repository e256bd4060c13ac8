//===- RowKernel.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU kernel in which a team of threads works on each row.
//
// A row of d columns is cut into pieces of 16 bytes and a rest of fewer columns
// than a piece has. Piece p belongs to the team's thread p mod (team size), and
// column i of the rest to thread i. Which thread takes which column, and so the
// order of every sum, depends on d and the element type alone: not on the
// number of rows, and not on their alignment, which only decides whether a
// piece is loaded at once or by elements.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOSIMT_ROWKERNEL_H
#define FRIT_LIB_CONVERSION_FRITTOSIMT_ROWKERNEL_H

#include "../Utils/RowSlice.h"
#include "Pieces.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::frit {

/// How many threads share a row, and what each of them does at a time.
struct TeamShape {
  /// Threads of a team: a power of two, at least a warp.
  int64_t teamSize;
  /// Rows of a block, a team each; 1 unless a team is a warp.
  int64_t blockRows;
  /// Columns of a piece.
  int64_t pieceColumns;
  /// Pieces that a thread loads before it works on them.
  int64_t batch;
  /// True where a batch is all that a thread has of a row.
  bool holdsRow;
  /// False where rows are known to be shorter than a piece.
  bool hasPieces;

  int64_t getNumWarps() const { return teamSize / warpSize; }

  /// The shape for rows of `columns` elements, which may be dynamic.
  static TeamShape get(int64_t columns, Type elementType);
};

/// Builds the code of a thread. All methods emit at the insertion point. Rows
/// are memrefs of rank 1 and inner stride 1.
class RowKernel {
public:
  using Terms = llvm::function_ref<Value(Value elements, Value sum)>;

  /// `columns` is the length of a row, an index; `thread` the number in the
  /// team. `isWide` says that all rows begin at multiples of a piece's bytes.
  RowKernel(NumericsBuilder &numerics, ImplicitLocOpBuilder &builder,
            const TeamShape &shape, bool isWide, Value columns, Value thread,
            Type elementType);

  NumericsBuilder &getNumerics() { return numerics; }
  /// The length of a row, an index.
  Value getColumns() const { return columns; }

  /// Sums over a row, the same in all threads of the team. `accumulate` adds
  /// elements, widened to f32, to an f32 accumulator of the same shape.
  /// `exchange` is workgroup memory for a float for each warp, null where the
  /// team is one warp; each sum needs its own.
  ///
  /// A chain of plain additions is at most 16 long in all, and what is longer
  /// is added up with compensation, so that the error stays below 22 * 2^-24 of
  /// the sum of magnitudes for any number of columns.
  Value sum(Value row, Value exchange, Terms accumulate);

  /// Stores what `compute` makes of the elements of `inputs`, vectors or
  /// scalars of the element type. `out` may be one of `inputs`.
  void map(ValueRange inputs, Value out,
           llvm::function_ref<Value(ValueRange elements)> compute);

private:
  /// A batch of a thread's pieces: a column and, where it is not always so,
  /// whether the piece is in the row.
  struct Batch {
    SmallVector<Value> columns;
    SmallVector<Value> isInside;
  };

  Batch buildBatch(Value first);
  SmallVector<Value> load(Value row, const Batch &batch);
  void store(Value row, const Batch &batch, ValueRange values);
  /// Calls `body` for every batch of the thread.
  SmallVector<Value> forBatches(
      ValueRange inits,
      llvm::function_ref<SmallVector<Value>(const Batch &, ValueRange)> body);
  Value sumBatch(ValueRange pieces, const Batch &batch, Terms accumulate);
  Value sumTeam(Value value, Value exchange);
  /// Whether the thread has a column of the rest, and which.
  bool hasRest() const;
  std::pair<Value, Value> buildRest();

  NumericsBuilder &numerics;
  ImplicitLocOpBuilder &builder;
  VectorEmitter emit;
  TeamShape shape;
  bool isWide;
  Type elementType;
  Value columns, thread;
  /// Number of pieces of the row.
  Value pieces;
  /// The pieces of rows that were loaded, where a thread holds the row.
  DenseMap<Value, SmallVector<Value>> held;
};

/// Makes a gpu.launch with a team for each row of the slices, or rather two:
/// one for rows whose pieces are aligned and one for any others, of which the
/// host chooses.
///
/// `numBuffers` is the number of workgroup buffers with a float for each warp;
/// they are null where a team is one warp. `body` builds what a thread does
/// with a row of each slice; it is called for each launch.
void buildRowLaunch(NumericsBuilder &numerics, ImplicitLocOpBuilder &builder,
                    ArrayRef<RowSlice> slices, int64_t numBuffers,
                    llvm::function_ref<void(RowKernel &kernel, ValueRange rows,
                                            ValueRange buffers)>
                        body);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOSIMT_ROWKERNEL_H
