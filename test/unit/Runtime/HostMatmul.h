//===- HostMatmul.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matmul in host memory with its result, computed one by one.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_HOSTMATMUL_H
#define FRIT_TEST_UNIT_RUNTIME_HOSTMATMUL_H

#include "TestContext.h"

#include "frit-c/RuntimeDevice.h"

#include "gtest/gtest.h"

#include <vector>

namespace frit {

/// f32 matrices filled with small whole numbers, so that every order of a sum
/// gives the same.
class HostMatmul {
public:
  struct Form {
    int64_t batch = 1;
    int64_t m = 3;
    int64_t n = 5;
    int64_t k = 4;
    int32_t flags = 0;
    bool hasBias = false;
    /// Elements between rows, and the factor that the batch shares: 0 none, 1
    /// a, 2 b.
    int64_t gap = 0;
    int shared = 0;
  };

  explicit HostMatmul(const Form &form) : form(form) {
    bool transposesA = form.flags & FRIT_MATMUL_TRANSPOSE_A;
    bool transposesB = form.flags & FRIT_MATMUL_TRANSPOSE_B;
    descriptor = {sizeof(FritMatmulDescriptor),
                  "library.test",
                  FRIT_TYPE_F32,
                  FRIT_TYPE_F32,
                  form.flags,
                  0,
                  0};
    operands.batch = form.batch;
    operands.m = form.m;
    operands.n = form.n;
    operands.k = form.k;
    fill(a, operands.a, transposesA ? form.k : form.m,
         transposesA ? form.m : form.k, form.shared == 1);
    fill(b, operands.b, transposesB ? form.n : form.k,
         transposesB ? form.k : form.n, form.shared == 2);
    fill(out, operands.out, form.m, form.n, false);
    for (int64_t i = 0; i < form.n && form.hasBias; ++i)
      bias.push_back(static_cast<float>(i - 2));
    operands.bias = form.hasBias ? bias.data() : nullptr;
    before = out;
    expected = out;
    for (int64_t matrix = 0; matrix < form.batch; ++matrix)
      for (int64_t row = 0; row < form.m; ++row)
        for (int64_t column = 0; column < form.n; ++column) {
          float &sum = at(expected, operands.out, matrix, row, column);
          if (!(form.flags & FRIT_MATMUL_ACCUMULATE))
            sum = 0;
          if (form.hasBias)
            sum += bias[column];
          for (int64_t i = 0; i < form.k; ++i)
            sum += at(a, operands.a, matrix, transposesA ? i : row,
                      transposesA ? row : i) *
                   at(b, operands.b, matrix, transposesB ? column : i,
                      transposesB ? i : column);
        }
  }
  HostMatmul(const HostMatmul &) = delete;
  HostMatmul &operator=(const HostMatmul &) = delete;

  FritStatus run(FritContext *context) {
    return fritHostMatmul(context, &descriptor, &operands);
  }

  /// Expects the result and, between the rows, what was there before.
  void expectResult() const { EXPECT_EQ(out, expected); }
  void expectUntouched() const { EXPECT_EQ(out, before); }

  FritMatmulDescriptor descriptor;
  FritMatmulOperands operands = {};

private:
  void fill(std::vector<float> &data, FritMatrices &matrices, int64_t rows,
            int64_t columns, bool isShared) {
    matrices.rowStride = columns + form.gap;
    matrices.batchStride = isShared ? 0 : rows * matrices.rowStride + form.gap;
    int64_t size =
        (isShared ? 1 : form.batch) * (rows * matrices.rowStride + form.gap);
    for (int64_t i = 0; i < size; ++i)
      data.push_back(static_cast<float>((next = next * 7 % 31) % 7 - 3));
    data.push_back(77);
    matrices.data = data.data();
  }

  static float &at(std::vector<float> &data, const FritMatrices &matrices,
                   int64_t matrix, int64_t row, int64_t column) {
    return data[matrix * matrices.batchStride + row * matrices.rowStride +
                column];
  }

  Form form;
  int64_t next = 11;
  std::vector<float> a, b, out, bias, before, expected;
};

} // namespace frit

#endif // FRIT_TEST_UNIT_RUNTIME_HOSTMATMUL_H
