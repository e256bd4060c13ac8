//===- PlanKey.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what an algorithm depends on from a matmul and its operands.
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>
#include <type_traits>

using namespace frit::runtime;
using namespace frit::runtime::cuda;
using namespace frit::runtime::cuda::cublaslt;

static_assert(std::has_unique_object_representations_v<PlanKey>);

/// The largest power of two, up to what cuBLASLt asks for, that divides an
/// address.
static uint32_t getAlignment(const void *memory) {
  constexpr uint64_t kMost = 256;
  uint64_t address = toDevice(memory) | kMost;
  return static_cast<uint32_t>(address & (~address + 1));
}

PlanKey::PlanKey(const FritMatmulDescriptor &matmul,
                 const FritMatmulOperands &operands)
    : elementType(matmul.elementType), outType(matmul.outType),
      flags(matmul.flags), hasBias(operands.bias != nullptr),
      workspaceBytes(matmul.workspaceBytes), batch(operands.batch),
      m(operands.m), n(operands.n), k(operands.k) {
  const int64_t rows[] = {flags & FRIT_MATMUL_TRANSPOSE_A ? k : m,
                          flags & FRIT_MATMUL_TRANSPOSE_B ? n : k, m};
  const int64_t columns[] = {flags & FRIT_MATMUL_TRANSPOSE_A ? m : k,
                             flags & FRIT_MATMUL_TRANSPOSE_B ? k : n, n};
  const FritMatrices *matrices[] = {&operands.a, &operands.b, &operands.out};
  for (int i = 0; i < 3; ++i) {
    // The stride of one row, or of one matrix, says nothing.
    rowStrides[i] = rows[i] > 1 ? matrices[i]->rowStride : columns[i];
    batchStrides[i] = batch > 1 ? matrices[i]->batchStride : 0;
    alignments[i] = getAlignment(matrices[i]->data);
  }
  alignments[3] = getAlignment(operands.bias);
}

bool PlanKey::operator==(const PlanKey &other) const {
  return memcmp(this, &other, sizeof(PlanKey)) == 0;
}

uint64_t PlanKey::hash() const {
  std::hash<std::string_view> hashBytes;
  return mixBits(hashBytes(
      std::string_view(reinterpret_cast<const char *>(this), sizeof(PlanKey))));
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

void PlanKey::describe(char *buffer, size_t size) const {
  snprintf(buffer, size,
           "a %s matmul to %s of m = %" PRId64 ", n = %" PRId64 ", k = %" PRId64
           ", batch %" PRId64 ", row strides %" PRId64 ", %" PRId64 ", %" PRId64
           "%s%s%s%s",
           getTypeName(elementType), getTypeName(outType), m, n, k, batch,
           rowStrides[0], rowStrides[1], rowStrides[2],
           flags & FRIT_MATMUL_TRANSPOSE_A ? ", a transposed" : "",
           flags & FRIT_MATMUL_TRANSPOSE_B ? ", b transposed" : "",
           flags & FRIT_MATMUL_ACCUMULATE ? ", accumulating" : "",
           hasBias ? ", with bias" : "");
}
