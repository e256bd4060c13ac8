//===- ActivationSparse.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers gelu_and_mul_sparse: two sums over each row's gate, then the product,
// of which a vector without any gate above the cutoff takes a short form.
//
//===----------------------------------------------------------------------===//

#include "ActivationSlices.h"
#include "Columns.h"
#include "Lowerings.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

namespace {

/// Builds the code of one row.
class SparseRow {
public:
  SparseRow(NumericsBuilder &numerics, GeluAndMulSparseOp op, ValueRange rows,
            Value columns, int64_t lanes)
      : numerics(numerics), builder(numerics.getBuilder()),
        loc(numerics.getStrictLoc()), op(op), out(rows[0]), gate(rows[1]),
        up(rows[2]), columns(columns), lanes(lanes) {}

  void build() {
    Value cutoff = buildCutoff();
    buildColumnLoops(numerics, columns, lanes,
                     [&](Value column, int64_t width) {
                       buildProduct(cutoff, column, width);
                     });
  }

private:
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
      Value correction = arith::ConstantIndexOp::create(
          builder, loc, static_cast<int64_t>(op.getCorrection()));
      divisor = numerics.fromIndex(
          builder.createOrFold<arith::SubIOp>(loc, columns, correction));
    }
    Value deviation = numerics.standardDeviation(squares, divisor);
    return numerics.cutoff(mean, deviation,
                           op.getStdMultiplier().convertToFloat(),
                           op.getRounding(), op.getElementType());
  }

  /// Steps 5 to 8 for `width` columns.
  void buildProduct(Value cutoff, Value column, int64_t width) {
    Type elementType = op.getElementType();
    Value gates = loadColumns(numerics, gate, column, width);
    Value c = broadcastColumns(numerics, cutoff, width);
    // Unordered counts as above: NaN is not 0.
    Value above = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGT,
                                        gates, c);
    if (width > 1)
      above = vector::ReductionOp::create(builder, loc,
                                          vector::CombiningKind::OR, above);
    // Each side stores, as LLVM would take a bf16 value apart where two meet.
    auto buildFull = [&](OpBuilder &builder, Location loc) {
      Value ups = loadColumns(numerics, up, column, width);
      Value a = numerics.sparseGate(gates, c, op.getApproximate(),
                                    op.getRounding(), elementType);
      storeColumns(numerics, numerics.gatedProduct(a, ups, elementType), out,
                   column);
      scf::YieldOp::create(builder, loc);
    };
    auto buildZero = [&](OpBuilder &builder, Location loc) {
      Value zero = numerics.constant(0, gates.getType());
      Value y = op.getAssumeFiniteUp()
                    ? numerics.truncate(zero, elementType)
                    : buildZeroProduct(
                          zero, loadColumns(numerics, up, column, width));
      storeColumns(numerics, y, out, column);
      scf::YieldOp::create(builder, loc);
    };
    scf::IfOp::create(builder, loc, above, buildFull, buildZero);
  }

  /// r(0 * u), which is a zero or a quiet NaN: in bf16 the upper half of the
  /// f32 value is exactly that, without the cost of a rounding.
  Value buildZeroProduct(Value zero, Value ups) {
    Type elementType = op.getElementType();
    if (!elementType.isBF16())
      return numerics.gatedProduct(zero, ups, elementType);
    Type i32 = builder.getI32Type(), i16 = builder.getI16Type();
    auto cast = [&](Type type) {
      return NumericsBuilder::withElementType(ups.getType(), type);
    };
    Value product = arith::MulFOp::create(builder, loc, zero, ups);
    Value bits = arith::BitcastOp::create(builder, loc, cast(i32), product);
    Value sixteen = arith::ConstantOp::create(
        builder, loc, cast(i32),
        isa<VectorType>(cast(i32)) ? TypedAttr(DenseElementsAttr::get(
                                         llvm::cast<VectorType>(cast(i32)),
                                         builder.getI32IntegerAttr(16)))
                                   : TypedAttr(builder.getI32IntegerAttr(16)));
    Value upper = arith::ShRUIOp::create(builder, loc, bits, sixteen);
    upper = arith::TruncIOp::create(builder, loc, cast(i16), upper);
    return arith::BitcastOp::create(builder, loc, cast(elementType), upper);
  }

  NumericsBuilder &numerics;
  OpBuilder &builder;
  Location loc;
  GeluAndMulSparseOp op;
  Value out, gate, up, columns;
  int64_t lanes;
};

} // namespace

LogicalResult lowerToVector(GeluAndMulSparseOp op, const VectorTarget &target,
                            RewriterBase &rewriter) {
  NumericsBuilder numerics(rewriter, op, /*useFma=*/true);
  Location loc = numerics.getStrictLoc();
  SmallVector<RowSlice> slices = getActivationSlices(op, rewriter);
  Value columns =
      getValueOrCreateConstantIndexOp(rewriter, loc, slices[0].size);
  buildRowLoop(rewriter, loc, slices, activationGrain, [&](ValueRange rows) {
    SparseRow(numerics, op, rows, columns, target.getNumLanes()).build();
  });
  rewriter.eraseOp(op);
  return success();
}

} // namespace mlir::frit
