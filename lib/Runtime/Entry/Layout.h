//===- Layout.h - Where the elements of a tensor are ------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes that a checked tensor has, and whether two tensors share some.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ENTRY_LAYOUT_H
#define FRIT_LIB_RUNTIME_ENTRY_LAYOUT_H

#include <cstdint>

namespace frit::runtime {

/// A tensor with positive strides, of at least one element, whose bytes are
/// within the address space.
struct Layout {
  uintptr_t address;
  int64_t elementBytes;
  /// `rank` sizes of 1 or more, and strides in elements.
  const int64_t *sizes;
  const int64_t *strides;
  int32_t rank;
  /// Bytes from the first to behind the last element.
  int64_t span;

  /// True where it is certain that no two elements are at one place: each
  /// stride, from small to large, goes beyond what the smaller ones reach.
  bool hasDistinctElements() const;
};

/// False where it is certain that the tensors share no byte: their ranges do
/// not meet, or they are columns of rows of one pitch, next to each other.
bool mayOverlap(const Layout &a, const Layout &b);

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_ENTRY_LAYOUT_H
