//===- EntrySignature.h - What callers know of a function -------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The signature that a function had before it was lowered, which callers of the
// compiled code see: element types, shapes, names. Lowering keeps it as the
// discardable attribute frit.signature.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_EXECUTION_ENTRYSIGNATURE_H
#define FRIT_EXECUTION_ENTRYSIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace mlir::frit {

/// The FritTypeCode of an element type; none for one that has no form in
/// memory that callers know. `index` is i64.
std::optional<int32_t> getTypeCode(Type element);

/// An argument or a result.
struct EntryValue {
  /// A scalar, a ranked tensor, or, of an argument, a memref.
  Type type;
  /// From the attribute frit.tensor; may be empty.
  std::string name;
  /// A name for each dimension, from frit.dims or "argN.D"; empty where no
  /// other dimension must agree.
  SmallVector<std::string> dims;

  bool isScalar() const { return !isa<ShapedType>(type); }
  /// The sizes, ShapedType::kDynamic where they are; none for a scalar.
  ArrayRef<int64_t> getShape() const;
  Type getElementType() const { return getElementTypeOrSelf(type); }
  /// The strides, ShapedType::kDynamic for any positive one.
  SmallVector<int64_t> getStrides() const;
  /// True where memory without gaps is needed and its strides depend on sizes.
  bool isContiguous() const;
};

struct EntrySignature {
  /// The function's name in the source.
  std::string name;
  SmallVector<EntryValue> arguments;
  SmallVector<EntryValue> results;

  /// The discardable attribute of functions that holds it.
  static StringRef getAttrName() { return "frit.signature"; }

  /// Of a function that was not lowered. The error names the argument or the
  /// result that no descriptor can stand for.
  static llvm::Expected<EntrySignature> get(func::FuncOp function);

  /// What the attribute of `op` holds; emits an error if it is malformed, and
  /// is none if there is no attribute.
  static FailureOr<std::optional<EntrySignature>> read(Operation *op);

  /// Sets the attribute of `op`.
  void write(Operation *op) const;

  /// True where static sizes and the sizes of arguments tell all sizes of the
  /// results.
  bool hasKnownResultSizes() const;
};

} // namespace mlir::frit

#endif // FRIT_EXECUTION_ENTRYSIGNATURE_H
