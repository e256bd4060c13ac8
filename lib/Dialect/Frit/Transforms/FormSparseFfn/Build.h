//===- Build.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What frit-form-sparse-ffn makes of a dense chain.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_FORMSPARSEFFN_BUILD_H
#define FRIT_TRANSFORMS_FORMSPARSEFFN_BUILD_H

#include "Chain.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::frit {

/// The op that computes what the chain does, at the insertion point, which is
/// the chain's last op.
SparseFfnOp buildSparseFfn(const DenseChain &chain, RewriterBase &rewriter);

/// The chain's result of the op's, which is a matrix.
Value buildResult(const DenseChain &chain, SparseFfnOp op,
                  RewriterBase &rewriter);

/// A copy of the chain at the insertion point, with what only prepares its
/// operands: fills, copies of weights. Returns its result.
Value cloneChain(const DenseChain &chain, RewriterBase &rewriter);

/// Erases the chain, and what only prepared its operands, as far as unused.
void eraseDead(const DenseChain &chain, RewriterBase &rewriter);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_FORMSPARSEFFN_BUILD_H
