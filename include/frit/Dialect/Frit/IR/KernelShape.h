//===- KernelShape.h ------------------------------------------ -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes of an op that conditions and launch plans of kernels speak of,
// under the names that the op's documentation gives them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_DIALECT_FRIT_IR_KERNELSHAPE_H
#define FRIT_DIALECT_FRIT_IR_KERNELSHAPE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>

namespace mlir::frit {

/// One size of an op: the product of a known factor and of dimensions that are
/// known only at run time.
struct KernelExtent {
  std::string name;
  /// True where the size follows the number of tokens, so that a kernel whose
  /// choice depends on it is not batch-invariant.
  bool isTokens = false;
  int64_t factor = 1;
  SmallVector<std::pair<Value, int64_t>, 1> dynamicDims;

  /// The size, where it is known.
  std::optional<int64_t> getStaticSize() const {
    return dynamicDims.empty() ? std::optional(factor) : std::nullopt;
  }
};

/// The named sizes of an op, in a fixed order for each kind of op.
///
/// An expression over them is an AffineExpr whose symbol i is the i-th size;
/// products of symbols are allowed.
class KernelShape {
public:
  /// Adds the size `name`: the product of the given dimensions of `value`,
  /// whose static part is less than 2^63.
  void add(StringRef name, Value value, ArrayRef<int64_t> dims,
           bool isTokens = false);

  /// Adds a size that is a number of the op itself.
  void add(StringRef name, int64_t size, bool isTokens = false);

  /// Puts a number in place of each size that follows the number of tokens.
  void setTokens(int64_t tokens);

  ArrayRef<KernelExtent> getExtents() const { return extents; }

  /// The position of a size, which is also the number of its symbol.
  std::optional<unsigned> lookup(StringRef name) const;

  /// The expression that stands for a size; null where the op has none of the
  /// name.
  AffineExpr getSymbol(StringRef name, MLIRContext *context) const;

  /// Puts known sizes into an expression.
  AffineExpr substituteStatic(AffineExpr expr) const;

  /// True where an expression follows the number of tokens.
  bool dependsOnTokens(AffineExpr expr) const;

private:
  SmallVector<KernelExtent> extents;
};

} // namespace mlir::frit

#endif // FRIT_DIALECT_FRIT_IR_KERNELSHAPE_H
