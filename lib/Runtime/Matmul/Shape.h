//===- Shape.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a library is told of a matmul but the addresses: types, sizes, strides.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_MATMUL_SHAPE_H
#define FRIT_LIB_RUNTIME_MATMUL_SHAPE_H

#include "frit-c/RuntimeDevice.h"

namespace frit::runtime {

/// Has no padding, so that it can be compared as bytes.
struct MatmulShape {
  MatmulShape(const FritMatmulDescriptor &matmul,
              const FritMatmulOperands &operands);

  bool transposesA() const { return flags & FRIT_MATMUL_TRANSPOSE_A; }
  bool transposesB() const { return flags & FRIT_MATMUL_TRANSPOSE_B; }
  bool accumulates() const { return flags & FRIT_MATMUL_ACCUMULATE; }

  /// "a bf16 matmul to f32 of m = ...", cut to the buffer's size.
  void describe(char *buffer, size_t size) const;

  int32_t elementType;
  int32_t outType;
  int32_t flags;
  int32_t hasBias;
  int64_t batch;
  int64_t m;
  int64_t n;
  int64_t k;
  /// Of a, b and out. Strides that are not walked have one value.
  int64_t rowStrides[3];
  int64_t batchStrides[3];
};

/// Hash and comparison of the bytes of keys without padding.
uint64_t hashKey(const void *key, size_t size);
bool equalKeys(const void *first, const void *second, size_t size);

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_MATMUL_SHAPE_H
