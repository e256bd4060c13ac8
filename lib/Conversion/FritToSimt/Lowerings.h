//===- Lowerings.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowerings of convert-frit-to-simt, one overload for each op.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_FRITTOSIMT_LOWERINGS_H
#define FRIT_LIB_CONVERSION_FRITTOSIMT_LOWERINGS_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

/// Each lowering replaces one op on memrefs by launches, inserted before it.
void lowerToSimt(GeluAndMulSparseOp op, RewriterBase &rewriter);
void lowerToSimt(ActAndMulOp op, RewriterBase &rewriter);
void lowerToSimt(LoraMatmulOp op, RewriterBase &rewriter);
void lowerToSimt(LoraShrinkOp op, RewriterBase &rewriter);
void lowerToSimt(LoraExpandOp op, RewriterBase &rewriter);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_FRITTOSIMT_LOWERINGS_H
