//===- Decompose.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The native form of Frit's ops: scf, linalg, arith and math with every
// rounding written out. It is also reached through
// linalg::AggregatedOpInterface.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_H
#define FRIT_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/IR/Builders.h"

namespace mlir::frit {

struct DecomposeOptions {
  /// Accumulate sums in f64 and round the result to f32: for an oracle.
  bool accumulateInF64 = false;
};

/// Each overload emits the native form of `op` at the insertion point of
/// `builder` and returns the values that replace its results: one for each
/// destination of an op on tensors, none for an op on memrefs, whose
/// destinations are written. `op` itself is left. lora_matmul becomes
/// lora_shrink and lora_expand with its `frit.kernel`, lora_gelu_and_mul_sparse
/// lora_expand and gelu_and_mul_sparse, and sparse_ffn these among others; the
/// rest become upstream ops at once.
SmallVector<Value> decompose(GeluAndMulSparseOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});
SmallVector<Value> decompose(ActAndMulOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});
SmallVector<Value> decompose(LoraMatmulOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});
SmallVector<Value> decompose(LoraShrinkOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});
SmallVector<Value> decompose(LoraExpandOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});
SmallVector<Value> decompose(LoraGeluAndMulSparseOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});
SmallVector<Value> decompose(LoraGroupOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});
SmallVector<Value> decompose(MatmulOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});
SmallVector<Value> decompose(SparseFfnOp op, OpBuilder &builder,
                             const DecomposeOptions &options = {});

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_TRANSFORMS_DECOMPOSE_H
