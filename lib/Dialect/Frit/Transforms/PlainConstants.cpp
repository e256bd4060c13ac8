//===- PlainConstants.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and rearranges row-major data.
//
//===----------------------------------------------------------------------===//

#include "PlainConstants.h"

#include "frit/Support/TransposeBytes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace mlir::frit;

static size_t getElementBytes(ElementsAttr constant) {
  return constant.getElementType().getIntOrFloatBitWidth() / 8;
}

/// The bytes, those of one element where all are equal.
static ArrayRef<char> getData(ElementsAttr constant) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant))
    return resource.getRawHandle().getBlob()->getData();
  return cast<DenseElementsAttr>(constant).getRawData();
}

bool frit::isPlain(ElementsAttr constant) {
  Type type = constant.getElementType();
  if (!isa<FloatType>(type) || type.getIntOrFloatBitWidth() % 8 != 0)
    return false;
  if (isa<DenseElementsAttr>(constant))
    return true;
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob && blob->getData().size() ==
                     static_cast<size_t>(constant.getNumElements()) *
                         getElementBytes(constant);
}

ElementsAttr frit::getPlainConstant(Value value) {
  ElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && isPlain(constant))
    return constant;
  return {};
}

bool frit::isFinite(ElementsAttr constant) {
  auto type = cast<FloatType>(constant.getElementType());
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  size_t size = getElementBytes(constant);
  ArrayRef<char> data = getData(constant);
  // All bits of the exponent are set in infinities and NaNs of IEEE formats;
  // what has other ones, or is wide, is asked one by one.
  unsigned precision = llvm::APFloat::semanticsPrecision(semantics);
  bool isIeee = llvm::APFloat::isIEEELikeFP(semantics) && size <= 8;
  uint64_t exponent =
      isIeee ? llvm::maskTrailingOnes<uint64_t>(type.getWidth() - precision)
                   << (precision - 1)
             : 0;
  for (; !data.empty(); data = data.drop_front(size)) {
    uint64_t words[2] = {};
    std::memcpy(words, data.data(), size);
    if (isIeee ? (words[0] & exponent) == exponent
               : !llvm::APFloat(semantics, llvm::APInt(type.getWidth(), words))
                      .isFinite())
      return false;
  }
  return true;
}

static ElementsAttr makeResource(RankedTensorType type, ArrayRef<char> data,
                                 StringRef name) {
  // Elements start where any type may, so that the data can be read in place.
  constexpr size_t kAlignment = 64;
  AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
      data, kAlignment, /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

ElementsAttr frit::concatRows(ArrayRef<ElementsAttr> constants) {
  SmallVector<char, 0> data;
  auto first = cast<RankedTensorType>(constants.front().getType());
  SmallVector<int64_t> shape(first.getShape());
  shape.front() = 0;
  for (ElementsAttr constant : constants) {
    shape.front() += constant.getShapedType().getDimSize(0);
    int64_t copies = constant.isSplat() ? constant.getNumElements() : 1;
    for (int64_t i = 0; i < copies; ++i)
      llvm::append_range(data, getData(constant));
  }
  return makeResource(RankedTensorType::get(shape, first.getElementType()),
                      data, "frit_packed_projections");
}

ElementsAttr frit::transposeMatrix(ElementsAttr constant) {
  auto type = cast<RankedTensorType>(constant.getType());
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  auto transposed = type.clone({columns, rows});
  if (auto dense = dyn_cast<DenseElementsAttr>(constant);
      dense && dense.isSplat())
    return dense.resizeSplat(transposed);
  size_t size = getElementBytes(constant);
  ArrayRef<char> data = getData(constant);
  SmallVector<char, 0> result;
  result.resize_for_overwrite(data.size());
  transposeBytes(data, result, rows, columns, size);
  return makeResource(transposed, result, "frit_transposed");
}
