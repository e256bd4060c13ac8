//===- ActivationSparse.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers gelu_and_mul_sparse: two sums over each row's gate give the cutoff,
// and then each thread computes its columns.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "RowKernel.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::frit {

/// A scalar in the shape of `like`.
static Value broadcastLike(ImplicitLocOpBuilder &builder, Value scalar,
                           Value like) {
  auto vector = dyn_cast<VectorType>(like.getType());
  if (!vector)
    return scalar;
  return vector::BroadcastOp::create(builder, vector.clone(scalar.getType()),
                                     scalar);
}

/// Steps 1 to 4.
static Value buildCutoff(GeluAndMulSparseOp op, ImplicitLocOpBuilder &builder,
                         RowKernel &kernel, Value gate, ValueRange buffers) {
  NumericsBuilder &numerics = kernel.getNumerics();
  Value columns = kernel.getColumns();
  Value count = numerics.fromIndex(columns);
  Value sum = kernel.sum(gate, buffers[0], [&](Value elements, Value sum) {
    return numerics.addTerm(elements, sum);
  });
  Value mean = numerics.mean(sum, count);
  Value squares = kernel.sum(gate, buffers[1], [&](Value elements, Value sum) {
    return numerics.addSquaredDeviation(
        elements, broadcastLike(builder, mean, elements), sum);
  });
  Value divisor = count;
  if (op.getCorrection() != 0) {
    auto correction = static_cast<int64_t>(op.getCorrection());
    divisor = numerics.fromIndex(builder.createOrFold<arith::SubIOp>(
        columns, arith::ConstantIndexOp::create(builder, correction)));
  }
  Value deviation = numerics.standardDeviation(squares, divisor);
  return numerics.cutoff(mean, deviation,
                         op.getStdMultiplier().convertToFloat(),
                         op.getRounding(), op.getElementType());
}

void lowerToSimt(GeluAndMulSparseOp op, RewriterBase &rewriter) {
  ImplicitLocOpBuilder builder(getOriginLoc(op, FpMode::Strict), rewriter);
  NumericsBuilder numerics(builder, op, /*useFma=*/true);
  buildRowLaunch(
      numerics, builder, getActivationSlices(op, builder), /*numBuffers=*/2,
      [&](RowKernel &kernel, ValueRange rows, ValueRange buffers) {
        Value cutoff = buildCutoff(op, builder, kernel, rows[1], buffers);
        kernel.map({rows[1], rows[2]}, rows[0], [&](ValueRange elements) {
          return numerics.sparseElement(
              elements[0], elements[1],
              broadcastLike(builder, cutoff, elements[0]), op);
        });
      });
  rewriter.eraseOp(op);
}

} // namespace mlir::frit
