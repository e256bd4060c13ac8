//===- Lora.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers lora_matmul, lora_shrink and lora_expand: a kernel for each half, with
// the rank vectors of all tokens in a scratch between them.
//
//===----------------------------------------------------------------------===//

#include "LoraKernels.h"
#include "Lowerings.h"

#include "frit/Dialect/Frit/Transforms/Origin.h"

using namespace mlir;
using namespace mlir::frit;

template <typename LoraOp>
static void lower(LoraOp op, RewriterBase &rewriter) {
  ImplicitLocOpBuilder builder(getOriginLoc(op, FpMode::Strict), rewriter);
  NumericsBuilder numerics(builder, op, /*useFma=*/true);
  auto build = [&](const auto &code) { buildKernel(code, numerics, builder); };
  emitLora(op, builder, numerics, build, build);
  rewriter.eraseOp(op);
}

void frit::lowerToSimt(LoraMatmulOp op, RewriterBase &rewriter) {
  lower(op, rewriter);
}

void frit::lowerToSimt(LoraShrinkOp op, RewriterBase &rewriter) {
  lower(op, rewriter);
}

void frit::lowerToSimt(LoraExpandOp op, RewriterBase &rewriter) {
  lower(op, rewriter);
}
