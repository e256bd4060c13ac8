//===- HostTensor.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors in host memory: what frit-run reads from files, passes to compiled
// functions, compares and writes.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_HOSTTENSOR_H
#define FRIT_IO_HOSTTENSOR_H

#include "frit/IO/ElementType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir::frit {

/// Element type and static shape of a tensor: "4x4096xbf16", "f32" (a scalar).
struct TensorSpec {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;

  /// Parses the body of a ranked tensor type. Dimensions are decimal and not
  /// negative; the error names the text and the part that is wrong.
  static llvm::Expected<TensorSpec> parse(llvm::StringRef text);

  /// The inverse of `parse`.
  std::string str() const;

  /// The number of elements and of bytes of a contiguous tensor, or an error
  /// if either leaves [0, 2^63) or a dimension is negative.
  llvm::Expected<int64_t> getNumElements() const;
  llvm::Expected<int64_t> getNumBytes() const;

  bool operator==(const TensorSpec &other) const {
    return type == other.type && shape == other.shape;
  }
  bool operator!=(const TensorSpec &other) const { return !(*this == other); }
};

/// A tensor in host memory, either owned (64-byte aligned) or borrowed from a
/// buffer that it keeps alive (a mapped file). Move-only: `clone` copies.
///
/// Strides are in elements, not negative, and row-major for a contiguous
/// tensor. Element indices in this interface are logical row-major positions,
/// whatever the strides.
class HostTensor {
public:
  static constexpr size_t alignment = 64;

  /// A contiguous tensor of zeros. Memory that cannot be had is an error.
  static llvm::Expected<HostTensor> allocate(TensorSpec spec);

  /// A tensor of zeros whose storage follows `strides` (one per dimension, in
  /// elements). Gaps are zero too.
  static llvm::Expected<HostTensor>
  allocateStrided(TensorSpec spec, llvm::ArrayRef<int64_t> strides);

  /// A contiguous tensor over `bytes`, which `owner` keeps alive and which may
  /// be written to. Bytes that are not aligned to the element size are copied,
  /// because compiled code assumes that alignment.
  static llvm::Expected<HostTensor> borrow(TensorSpec spec,
                                           llvm::MutableArrayRef<char> bytes,
                                           std::shared_ptr<void> owner);

  const TensorSpec &getSpec() const { return spec; }
  ElementType getType() const { return spec.type; }
  llvm::ArrayRef<int64_t> getShape() const { return spec.shape; }
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getRank() const { return static_cast<int64_t>(spec.shape.size()); }
  int64_t getNumElements() const { return numElements; }
  /// Bytes of the elements, without gaps.
  int64_t getNumBytes() const {
    return numElements * getElementBytes(spec.type);
  }
  bool isContiguous() const;

  char *getData() { return data; }
  const char *getData() const { return data; }

  /// The bytes of a contiguous tensor.
  llvm::ArrayRef<char> getContiguousBytes() const;

  /// The storage as the C++ type of the element type; `T` must be that type.
  template <typename T> T *getDataAs() { return reinterpret_cast<T *>(data); }
  template <typename T> const T *getDataAs() const {
    return reinterpret_cast<const T *>(data);
  }

  /// The storage offset, in elements, of logical element `index`.
  int64_t getOffset(int64_t index) const;
  /// The multi-dimensional index of logical element `index`.
  llvm::SmallVector<int64_t, 4> delinearize(int64_t index) const;

  /// One element as a double (see `toDouble` for what is exact).
  double getDouble(int64_t index) const;
  /// Stores `value` rounded to nearest even; integers truncate toward zero and
  /// saturate, NaN becomes 0, and I1 stores whether it is not zero.
  void setDouble(int64_t index, double value);

  /// A contiguous copy.
  llvm::Expected<HostTensor> clone() const;

  /// This tensor under a second handle that shares its storage if it is
  /// contiguous, else a contiguous copy.
  llvm::Expected<HostTensor> toContiguous() const;

  /// A contiguous copy of a matrix with its axes exchanged; an error for
  /// another rank than 2.
  llvm::Expected<HostTensor> transpose() const;

  /// The same elements under another shape; an error if the counts differ or
  /// the tensor is not contiguous.
  llvm::Error reshape(llvm::ArrayRef<int64_t> shape);

private:
  HostTensor() = default;

  TensorSpec spec;
  llvm::SmallVector<int64_t, 4> strides;
  int64_t numElements = 0;
  char *data = nullptr;
  std::shared_ptr<void> owner;
};

/// Row-major strides of a contiguous tensor; the product of the dimensions
/// must fit, as `TensorSpec::getNumElements` checks.
llvm::SmallVector<int64_t, 4> getRowMajorStrides(llvm::ArrayRef<int64_t> shape);

} // namespace mlir::frit

#endif // FRIT_IO_HOSTTENSOR_H
