//===- Chain.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dense chain that frit.sparse_ffn stands for, found around its sparse
// activation.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TRANSFORMS_FORMSPARSEFFN_CHAIN_H
#define FRIT_TRANSFORMS_FORMSPARSEFFN_CHAIN_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace mlir::frit {

/// A matmul of activations with weights, rounded once to the element type, with
/// the LoRA that is added to it.
struct DenseProjection {
  /// The activations, a matrix with the tokens in its rows.
  Value x;
  Value weights;
  /// Weights are stored as [n, k], by output.
  bool isByOutput = false;
  /// What the matmul writes its result to.
  Value destination;
  /// Null where there is none.
  LoraMatmulOp lora;
  /// The rounded sum, and the value with the LoRA.
  Value base, result;
};

/// What is added to the projections' result.
struct Residual {
  /// Of the chain's result type; null where nothing is added in the chain.
  Value value;
  /// The reshapes of the projections' result that it is added behind.
  SmallVector<tensor::ExpandShapeOp, 1> reshapes;
  /// Why an addition that reads the result is not part of the chain; empty
  /// where there is none, or it is.
  std::string whyApart;
};

/// Two sizes that have to be equal, and are known at run time only.
struct EqualSizes {
  Value lhs, rhs;
  int64_t dim;
};

/// What the operands of a sparse_ffn are made of. Of packed weights gate and up
/// are the same projection, and its halves are taken.
struct DenseChain {
  GeluAndMulSparseOp activation;
  bool isPacked = false;
  DenseProjection gate, up, down;
  Residual residual;
  /// What the op needs and the chain does not.
  SmallVector<EqualSizes> equalSizes;
  /// The ops whose results nothing but the chain needs, the last one last.
  SetVector<Operation *> ops;

  Value getResult() const { return ops.back()->getResult(0); }
};

/// The chain around an activation; a reason, to follow "it", where there is
/// none.
FailureOr<DenseChain> matchDenseChain(GeluAndMulSparseOp activation,
                                      std::string &reason);

/// Makes the addition that alone reads the chain's result a part of it, where
/// `accumulate` of the op rounds as that does.
void matchResidual(DenseChain &chain);

/// The only user of a value besides those that ask for its sizes; null where
/// there are others.
Operation *getOnlyUser(Value value);

/// True for a value and itself, for equal constants, and for vectors filled
/// with the same constant.
bool isSameVector(Value lhs, Value rhs);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_FORMSPARSEFFN_CHAIN_H
