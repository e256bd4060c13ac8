//===- TensorSpec.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing, printing and checked sizes of tensor shapes.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/HostTensor.h"

#include "FileError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir::frit;

llvm::Expected<TensorSpec> TensorSpec::parse(llvm::StringRef text) {
  TensorSpec spec;
  llvm::StringRef rest = text;
  // A dimension starts with a digit, and no element type does.
  while (!rest.empty() && llvm::isDigit(rest.front())) {
    auto [digits, tail] = rest.split('x');
    int64_t size = 0;
    if (digits.size() == rest.size() || digits.getAsInteger(10, size))
      return makeError("type ", quoteText(text),
                       ": expected a dimension, 'x' and ",
                       "more, as in '4x4096xbf16', found ", quoteText(rest));
    spec.shape.push_back(size);
    rest = tail;
  }
  std::optional<ElementType> type = parseElementType(rest);
  if (!type)
    return makeError("type ", quoteText(text),
                     ": expected an element type (i1, ",
                     "i8 to i64, ui8 to ui64, f16, bf16, f32, f64), found ",
                     quoteText(rest));
  spec.type = *type;
  if (llvm::Error error = spec.getNumBytes().takeError())
    return std::move(error);
  return spec;
}

std::string TensorSpec::str() const {
  std::string text;
  for (int64_t size : shape)
    text += llvm::itostr(size) + "x";
  return text + getName(type).str();
}

llvm::Expected<int64_t> TensorSpec::getNumElements() const {
  int64_t count = 1;
  bool isEmpty = false;
  for (int64_t size : shape) {
    if (size < 0)
      return makeError("shape ", str(), ": dimension ", size, " is negative");
    isEmpty |= size == 0;
  }
  // A zero anywhere makes the tensor empty, however large the others are.
  if (isEmpty)
    return 0;
  for (int64_t size : shape) {
    std::optional<int64_t> product = llvm::checkedMul(count, size);
    if (!product)
      return makeError("shape ", str(), ": has 2^63 elements or more");
    count = *product;
  }
  return count;
}

llvm::Expected<int64_t> TensorSpec::getNumBytes() const {
  llvm::Expected<int64_t> count = getNumElements();
  if (!count)
    return count.takeError();
  std::optional<int64_t> bytes =
      llvm::checkedMul(*count, static_cast<int64_t>(getElementBytes(type)));
  if (!bytes)
    return makeError("shape ", str(), ": has 2^63 bytes or more");
  return *bytes;
}
