//===- ConcatConstants.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row-major data of rows behind each other is the data of all rows.
//
//===----------------------------------------------------------------------===//

#include "ConcatConstants.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::frit;

bool frit::canConcat(ElementsAttr constant) {
  Type type = constant.getElementType();
  if (!isa<FloatType>(type) || type.getIntOrFloatBitWidth() % 8 != 0)
    return false;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant))
    return resource.getRawHandle().getBlob() != nullptr;
  return isa<DenseElementsAttr>(constant);
}

/// Appends the bytes of a constant.
static void appendData(ElementsAttr constant, SmallVectorImpl<char> &data) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    llvm::append_range(data, resource.getRawHandle().getBlob()->getData());
    return;
  }
  auto dense = cast<DenseElementsAttr>(constant);
  int64_t copies = dense.isSplat() ? dense.getNumElements() : 1;
  for (int64_t i = 0; i < copies; ++i)
    llvm::append_range(data, dense.getRawData());
}

ElementsAttr frit::concatRows(ArrayRef<ElementsAttr> constants) {
  SmallVector<char, 0> data;
  auto first = cast<RankedTensorType>(constants.front().getType());
  SmallVector<int64_t> shape(first.getShape());
  shape.front() = 0;
  for (ElementsAttr constant : constants) {
    shape.front() += constant.getShapedType().getDimSize(0);
    appendData(constant, data);
  }
  auto type = RankedTensorType::get(shape, first.getElementType());
  // Elements start where any type may, so that the data can be read in place.
  constexpr size_t kAlignment = 64;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      data, kAlignment, /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, "frit_packed_projections",
                                        std::move(blob));
}
