//===- HostTensor.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Storage of host tensors and access to their elements.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/HostTensor.h"

#include "frit/Support/TransposeBytes.h"

#include "FileError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace mlir::frit;

namespace {
/// The number of elements that storage with these strides spans.
std::optional<int64_t> getStorageElements(llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<int64_t> strides) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    std::optional<int64_t> next = llvm::checkedMulAdd(size - 1, stride, last);
    if (!next)
      return std::nullopt;
    last = *next;
  }
  return llvm::checkedAdd<int64_t>(last, 1);
}

/// Zeroed memory at HostTensor's alignment, or null.
std::shared_ptr<void> allocateZeroed(size_t bytes) {
  // Not operator new: tools install LLVM's handler for its failures, which ends
  // the process. The size is a multiple of the alignment.
  if (bytes > std::numeric_limits<size_t>::max() - HostTensor::alignment)
    return nullptr;
  const size_t size = llvm::alignTo(bytes, HostTensor::alignment);
  void *memory = std::aligned_alloc(HostTensor::alignment, size);
  if (!memory)
    return nullptr;
  std::memset(memory, 0, bytes);
  return {memory, std::free};
}

template <typename T> T fromDouble(double value) {
  if constexpr (std::is_same_v<T, Bool8>) {
    return Bool8{static_cast<uint8_t>(value != 0)};
  } else if constexpr (std::is_same_v<T, Float16> ||
                       std::is_same_v<T, BFloat16>) {
    return T::fromDouble(value);
  } else if constexpr (std::is_integral_v<T>) {
    if (std::isnan(value))
      return 0;
    // The largest 64-bit integers round up to a double out of range, which is
    // why the upper compare is not strict.
    if (value <= static_cast<double>(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    if (value >= static_cast<double>(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    return static_cast<T>(value);
  } else {
    return static_cast<T>(value);
  }
}
} // namespace

llvm::SmallVector<int64_t, 4>
mlir::frit::getRowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> strides(shape.size(), 1);
  // Dimensions of size 0 count as 1, so that no product overflows or vanishes.
  for (size_t i = shape.size(); i-- > 1;) {
    std::optional<int64_t> stride =
        llvm::checkedMul(strides[i], std::max<int64_t>(shape[i], 1));
    strides[i - 1] = stride.value_or(1);
  }
  return strides;
}

llvm::Expected<HostTensor> HostTensor::allocate(TensorSpec spec) {
  llvm::SmallVector<int64_t, 4> strides = getRowMajorStrides(spec.shape);
  return allocateStrided(std::move(spec), strides);
}

llvm::Expected<HostTensor>
HostTensor::allocateStrided(TensorSpec spec, llvm::ArrayRef<int64_t> strides) {
  llvm::Expected<int64_t> numElements = spec.getNumElements();
  if (!numElements)
    return numElements.takeError();
  if (strides.size() != spec.shape.size())
    return makeError("tensor ", spec.str(), ": has ", spec.shape.size(),
                     " dimensions but ", strides.size(), " strides");
  for (int64_t stride : strides)
    if (stride < 0)
      return makeError("tensor ", spec.str(), ": stride ", stride,
                       " is negative");
  std::optional<int64_t> elements = getStorageElements(spec.shape, strides);
  std::optional<int64_t> bytes;
  if (elements)
    bytes = llvm::checkedMul(*elements,
                             static_cast<int64_t>(getElementBytes(spec.type)));
  if (!bytes)
    return makeError("tensor ", spec.str(), ": storage has 2^63 bytes or more");

  HostTensor tensor;
  // At least one byte, so that an empty tensor has an aligned address too.
  tensor.owner = allocateZeroed(std::max<int64_t>(*bytes, 1));
  if (!tensor.owner)
    return makeError("tensor ", spec.str(), ": cannot allocate ", *bytes,
                     " bytes");
  tensor.data = static_cast<char *>(tensor.owner.get());
  tensor.spec = std::move(spec);
  tensor.strides.assign(strides.begin(), strides.end());
  tensor.numElements = *numElements;
  return std::move(tensor);
}

llvm::Expected<HostTensor> HostTensor::borrow(TensorSpec spec,
                                              llvm::MutableArrayRef<char> bytes,
                                              std::shared_ptr<void> owner) {
  llvm::Expected<int64_t> expectedBytes = spec.getNumBytes();
  if (!expectedBytes)
    return expectedBytes.takeError();
  if (static_cast<uint64_t>(*expectedBytes) != bytes.size())
    return makeError("tensor ", spec.str(), ": needs ", *expectedBytes,
                     " bytes, found ", bytes.size());
  if (reinterpret_cast<uintptr_t>(bytes.data()) % getElementBytes(spec.type)) {
    llvm::Expected<HostTensor> copy = allocate(std::move(spec));
    if (copy && !bytes.empty())
      std::memcpy(copy->data, bytes.data(), bytes.size());
    return copy;
  }
  HostTensor tensor;
  tensor.strides = getRowMajorStrides(spec.shape);
  tensor.numElements = *expectedBytes / getElementBytes(spec.type);
  tensor.spec = std::move(spec);
  tensor.data = bytes.data();
  tensor.owner = std::move(owner);
  return std::move(tensor);
}

bool HostTensor::isContiguous() const {
  if (numElements == 0)
    return true;
  int64_t expected = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(spec.shape, strides))) {
    // The stride of a dimension of size 1 is never used.
    if (size != 1 && stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

llvm::ArrayRef<char> HostTensor::getContiguousBytes() const {
  assert(isContiguous() && "gaps are not part of the value");
  return {data, static_cast<size_t>(getNumBytes())};
}

llvm::SmallVector<int64_t, 4> HostTensor::delinearize(int64_t index) const {
  llvm::SmallVector<int64_t, 4> position(spec.shape.size(), 0);
  for (size_t i = spec.shape.size(); i-- > 0;) {
    position[i] = index % spec.shape[i];
    index /= spec.shape[i];
  }
  return position;
}

int64_t HostTensor::getOffset(int64_t index) const {
  int64_t offset = 0;
  for (size_t i = spec.shape.size(); i-- > 0;) {
    offset += index % spec.shape[i] * strides[i];
    index /= spec.shape[i];
  }
  return offset;
}

double HostTensor::getDouble(int64_t index) const {
  const int64_t offset = getOffset(index);
  return dispatchElementType(spec.type, [&](auto element) {
    return toDouble(getDataAs<decltype(element)>()[offset]);
  });
}

void HostTensor::setDouble(int64_t index, double value) {
  const int64_t offset = getOffset(index);
  dispatchElementType(spec.type, [&](auto element) {
    using T = decltype(element);
    getDataAs<T>()[offset] = fromDouble<T>(value);
  });
}

llvm::Expected<HostTensor> HostTensor::clone() const {
  llvm::Expected<HostTensor> copy = allocate(spec);
  if (!copy)
    return copy;
  if (isContiguous()) {
    if (numElements != 0)
      std::memcpy(copy->data, data, static_cast<size_t>(getNumBytes()));
    return copy;
  }
  const size_t bytes = getElementBytes(spec.type);
  for (int64_t i = 0; i < numElements; ++i)
    std::memcpy(copy->data + i * bytes, data + getOffset(i) * bytes, bytes);
  return copy;
}

llvm::Expected<HostTensor> HostTensor::toContiguous() const {
  if (!isContiguous())
    return clone();
  HostTensor alias;
  alias.spec = spec;
  alias.strides = strides;
  alias.numElements = numElements;
  alias.data = data;
  alias.owner = owner;
  return std::move(alias);
}

llvm::Expected<HostTensor> HostTensor::transpose() const {
  if (getRank() != 2)
    return llvm::createStringError("a tensor of rank " +
                                   llvm::Twine(getRank()) +
                                   " has no two axes to exchange");
  llvm::Expected<HostTensor> from = toContiguous();
  if (!from)
    return from;
  llvm::Expected<HostTensor> to =
      allocate({spec.type, {spec.shape[1], spec.shape[0]}});
  if (to && numElements != 0)
    transposeBytes(from->getContiguousBytes(),
                   {to->data, static_cast<size_t>(getNumBytes())},
                   spec.shape[0], spec.shape[1], getElementBytes(spec.type));
  return to;
}

llvm::Error HostTensor::reshape(llvm::ArrayRef<int64_t> shape) {
  TensorSpec reshaped{spec.type, llvm::SmallVector<int64_t, 4>(shape)};
  llvm::Expected<int64_t> count = reshaped.getNumElements();
  if (!count)
    return count.takeError();
  if (*count != numElements)
    return makeError("reshape of ", spec.str(), " to ", reshaped.str(),
                     ": has ", numElements, " elements, needs ", *count);
  if (!isContiguous())
    return makeError("reshape of ", spec.str(), " to ", reshaped.str(),
                     ": the tensor is not contiguous");
  spec = std::move(reshaped);
  strides = getRowMajorStrides(spec.shape);
  return llvm::Error::success();
}
