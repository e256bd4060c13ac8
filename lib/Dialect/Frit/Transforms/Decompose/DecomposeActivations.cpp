//===- DecomposeActivations.cpp -------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The native form of the gated activations: one parallel iteration for each
// row.
//
//===----------------------------------------------------------------------===//

#include "ShapedBuilder.h"
#include "SumBuilder.h"

#include "frit/Dialect/Frit/Transforms/Decompose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::frit;

namespace {
/// One row of a gated op: 1-D parts of its operands.
struct GatedRow {
  Value gate, up, out;
  /// Number of elements, of type index.
  Value width;
};
} // namespace

/// Loops over the rows of `op`; `fn` gives the changed row of the destination.
template <typename GatedOp>
static SmallVector<Value>
decomposeRows(GatedOp op, ShapedBuilder &shaped,
              function_ref<Value(const GatedRow &row)> fn) {
  OpBuilder &builder = shaped.getBuilder();
  OpFoldResult zero = builder.getIndexAttr(0);
  SmallVector<OpFoldResult> rows = shaped.dims(op.getOut());
  OpFoldResult width = rows.pop_back_val();
  Value widthValue = shaped.index(width);

  auto rowAt = [&](ArrayRef<OpFoldResult> ivs, OpFoldResult column) {
    Part part;
    for (OpFoldResult iv : ivs)
      part.at(iv, builder);
    return part.range(column, width);
  };
  Value result = shaped.forEach(
      rows, op.getOut(),
      [&](ArrayRef<OpFoldResult> ivs) { return rowAt(ivs, zero); },
      [&](ArrayRef<OpFoldResult> ivs, Value out) {
        Value gate = shaped.slice(op.getX(), rowAt(ivs, zero));
        Value up = op.isPacked() ? shaped.slice(op.getX(), rowAt(ivs, width))
                                 : shaped.slice(op.getUp(), rowAt(ivs, zero));
        return fn({gate, up, out, widthValue});
      });
  return op.hasTensorSemantics() ? SmallVector<Value>{result}
                                 : SmallVector<Value>{};
}

/// Steps 1 to 4: the cutoff of one row.
static Value buildCutoff(GeluAndMulSparseOp op, const GatedRow &row,
                         NumericsBuilder &numerics, ShapedBuilder &shaped,
                         bool inF64) {
  OpBuilder &builder = numerics.getBuilder();
  SumBuilder sums(numerics, inF64);
  auto gateAt = [&](Value k) { return sums.widen(shaped.load(row.gate, k)); };

  Value sum = sums.build(row.width, [&](Value k, Value sum) {
    return numerics.addTerm(gateAt(k), sum);
  });
  Value mean = numerics.mean(sum, numerics.fromIndex(row.width));

  Value wideMean = sums.widen(mean);
  Value squares = sums.build(row.width, [&](Value k, Value sum) {
    return numerics.addSquaredDeviation(gateAt(k), wideMean, sum);
  });
  Value divisor = row.width;
  if (op.getCorrection() != 0)
    divisor = arith::SubIOp::create(builder, shaped.getLoc(), divisor,
                                    shaped.index(op.getCorrection()));
  Value deviation =
      numerics.standardDeviation(squares, numerics.fromIndex(divisor));
  return numerics.cutoff(mean, deviation,
                         op.getStdMultiplier().convertToFloat(),
                         op.getRounding(), op.getElementType());
}

SmallVector<Value> frit::decompose(GeluAndMulSparseOp op, OpBuilder &builder,
                                   const DecomposeOptions &options) {
  NumericsBuilder numerics(builder, op);
  ShapedBuilder shaped(builder, numerics.getStrictLoc());
  return decomposeRows(op, shaped, [&](const GatedRow &row) {
    Value cutoff =
        buildCutoff(op, row, numerics, shaped, options.accumulateInF64);
    return shaped.map({row.gate, row.up}, row.out, [&](ValueRange args) {
      return numerics.sparseElement(args[0], args[1], cutoff, op);
    });
  });
}

SmallVector<Value> frit::decompose(ActAndMulOp op, OpBuilder &builder,
                                   const DecomposeOptions &options) {
  NumericsBuilder numerics(builder, op);
  ShapedBuilder shaped(builder, numerics.getStrictLoc());
  return decomposeRows(op, shaped, [&](const GatedRow &row) {
    return shaped.map({row.gate, row.up}, row.out, [&](ValueRange args) {
      return numerics.actElement(args[0], args[1], op);
    });
  });
}
