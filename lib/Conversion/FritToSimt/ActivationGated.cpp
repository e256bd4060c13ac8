//===- ActivationGated.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers act_and_mul: one pass over the columns of each row.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "RowKernel.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"

namespace mlir::frit {

void lowerToSimt(ActAndMulOp op, RewriterBase &rewriter) {
  ImplicitLocOpBuilder builder(getOriginLoc(op, FpMode::Strict), rewriter);
  NumericsBuilder numerics(builder, op, /*useFma=*/true);
  buildRowLaunch(
      numerics, builder, getActivationSlices(op, builder), /*numBuffers=*/0,
      [&](RowKernel &kernel, ValueRange rows, ValueRange) {
        kernel.map({rows[1], rows[2]}, rows[0], [&](ValueRange elements) {
          return numerics.actElement(elements[0], elements[1], op);
        });
      });
  rewriter.eraseOp(op);
}

} // namespace mlir::frit
