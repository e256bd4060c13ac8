//===- LargeConstant.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the bytes of globals.
//
//===----------------------------------------------------------------------===//

#include "LargeConstant.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::frit {

ArrayRef<char> getContiguousData(ElementsAttr value) {
  if (!value.getElementType().isIntOrFloat())
    return {};
  unsigned width = value.getElementType().getIntOrFloatBitWidth();
  if (width % 8 != 0 || !llvm::isPowerOf2_32(width))
    return {};
  ArrayRef<char> bytes;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      bytes = blob->getData();
  } else if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    bytes = dense.getRawData();
  }
  uint64_t size = static_cast<uint64_t>(value.getNumElements()) * (width / 8);
  return bytes.size() == size ? bytes : ArrayRef<char>();
}

ArrayRef<char> getLargeData(LLVM::GlobalOp global, uint64_t leastBytes) {
  auto value = dyn_cast_or_null<ElementsAttr>(global.getValueOrNull());
  if (!global.getConstant() || !value)
    return {};
  ArrayRef<char> bytes = getContiguousData(value);
  return bytes.size() >= leastBytes ? bytes : ArrayRef<char>();
}

} // namespace mlir::frit
