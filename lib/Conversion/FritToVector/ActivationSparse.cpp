//===- ActivationSparse.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers gelu_and_mul_sparse: two sums over each row's gate give the cutoff;
// then the columns are sorted into groups with a gate above it, which take the
// whole formula, and the others, which are 0 * up. Sorting first leaves no
// branch that depends on the data.
//
//===----------------------------------------------------------------------===//

#include "ActivationSlices.h"
#include "Columns.h"
#include "Lowerings.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

namespace {

/// Columns in a group that is computed as a whole or not at all. Of 95 % zeros
/// a third of such groups has something else.
constexpr int64_t maxGroupColumns = 8;
/// Groups that are sorted at a time: the columns then are still in the
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

  /// Allocates the lists of first columns of groups.
  void buildPrologue() {
    auto type = MemRefType::get(chunkGroups, builder.getIndexType());
    activeList = memref::AllocaOp::create(builder, loc, type);
    zeroList = memref::AllocaOp::create(builder, loc, type);
  }

  void buildRow(ValueRange rows) {
    out = rows[0];
    gate = rows[1];
    up = rows[2];
    Value cutoff = buildCutoff();
    Value zero = buildIndex(0), one = buildIndex(1);
    Value rest =
        builder.createOrFold<arith::RemUIOp>(loc, columns, buildIndex(lanes));
    Value vectorEnd = builder.createOrFold<arith::SubIOp>(loc, columns, rest);
    Value chunk = buildIndex(chunkGroups * groupColumns);
    scf::ForOp::create(
        builder, loc, zero, vectorEnd, chunk, ValueRange(),
        [&](OpBuilder &, Location, Value begin, ValueRange) {
          Value end = arith::MinUIOp::create(
              builder, loc, arith::AddIOp::create(builder, loc, begin, chunk),
              vectorEnd);
          auto [numActive, numZero] = buildSorting(cutoff, begin, end);
          buildZeroGroups(numZero);
          buildActiveGroups(cutoff, numActive);
          scf::YieldOp::create(builder, loc);
        });
    scf::ForOp::create(
        builder, loc, zero, rest, one, ValueRange(),
        [&](OpBuilder &, Location, Value index, ValueRange) {
          buildColumn(cutoff,
                      arith::AddIOp::create(builder, loc, vectorEnd, index));
          scf::YieldOp::create(builder, loc);
        });
  }

private:
  Value buildIndex(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// Steps 1 to 4.
  Value buildCutoff() {
    Value count = numerics.fromIndex(columns);
    Value sum = buildRowSum(numerics, gate, columns, lanes,
                            [&](Value elements, Value sum) {
                              return numerics.addTerm(elements, sum);
                            });
    Value mean = numerics.mean(sum, count);
    Value squares = buildRowSum(
        numerics, gate, columns, lanes, [&](Value elements, Value sum) {
          auto vector = dyn_cast<VectorType>(elements.getType());
          Value center = broadcastColumns(numerics, mean,
                                          vector ? vector.getDimSize(0) : 1);
          return numerics.addSquaredDeviation(elements, center, sum);
        });
    Value divisor = count;
    if (op.getCorrection() != 0) {
      Value correction = buildIndex(static_cast<int64_t>(op.getCorrection()));
      divisor = numerics.fromIndex(
          builder.createOrFold<arith::SubIOp>(loc, columns, correction));
    }
    Value deviation = numerics.standardDeviation(squares, divisor);
    return numerics.cutoff(mean, deviation,
                           op.getStdMultiplier().convertToFloat(),
                           op.getRounding(), elementType);
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

  /// Fills the lists from the columns [begin, end); returns how long the list
  /// of active and that of zero groups is.
  std::pair<Value, Value> buildSorting(Value cutoff, Value begin, Value end) {
    Value c = broadcastColumns(numerics, cutoff, lanes);
    Value zero = buildIndex(0), one = buildIndex(1);
    int64_t groups = lanes / groupColumns;
    auto loop = scf::ForOp::create(
        builder, loc, begin, end, buildIndex(lanes), ValueRange{zero, zero},
        [&](OpBuilder &, Location, Value column, ValueRange lengths) {
          Value above =
              buildAbove(loadColumns(numerics, gate, column, lanes), c);
          Value mask = buildMask(above);
          Value numActive = lengths[0], numZero = lengths[1];
          for (int64_t group = 0; group < groups; ++group) {
            Value first = builder.createOrFold<arith::AddIOp>(
                loc, column, buildIndex(group * groupColumns));
            // Both lists take the group, and only one of them keeps it.
            memref::StoreOp::create(builder, loc, first, activeList, numActive);
            memref::StoreOp::create(builder, loc, first, zeroList, numZero);
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
            numZero = arith::AddIOp::create(
                builder, loc, numZero,
                arith::SubIOp::create(builder, loc, one, isActive));
          }
          scf::YieldOp::create(builder, loc, ValueRange{numActive, numZero});
        });
    return {loop.getResult(0), loop.getResult(1)};
  }

  /// Steps 5 to 8 where no gate is above the cutoff.
  void buildZeroGroups(Value numZero) {
    scf::ForOp::create(
        builder, loc, buildIndex(0), numZero, buildIndex(1), ValueRange(),
        [&](OpBuilder &, Location, Value index, ValueRange) {
          Value column = memref::LoadOp::create(builder, loc, zeroList, index);
          buildZeroProduct(column, groupColumns);
          scf::YieldOp::create(builder, loc);
        });
  }

  /// Steps 5 to 8 in full, for as many groups at a time as fill a vector. The
  /// last group fills what it leaves of a vector; all are read before one is
  /// written.
  void buildActiveGroups(Value cutoff, Value numActive) {
    Value c = broadcastColumns(numerics, cutoff, lanes);
    int64_t groups = lanes / groupColumns;
    Value last = arith::SubIOp::create(builder, loc, numActive, buildIndex(1));
    scf::ForOp::create(
        builder, loc, buildIndex(0), numActive, buildIndex(groups),
        ValueRange(), [&](OpBuilder &, Location, Value index, ValueRange) {
          SmallVector<Value> starts, gates, ups;
          for (int64_t group = 0; group < groups; ++group) {
            Value at = index;
            if (group > 0) {
              at =
                  arith::AddIOp::create(builder, loc, index, buildIndex(group));
              at = arith::MinUIOp::create(builder, loc, at, last);
            }
            Value column = memref::LoadOp::create(builder, loc, activeList, at);
            starts.push_back(column);
            gates.push_back(loadElements(numerics, gate, column, groupColumns));
            ups.push_back(loadElements(numerics, up, column, groupColumns));
          }
          Value y =
              numerics.sparseElement(concatenateVectors(numerics, gates),
                                     concatenateVectors(numerics, ups), c, op);
          for (auto [group, column] : llvm::enumerate(starts))
            storeColumns(numerics,
                         sliceVector(numerics, y,
                                     static_cast<int64_t>(group) * groupColumns,
                                     groupColumns),
                         out, column);
          scf::YieldOp::create(builder, loc);
        });
  }

  /// Steps 5 to 8 for one column that fills no vector.
  void buildColumn(Value cutoff, Value column) {
    Value value = loadElements(numerics, gate, column, 1);
    auto buildFull = [&](OpBuilder &, Location) {
      Value y = numerics.sparseElement(
          value, loadElements(numerics, up, column, 1), cutoff, op);
      storeColumns(numerics, y, out, column);
      scf::YieldOp::create(builder, loc);
    };
    auto buildZero = [&](OpBuilder &, Location) {
      buildZeroProduct(column, 1);
      scf::YieldOp::create(builder, loc);
    };
    scf::IfOp::create(builder, loc, buildAbove(numerics.extend(value), cutoff),
                      buildFull, buildZero);
  }

  /// y = r(0 * u) for `width` columns: zero, or NaN where u is not finite.
  void buildZeroProduct(Value column, int64_t width) {
    Type f32 = builder.getF32Type();
    Type type = width == 1 ? f32 : VectorType::get(width, f32);
    Value zero = numerics.constant(0, type);
    Value y;
    if (op.getAssumeFiniteUp())
      y = numerics.truncate(zero, elementType);
    else
      y = buildTruncateZero(arith::MulFOp::create(
          builder, loc, zero, loadColumns(numerics, up, column, width)));
    storeColumns(numerics, y, out, column);
  }

  /// r() of a product that is a zero or a quiet NaN: in bf16 the upper half of
  /// the f32 value is exactly that, without the cost of a rounding.
  Value buildTruncateZero(Value product) {
    if (!elementType.isBF16())
      return numerics.truncate(product, elementType);
    auto like = [&](Type type) {
      return NumericsBuilder::withElementType(product.getType(), type);
    };
    Type intType = like(builder.getI32Type());
    TypedAttr sixteen = builder.getI32IntegerAttr(16);
    if (auto vector = dyn_cast<VectorType>(intType))
      sixteen = DenseElementsAttr::get(vector, Attribute(sixteen));
    Value bits = arith::BitcastOp::create(builder, loc, intType, product);
    Value shift = arith::ConstantOp::create(builder, loc, sixteen);
    Value upper = arith::ShRUIOp::create(builder, loc, bits, shift);
    upper = arith::TruncIOp::create(builder, loc, like(builder.getI16Type()),
                                    upper);
    return arith::BitcastOp::create(builder, loc, like(elementType), upper);
  }

  NumericsBuilder &numerics;
  OpBuilder &builder;
  Location loc;
  GeluAndMulSparseOp op;
  Type elementType;
  Value columns;
  int64_t lanes, groupColumns;
  Value activeList, zeroList;
  Value out, gate, up;
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
      [&](ValueRange rows) { code.buildRow(rows); });
  rewriter.eraseOp(op);
  return success();
}

} // namespace mlir::frit
