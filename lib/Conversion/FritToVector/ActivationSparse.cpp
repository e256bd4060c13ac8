//===- ActivationSparse.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers gelu_and_mul_sparse: two sums over each row's gate give the cutoff;
// then the groups of columns that have a gate above it are listed and computed
// in full, and all others are 0 * up. Listing them first leaves no branch that
// depends on the data.
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "Lowerings.h"
#include "RowCutoff.h"
#include "RowLoop.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

namespace {

/// Columns in a group that takes the whole formula or the short one. With 95 %
/// of zeros a third of such groups has something else.
constexpr int64_t maxGroupColumns = 8;
/// Groups that are searched at a time: the columns then are still in the
/// innermost cache when they are computed.
constexpr int64_t chunkGroups = 256;

/// Builds the code of gelu_and_mul_sparse, a block and then its rows.
class SparseRows {
public:
  SparseRows(NumericsBuilder &numerics, GeluAndMulSparseOp op, Value columns,
             int64_t lanes)
      : numerics(numerics), builder(numerics.getBuilder()),
        loc(numerics.getStrictLoc()), op(op), elementType(op.getElementType()),
        columns(columns), lanes(lanes),
        groupColumns(std::min(lanes, maxGroupColumns)) {}

  /// Allocates what a chunk needs.
  void buildPrologue() {
    activeList = allocateColumns(numerics, chunkGroups, builder.getIndexType());
    // The last vector of groups may have more than there are.
    activeResults = allocateColumns(
        numerics, chunkGroups * groupColumns + lanes, elementType);
    restColumns.emplace(numerics, elementType, lanes, /*numInputs=*/2);
  }

  /// Builds the code of one row: of `rows` out, gate and up. `next` are those
  /// of the next row.
  void buildRow(ValueRange rows, ValueRange next) {
    out = rows[0];
    gate = rows[1];
    up = rows[2];
    nextGate = next[1];
    Value cutoff = buildRowCutoff(numerics, op, gate, columns, lanes);
    Value rest =
        builder.createOrFold<arith::RemUIOp>(loc, columns, buildIndex(lanes));
    Value vectorEnd = builder.createOrFold<arith::SubIOp>(loc, columns, rest);
    // Loops count vectors and not columns: LLVM unrolls them then.
    Value vectors =
        builder.createOrFold<arith::DivUIOp>(loc, columns, buildIndex(lanes));
    Value chunk = buildIndex(chunkGroups * groupColumns / lanes);
    scf::ForOp::create(
        builder, loc, buildIndex(0), vectors, chunk, ValueRange(),
        [&](OpBuilder &, Location, Value first, ValueRange) {
          Value count = arith::MinUIOp::create(
              builder, loc, chunk,
              arith::SubIOp::create(builder, loc, vectors, first));
          Value begin =
              arith::MulIOp::create(builder, loc, first, buildIndex(lanes));
          Value numActive = buildSearch(cutoff, begin, count);
          buildActiveGroups(cutoff, numActive);
          buildZeroProducts(begin, count);
          buildScatter(numActive);
          scf::YieldOp::create(builder, loc);
        });
    restColumns->build({gate, up}, out, vectorEnd, rest,
                       [&](ValueRange elements) {
                         return numerics.sparseElement(
                             elements[0], elements[1],
                             broadcastColumns(numerics, cutoff, lanes), op);
                       });
  }

private:
  Value buildIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// Whether a gate is not at most the cutoff. Unordered counts: NaN is not 0.
  Value buildAbove(Value gates, Value cutoff) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT, gates,
                                 cutoff);
  }

  /// The lanes of a vector of i1 as bits of an i64, the first lane lowest.
  Value buildMask(Value bits) {
    Type i64 = builder.getI64Type();
    Type packed = builder.getIntegerType(lanes);
    Value mask = vector::BitCastOp::create(builder, loc,
                                           VectorType::get(1, packed), bits);
    mask = vector::ExtractOp::create(builder, loc, mask, int64_t(0));
    if (packed == i64)
      return mask;
    return arith::ExtUIOp::create(builder, loc, i64, mask);
  }

  void buildPrefetch(Value row, Value column, bool isWrite) {
    memref::PrefetchOp::create(builder, loc, row, column, isWrite,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }

  /// The first column of a vector of the chunk that begins at `begin`.
  Value buildColumn(Value begin, Value vector) {
    Value offset =
        arith::MulIOp::create(builder, loc, vector, buildIndex(lanes));
    return arith::AddIOp::create(builder, loc, begin, offset);
  }

  /// Fills the list with the active groups of `count` vectors from `begin` on
  /// and returns their number.
  Value buildSearch(Value cutoff, Value begin, Value count) {
    Value c = broadcastColumns(numerics, cutoff, lanes);
    int64_t groups = lanes / groupColumns;
    auto loop = scf::ForOp::create(
        builder, loc, buildIndex(0), count, buildIndex(1), buildIndex(0),
        [&](OpBuilder &, Location, Value vector, ValueRange length) {
          Value column = buildColumn(begin, vector);
          Value above =
              buildAbove(loadColumns(numerics, gate, column, lanes), c);
          // Sums wait for memory, and the search does not: it fetches what is
          // needed after it, up to the next row's sums.
          buildPrefetch(up, column, /*isWrite=*/false);
          buildPrefetch(nextGate, column, /*isWrite=*/false);
          buildPrefetch(out, column, /*isWrite=*/true);
          Value mask = buildMask(above);
          Value numActive = length[0];
          for (int64_t group = 0; group < groups; ++group) {
            Value first = builder.createOrFold<arith::AddIOp>(
                loc, column, buildIndex(group * groupColumns));
            // The next group takes the place of one that is not active.
            memref::StoreOp::create(builder, loc, first, activeList, numActive);
            int64_t bits = llvm::maskTrailingOnes<uint64_t>(groupColumns)
                           << (group * groupColumns);
            Value part = arith::AndIOp::create(
                builder, loc, mask,
                arith::ConstantIntOp::create(builder, loc, bits, 64));
            Value isActive = arith::CmpIOp::create(
                builder, loc, arith::CmpIPredicate::ne, part,
                arith::ConstantIntOp::create(builder, loc, 0, 64));
            isActive = arith::IndexCastUIOp::create(
                builder, loc, builder.getIndexType(), isActive);
            numActive =
                arith::AddIOp::create(builder, loc, numActive, isActive);
          }
          scf::YieldOp::create(builder, loc, numActive);
        });
    return loop.getResult(0);
  }

  /// Steps 5 to 8 of `count` vectors from `begin` on as if no gate were above
  /// the cutoff.
  void buildZeroProducts(Value begin, Value count) {
    scf::ForOp::create(builder, loc, buildIndex(0), count, buildIndex(1),
                       ValueRange(),
                       [&](OpBuilder &, Location, Value vector, ValueRange) {
                         buildZeroProduct(buildColumn(begin, vector));
                         scf::YieldOp::create(builder, loc);
                       });
  }

  /// Writes the results of the active groups over the zero products.
  void buildScatter(Value numActive) {
    scf::ForOp::create(
        builder, loc, buildIndex(0), numActive, buildIndex(1), ValueRange(),
        [&](OpBuilder &, Location, Value index, ValueRange) {
          Value column =
              memref::LoadOp::create(builder, loc, activeList, index);
          Value from = arith::MulIOp::create(builder, loc, index,
                                             buildIndex(groupColumns));
          Value y = loadElements(numerics, activeResults, from, groupColumns);
          storeColumns(numerics, y, out, column);
          scf::YieldOp::create(builder, loc);
        });
  }

  /// Steps 5 to 8 in full, for as many groups at a time as fill a vector; the
  /// last group fills what it leaves of one. The results are set aside until
  /// the chunk's inputs have been read, so that out may be gate or up.
  void buildActiveGroups(Value cutoff, Value numActive) {
    Value c = broadcastColumns(numerics, cutoff, lanes);
    int64_t groups = lanes / groupColumns;
    Value last = arith::SubIOp::create(builder, loc, numActive, buildIndex(1));
    scf::ForOp::create(
        builder, loc, buildIndex(0), numActive, buildIndex(groups),
        ValueRange(), [&](OpBuilder &, Location, Value index, ValueRange) {
          SmallVector<Value> gates, ups;
          for (int64_t group = 0; group < groups; ++group) {
            Value at = index;
            if (group > 0) {
              at =
                  arith::AddIOp::create(builder, loc, index, buildIndex(group));
              at = arith::MinUIOp::create(builder, loc, at, last);
            }
            Value column = memref::LoadOp::create(builder, loc, activeList, at);
            gates.push_back(loadElements(numerics, gate, column, groupColumns));
            ups.push_back(loadElements(numerics, up, column, groupColumns));
          }
          Value y =
              numerics.sparseElement(concatenateVectors(numerics, gates),
                                     concatenateVectors(numerics, ups), c, op);
          Value to = arith::MulIOp::create(builder, loc, index,
                                           buildIndex(groupColumns));
          storeColumns(numerics, y, activeResults, to);
          scf::YieldOp::create(builder, loc);
        });
  }

  /// y = r(0 * u) for a vector of columns: zero, or NaN where u is not finite.
  void buildZeroProduct(Value column) {
    auto type = VectorType::get(lanes, builder.getF32Type());
    Value zero = numerics.constant(0, type);
    Value y;
    if (op.getAssumeFiniteUp())
      y = numerics.truncate(zero, elementType);
    else if (elementType.isF32())
      y = numerics.gatedProduct(zero, loadElements(numerics, up, column, lanes),
                                elementType);
    else
      y = buildZeroProductBits(loadElements(numerics, up, column, lanes));
    storeColumns(numerics, y, out, column);
  }

  /// r(0 * u) of a 16-bit type by integers, without widening and rounding: a
  /// value is not finite where all bits of its exponent are set, as they are in
  /// an infinity.
  Value buildZeroProductBits(Value ups) {
    auto intType = VectorType::get(lanes, builder.getI16Type());
    auto constant = [&](const llvm::APInt &bits) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(intType, bits));
    };
    const llvm::fltSemantics &format =
        cast<FloatType>(elementType).getFloatSemantics();
    Value infinity = constant(llvm::APFloat::getInf(format).bitcastToAPInt());
    Value nan = constant(llvm::APFloat::getQNaN(format).bitcastToAPInt());
    Value zero = constant(llvm::APInt::getZero(16));
    Value bits = arith::BitcastOp::create(builder, loc, intType, ups);
    Value exponent = arith::AndIOp::create(builder, loc, bits, infinity);
    Value isFull = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         exponent, infinity);
    Value y = arith::SelectOp::create(builder, loc, isFull, nan, zero);
    return arith::BitcastOp::create(builder, loc, ups.getType(), y);
  }

  NumericsBuilder &numerics;
  OpBuilder &builder;
  Location loc;
  GeluAndMulSparseOp op;
  Type elementType;
  Value columns;
  int64_t lanes, groupColumns;
  Value activeList, activeResults;
  std::optional<RestColumns> restColumns;
  Value out, gate, up, nextGate;
};

} // namespace

LogicalResult lowerToVector(GeluAndMulSparseOp op, const VectorTarget &target,
                            RewriterBase &rewriter) {
  NumericsBuilder numerics(rewriter, op, /*useFma=*/true);
  Location loc = numerics.getStrictLoc();
  SmallVector<RowSlice> slices = getActivationSlices(op, rewriter);
  Value columns =
      getValueOrCreateConstantIndexOp(rewriter, loc, slices[0].size);
  SparseRows code(numerics, op, columns, target.getNumLanes());
  buildRowLoop(
      rewriter, loc, slices, activationGrain, [&] { code.buildPrologue(); },
      [&](ValueRange rows, ValueRange next) { code.buildRow(rows, next); });
  rewriter.eraseOp(op);
  return success();
}

} // namespace mlir::frit
