//===- Check.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks what compiled code, or another caller, says of a library's matmul.
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include "Cuda/Ranges.h"

#include <cinttypes>
#include <limits>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

static bool isElementType(int32_t type) {
  return type == FRIT_TYPE_F32 || type == FRIT_TYPE_F16 ||
         type == FRIT_TYPE_BF16;
}

FritStatus frit::runtime::checkMatmul(FritContext *context,
                                      const FritMatmulDescriptor *matmul,
                                      const FritMatmulOperands *operands) {
  constexpr int32_t kFlags = FRIT_MATMUL_TRANSPOSE_A | FRIT_MATMUL_TRANSPOSE_B |
                             FRIT_MATMUL_ACCUMULATE;
  Reporter reporter(context);
  if (!matmul || !operands)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT, "a matmul has no %s",
                           matmul ? "operands" : "descriptor");
  if (matmul->size != sizeof(FritMatmulDescriptor))
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a matmul descriptor has a size of %" PRIu64
                           " bytes instead of %zu",
                           matmul->size, sizeof(FritMatmulDescriptor));
  if (!matmul->id)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "a matmul descriptor has no id");
  Reporter named(context, matmul->id);
  if (!isElementType(matmul->elementType) ||
      (matmul->outType != FRIT_TYPE_F32 &&
       matmul->outType != matmul->elementType))
    return named.report(FRIT_STATUS_INVALID_ARGUMENT,
                        "no matmul is of the types 0x%x to 0x%x",
                        static_cast<unsigned>(matmul->elementType),
                        static_cast<unsigned>(matmul->outType));
  if (matmul->reserved != 0 || (matmul->flags & ~kFlags))
    return named.report(FRIT_STATUS_INVALID_ARGUMENT,
                        "unknown matmul flags 0x%x, 0x%x",
                        static_cast<unsigned>(matmul->flags),
                        static_cast<unsigned>(matmul->reserved));
  return FRIT_STATUS_OK;
}

FritStatus frit::runtime::checkMatmulSizes(const Reporter &reporter,
                                           const FritMatmulOperands &operands) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const struct {
    const char *name;
    int64_t value;
    int64_t least;
  } sizes[] = {{"the batch", operands.batch, 0},
               {"m", operands.m, 0},
               {"n", operands.n, 0},
               {"k", operands.k, 1}};
  for (const auto &[name, value, least] : sizes)
    if (FritStatus status = checkRange(reporter, name, value, least, kMost))
      return status;
  return FRIT_STATUS_OK;
}

FritStatus
frit::runtime::checkMatmulOperands(const Reporter &reporter,
                                   const MatmulShape &shape,
                                   const FritMatmulOperands &operands) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const struct {
    const char *rowStride;
    const char *batchStride;
    const void *data;
    int64_t columns;
  } matrices[] = {{"the row stride of a", "the batch stride of a",
                   operands.a.data, shape.transposesA() ? shape.m : shape.k},
                  {"the row stride of b", "the batch stride of b",
                   operands.b.data, shape.transposesB() ? shape.k : shape.n},
                  {"the row stride of out", "the batch stride of out",
                   operands.out.data, shape.n}};
  for (int i = 0; i < 3; ++i) {
    const auto &matrix = matrices[i];
    if (!matrix.data)
      return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                             "an operand of the matmul is null");
    if (FritStatus status =
            checkRange(reporter, matrix.rowStride, shape.rowStrides[i],
                       matrix.columns, kMost))
      return status;
    int64_t least = i == 2 && shape.batch > 1 ? 1 : 0;
    if (FritStatus status = checkRange(reporter, matrix.batchStride,
                                       shape.batchStrides[i], least, kMost))
      return status;
  }
  return FRIT_STATUS_OK;
}
