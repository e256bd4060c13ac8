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

#include "llvm/ADT/SetVector.h"

#include <array>
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

/// What the operands of a sparse_ffn are made of. Of packed weights gate and up
/// are the same projection, and its halves are taken.
struct DenseChain {
  GeluAndMulSparseOp activation;
  bool isPacked = false;
  DenseProjection gate, up, down;
  /// The ops whose results nothing but the chain needs, the last one last.
  SetVector<Operation *> ops;

  Value getResult() const { return down.result; }
};

/// The chain around an activation; a reason, to follow "it", where there is
/// none.
FailureOr<DenseChain> matchDenseChain(GeluAndMulSparseOp activation,
                                      std::string &reason);

/// True for a value and itself, for equal constants, and for vectors filled
/// with the same constant.
bool isSameVector(Value lhs, Value rhs);

} // namespace mlir::frit

#endif // FRIT_TRANSFORMS_FORMSPARSEFFN_CHAIN_H
