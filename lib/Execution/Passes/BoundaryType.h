//===- BoundaryType.h -------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The type that a tensor has at the boundary of a function once it is a buffer.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_EXECUTION_PASSES_BOUNDARYTYPE_H
#define FRIT_LIB_EXECUTION_PASSES_BOUNDARYTYPE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::frit {

/// A memref with inner stride 1, and any other stride and any offset: what
/// Frit's ops take, and what rows of a larger tensor have.
inline MemRefType getBoundaryType(ShapedType type, Attribute memorySpace = {}) {
  SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
  if (!strides.empty())
    strides.back() = 1;
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides),
      memorySpace);
}

} // namespace mlir::frit

#endif // FRIT_LIB_EXECUTION_PASSES_BOUNDARYTYPE_H
