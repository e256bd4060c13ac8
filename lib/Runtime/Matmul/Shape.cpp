//===- Shape.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the shape of a matmul from its descriptor and its operands.
//
//===----------------------------------------------------------------------===//

#include "Shape.h"

#include "HashChains.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>

using namespace frit::runtime;

MatmulShape::MatmulShape(const FritMatmulDescriptor &matmul,
                         const FritMatmulOperands &operands)
    : elementType(matmul.elementType), outType(matmul.outType),
      flags(matmul.flags), hasBias(operands.bias != nullptr),
      batch(operands.batch), m(operands.m), n(operands.n), k(operands.k) {
  const int64_t rows[] = {transposesA() ? k : m, transposesB() ? n : k, m};
  const int64_t columns[] = {transposesA() ? m : k, transposesB() ? k : n, n};
  const FritMatrices *matrices[] = {&operands.a, &operands.b, &operands.out};
  for (int i = 0; i < 3; ++i) {
    // The stride of one row, or of one matrix, says nothing.
    rowStrides[i] = rows[i] > 1 ? matrices[i]->rowStride : columns[i];
    batchStrides[i] = batch > 1 ? matrices[i]->batchStride : 0;
  }
}

static const char *getTypeName(int32_t type) {
  switch (type) {
  case FRIT_TYPE_F32:
    return "f32";
  case FRIT_TYPE_F16:
    return "f16";
  default:
    return "bf16";
  }
}

void MatmulShape::describe(char *buffer, size_t size) const {
  snprintf(buffer, size,
           "a %s matmul to %s of m = %" PRId64 ", n = %" PRId64 ", k = %" PRId64
           ", batch %" PRId64 ", row strides %" PRId64 ", %" PRId64 ", %" PRId64
           "%s%s%s%s",
           getTypeName(elementType), getTypeName(outType), m, n, k, batch,
           rowStrides[0], rowStrides[1], rowStrides[2],
           transposesA() ? ", a transposed" : "",
           transposesB() ? ", b transposed" : "",
           accumulates() ? ", accumulating" : "", hasBias ? ", with bias" : "");
}

uint64_t frit::runtime::hashKey(const void *key, size_t size) {
  std::hash<std::string_view> hashBytes;
  return mixBits(
      hashBytes(std::string_view(static_cast<const char *>(key), size)));
}

bool frit::runtime::equalKeys(const void *first, const void *second,
                              size_t size) {
  return memcmp(first, second, size) == 0;
}
