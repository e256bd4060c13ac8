//===- Print.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors as text for a reader.
//
//===----------------------------------------------------------------------===//

#include "Print.h"

#include "llvm/Support/Format.h"

using namespace mlir::frit;

namespace {

/// Decimal digits that tell all values of a type apart.
int getDigits(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return 17;
  case ElementType::F32:
    return 9;
  case ElementType::F16:
    return 5;
  default:
    return 4;
  }
}

class Printer {
public:
  Printer(llvm::raw_ostream &stream, const HostTensor &tensor)
      : stream(stream), tensor(tensor),
        isShort(tensor.getNumElements() <= 1000) {}

  /// The elements under dimension `depth`, the first being `index`.
  void print(int64_t depth, int64_t index, int64_t count) {
    if (depth == tensor.getRank())
      return printElement(index);
    int64_t size = tensor.getShape()[depth];
    int64_t inner = size == 0 ? 0 : count / size;
    bool isRow = depth + 1 == tensor.getRank();
    stream << '[';
    for (int64_t i = 0; i < size; ++i) {
      if (i > 0)
        separate(depth, isRow);
      if (!isShort && size > 6 && i == 3) {
        stream << "...";
        i = size - 3;
        separate(depth, isRow);
      }
      print(depth + 1, index + i * inner, inner);
    }
    stream << ']';
  }

private:
  void separate(int64_t depth, bool isRow) {
    stream << ',';
    if (isRow)
      stream << ' ';
    else
      (stream << "\n").indent(depth + 1);
  }

  void printElement(int64_t index) {
    if (isFloat(tensor.getType())) {
      stream << llvm::format("%.*g", getDigits(tensor.getType()),
                             tensor.getDouble(index));
      return;
    }
    int64_t offset = tensor.getOffset(index);
    dispatchElementType(tensor.getType(), [&](auto tag) {
      using T = decltype(tag);
      T value = tensor.getDataAs<T>()[offset];
      if constexpr (std::is_integral_v<T>)
        stream << +value;
      else
        stream << (toDouble(value) != 0);
    });
  }

  llvm::raw_ostream &stream;
  const HostTensor &tensor;
  bool isShort;
};

} // namespace

void mlir::frit::printTensor(llvm::raw_ostream &stream,
                             const HostTensor &tensor) {
  Printer(stream, tensor).print(0, 0, tensor.getNumElements());
}
