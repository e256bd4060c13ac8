//===- Signature.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a caller must know of a function over tensors: the types of its
// arguments and results, and the names that its attributes give them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_RUNNER_SIGNATURE_H
#define FRIT_LIB_EXECUTION_RUNNER_SIGNATURE_H

#include "frit/IO/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::frit {

/// An argument or a result. A scalar has rank 0 and is no tensor; `index` is
/// I64. Dynamic sizes are ShapedType::kDynamic.
struct ValueInfo {
  bool isTensor = false;
  TensorSpec spec;
};

struct ArgumentInfo : ValueInfo {
  unsigned index = 0;
  /// From the attribute frit.tensor; may be empty.
  std::string tensor;
  /// From frit.transposed: it holds the tensor with exchanged axes.
  bool isTransposed = false;
  /// A name for each dimension: from frit.dims, else "argN.D".
  SmallVector<std::string> dims;

  /// For messages: "argument 2 ('mlp.up_proj.weight')".
  std::string describe() const;
};

struct Signature {
  std::string name;
  SmallVector<ArgumentInfo> arguments;
  SmallVector<ValueInfo> results;

  /// Errors: a type that the runner cannot make or show.
  static llvm::Expected<Signature> get(func::FuncOp function);
};

/// "?x128xbf16".
std::string toString(const ValueInfo &value);

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_RUNNER_SIGNATURE_H
