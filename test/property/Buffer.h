//===- Buffer.h ----------------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments of compiled functions: strided tensors with guarded gaps.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_PROPERTY_BUFFER_H
#define FRIT_TEST_PROPERTY_BUFFER_H

#include "Random.h"

#include "frit/IO/ElementType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace mlir::frit::test {

/// How the elements of a tensor lie in memory.
struct Layout {
  /// Elements before the first, so that the base is aligned to one element
  /// only.
  int64_t offset = 0;
  /// In elements; the last is 1.
  llvm::SmallVector<int64_t, 4> strides;

  static Layout contiguous(llvm::ArrayRef<int64_t> shape);
  /// Random gaps after rows, and a random offset; often none.
  static Layout random(llvm::ArrayRef<int64_t> shape, Random &random);
};

/// A tensor. Element indices are logical row-major positions.
class Buffer {
public:
  Buffer(ElementType type, llvm::ArrayRef<int64_t> shape)
      : Buffer(type, shape, Layout::contiguous(shape)) {}
  Buffer(ElementType type, llvm::ArrayRef<int64_t> shape, const Layout &layout);

  ElementType getType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getDim(unsigned dim) const { return shape[dim]; }
  int64_t size() const { return numElements; }

  double get(int64_t index) const;
  /// Rounds to nearest even.
  void set(int64_t index, double value);
  /// The bits of an element.
  uint64_t getBits(int64_t index) const;

  double get(llvm::ArrayRef<int64_t> indices) const {
    return get(linearize(indices));
  }
  void set(llvm::ArrayRef<int64_t> indices, double value) {
    set(linearize(indices), value);
  }
  int64_t linearize(llvm::ArrayRef<int64_t> indices) const;

  /// The descriptor that entry points take: pointer twice, offset, sizes and
  /// strides.
  std::vector<int64_t> getDescriptor();

  /// Whether all bytes that are no element are what they were at the start.
  bool areGapsIntact() const;

  std::string describe() const;

private:
  int64_t getPosition(int64_t index) const;

  ElementType type;
  unsigned elementBytes;
  llvm::SmallVector<int64_t, 4> shape;
  Layout layout;
  int64_t numElements;
  std::vector<unsigned char> bytes;
};

/// Rounds to an element type and back, once and to nearest even.
double roundTo(ElementType type, double value);
/// The values next to an element of the type.
double nextUp(ElementType type, double value);
double nextDown(ElementType type, double value);
/// Half the distance of 1 to the next value; the smallest subnormal.
double getUnitRoundoff(ElementType type);
double getSmallestSubnormal(ElementType type);

} // namespace mlir::frit::test

#endif // FRIT_TEST_PROPERTY_BUFFER_H
