//===- Buffer.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strided tensors and the steps of element types.
//
//===----------------------------------------------------------------------===//

#include "Buffer.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir::frit;
using namespace mlir::frit::test;

/// What gaps are filled with: as a float of any type it is a large number.
static constexpr unsigned char guardByte = 0x6b;

Layout Layout::contiguous(llvm::ArrayRef<int64_t> shape) {
  Layout layout;
  layout.strides.resize(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    layout.strides[dim] = stride;
    stride *= shape[dim];
  }
  return layout;
}

Layout Layout::random(llvm::ArrayRef<int64_t> shape, Random &random) {
  Layout layout = contiguous(shape);
  if (random.chance(0.5))
    return layout;
  layout.offset = random.integer(0, 5);
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    layout.strides[dim] = stride;
    stride *= shape[dim];
    if (random.chance(0.5))
      stride += random.integer(0, 17);
  }
  return layout;
}

Buffer::Buffer(ElementType type, llvm::ArrayRef<int64_t> shape,
               const Layout &layout)
    : type(type), elementBytes(getElementBytes(type)), shape(shape),
      layout(layout), numElements(1) {
  int64_t last = layout.offset;
  for (auto [size, stride] : llvm::zip_equal(shape, layout.strides)) {
    numElements *= size;
    last += std::max<int64_t>(size - 1, 0) * stride;
  }
  // A tail is guarded as well.
  bytes.assign((last + 9) * elementBytes, guardByte);
  for (int64_t index = 0; index < numElements; ++index)
    set(index, 0);
}

int64_t Buffer::getPosition(int64_t index) const {
  int64_t position = layout.offset;
  for (size_t dim = shape.size(); dim-- > 0;) {
    position += index % shape[dim] * layout.strides[dim];
    index /= shape[dim];
  }
  return position * elementBytes;
}

int64_t Buffer::linearize(llvm::ArrayRef<int64_t> indices) const {
  int64_t index = 0;
  for (auto [position, size] : llvm::zip_equal(indices, shape))
    index = index * size + position;
  return index;
}

double Buffer::get(int64_t index) const {
  const unsigned char *address = bytes.data() + getPosition(index);
  return dispatchElementType(type, [&](auto stored) {
    std::memcpy(&stored, address, sizeof(stored));
    return toDouble(stored);
  });
}

void Buffer::set(int64_t index, double value) {
  unsigned char *address = bytes.data() + getPosition(index);
  auto store = [&](auto stored) {
    std::memcpy(address, &stored, sizeof(stored));
  };
  switch (type) {
  case ElementType::F16:
    return store(Float16::fromDouble(value));
  case ElementType::BF16:
    return store(BFloat16::fromDouble(value));
  case ElementType::F32:
    return store(static_cast<float>(value));
  case ElementType::I32:
    return store(static_cast<int32_t>(value));
  case ElementType::I64:
    return store(static_cast<int64_t>(value));
  default:
    llvm_unreachable("no property is of this type");
  }
}

uint64_t Buffer::getBits(int64_t index) const {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + getPosition(index), elementBytes);
  return bits;
}

std::vector<int64_t> Buffer::getDescriptor() {
  auto base = reinterpret_cast<int64_t>(bytes.data());
  std::vector<int64_t> descriptor{base, base, layout.offset};
  descriptor.insert(descriptor.end(), shape.begin(), shape.end());
  descriptor.insert(descriptor.end(), layout.strides.begin(),
                    layout.strides.end());
  return descriptor;
}

bool Buffer::areGapsIntact() const {
  std::vector<bool> isElement(bytes.size() / elementBytes);
  for (int64_t index = 0; index < numElements; ++index)
    isElement[getPosition(index) / elementBytes] = true;
  for (size_t i = 0; i < bytes.size(); ++i)
    if (!isElement[i / elementBytes] && bytes[i] != guardByte)
      return false;
  return true;
}

std::string Buffer::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  os << "x" << getName(type) << " strides [";
  llvm::interleaveComma(layout.strides, os);
  os << "] offset " << layout.offset;
  return text;
}

double test::roundTo(ElementType type, double value) {
  switch (type) {
  case ElementType::F16:
    return Float16::fromDouble(value).toDouble();
  case ElementType::BF16:
    return BFloat16::fromDouble(value).toDouble();
  case ElementType::F32:
    return static_cast<float>(value);
  default:
    llvm_unreachable("no property is of this type");
  }
}

/// Steps to the next value away from zero, or towards it.
template <typename Stored> static double step(double value, int direction) {
  Stored stored = Stored::fromDouble(value);
  return Stored::fromBits(static_cast<uint16_t>(stored.bits + direction))
      .toDouble();
}

double test::nextUp(ElementType type, double value) {
  if (std::isnan(value) || value == std::numeric_limits<double>::infinity())
    return value;
  if (value == 0)
    return getSmallestSubnormal(type);
  switch (type) {
  case ElementType::F16:
    return step<Float16>(value, value > 0 ? 1 : -1);
  case ElementType::BF16:
    return step<BFloat16>(value, value > 0 ? 1 : -1);
  default:
    return std::nextafter(static_cast<float>(value),
                          std::numeric_limits<float>::infinity());
  }
}

double test::nextDown(ElementType type, double value) {
  return -nextUp(type, -value);
}

double test::getUnitRoundoff(ElementType type) {
  return type == ElementType::F16    ? 0x1p-11
         : type == ElementType::BF16 ? 0x1p-8
                                     : 0x1p-24;
}

double test::getSmallestSubnormal(ElementType type) {
  return type == ElementType::F16    ? 0x1p-24
         : type == ElementType::BF16 ? 0x1p-133
                                     : 0x1p-149;
}
