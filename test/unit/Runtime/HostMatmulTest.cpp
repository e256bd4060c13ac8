//===- HostMatmulTest.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls of a library in host memory: what they compute, and what is refused.
// Run with stubs of oneDNN 2 and 3, and with the oneDNN of this machine, if
// there is one; the environment variable FRIT_ONEDNN may name another.
//
//===----------------------------------------------------------------------===//

#include "HostMatmul.h"

#include <cstdlib>
#include <string>

using namespace frit;

namespace {

class HostMatmulTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("FRIT_ONEDNN", FRIT_TEST_ONEDNN, /*overwrite=*/0);
  }
};

} // namespace

TEST_F(HostMatmulTest, Computes) {
  constexpr int32_t kA = FRIT_MATMUL_TRANSPOSE_A;
  constexpr int32_t kB = FRIT_MATMUL_TRANSPOSE_B;
  constexpr int32_t kAdd = FRIT_MATMUL_ACCUMULATE;
  const HostMatmul::Form forms[] = {
      {1, 3, 5, 4},
      {1, 1, 1, 1},
      {1, 1, 70, 33, kB},
      {1, 70, 1, 33, kB},
      {1, 64, 48, 96, kB},
      {1, 65, 49, 97, kB | kAdd, true},
      {1, 65, 49, 97, kA | kAdd, false, 3},
      {1, 17, 16, 1, kA | kB, true, 5},
      {1, 65, 49, 97, 0, true, 2},
      {3, 65, 49, 97, 0},
      {3, 5, 7, 6, kB | kAdd, true, 2},
      {3, 5, 7, 6, kB, false, 0, 2},
      {3, 5, 7, 6, kA, true, 1, 1},
      {2, 1, 7, 6, kAdd, false, 4, 2},
  };
  TestContext context(2);
  for (const HostMatmul::Form &form : forms) {
    SCOPED_TRACE("form " + std::to_string(&form - forms));
    HostMatmul matmul(form);
    EXPECT_EQ(matmul.run(context), FRIT_STATUS_OK)
        << fritContextErrorMessage(context);
    matmul.expectResult();
  }
}

TEST_F(HostMatmulTest, SubnormalNumbersAreKept) {
  TestContext context(1);
  for (int64_t m : {1, 64}) {
    std::vector<float> a(m * 16, 0), b(16 * 16, 0), out(m * 16, 1);
    for (int64_t i = 0; i < m; ++i)
      a[i * 16] = 0x1p-140F;
    for (int64_t i = 0; i < 16; ++i)
      b[i * 16] = 0.5F;
    HostMatmul::Form form = {1, m, 16, 16, FRIT_MATMUL_TRANSPOSE_B};
    HostMatmul matmul(form);
    matmul.operands.a.data = a.data();
    matmul.operands.b.data = b.data();
    matmul.operands.out.data = out.data();
    ASSERT_EQ(matmul.run(context), FRIT_STATUS_OK)
        << fritContextErrorMessage(context);
    EXPECT_EQ(out, std::vector<float>(m * 16, 0x1p-141F));
  }
}

TEST_F(HostMatmulTest, NothingIsWrittenForNoElement) {
  TestContext context(1);
  for (HostMatmul::Form form : {HostMatmul::Form{0}, HostMatmul::Form{1, 0},
                                HostMatmul::Form{1, 3, 0}}) {
    HostMatmul matmul(form);
    EXPECT_EQ(matmul.run(context), FRIT_STATUS_OK)
        << fritContextErrorMessage(context);
    matmul.expectUntouched();
  }
}

TEST_F(HostMatmulTest, RefusesWhatContradictsItself) {
  const struct {
    void (*change)(HostMatmul &matmul);
    const char *part;
  } cases[] = {
      {[](HostMatmul &matmul) { matmul.descriptor.size = 32; },
       "size of 32 bytes instead of 40"},
      {[](HostMatmul &matmul) { matmul.descriptor.id = nullptr; }, "no id"},
      {[](HostMatmul &matmul) { matmul.descriptor.flags = 8; }, "0x8"},
      {[](HostMatmul &matmul) {
         matmul.descriptor.elementType = FRIT_TYPE_BF16;
       },
       "subnormal"},
      {[](HostMatmul &matmul) { matmul.descriptor.workspaceBytes = 1; },
       "to 1 bytes"},
      {[](HostMatmul &matmul) { matmul.operands.k = 0; }, "k is 0"},
      {[](HostMatmul &matmul) { matmul.operands.m = -1; }, "m is -1"},
      {[](HostMatmul &matmul) { matmul.operands.a.rowStride = 2; },
       "the row stride of a is 2"},
      {[](HostMatmul &matmul) { matmul.operands.out.data = nullptr; },
       "operand of the matmul is null"},
  };
  TestContext context(1);
  for (const auto &[change, part] : cases) {
    HostMatmul matmul({});
    change(matmul);
    EXPECT_EQ(matmul.run(context), FRIT_STATUS_INVALID_ARGUMENT) << part;
    std::string message = fritContextErrorMessage(context);
    EXPECT_NE(message.find(part), std::string::npos) << message;
    fritContextClearError(context);
    matmul.expectUntouched();
  }
  EXPECT_EQ(fritHostMatmul(nullptr, nullptr, nullptr),
            FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(fritHostMatmul(context, nullptr, nullptr),
            FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(fritContextErrorMessage(context), "a matmul has no descriptor");
}

TEST_F(HostMatmulTest, LoopBodiesMayRunThem) {
  TestContext context(2);
  HostMatmul first({1, 9, 8, 7, FRIT_MATMUL_TRANSPOSE_B});
  HostMatmul second({1, 9, 8, 7, FRIT_MATMUL_TRANSPOSE_B});
  HostMatmul *matmuls[] = {&first, &second};
  FritStatus status = fritParallelFor(
      context, 0, 2, 1,
      [](FritContext *context, void *closure, int64_t begin, int64_t end) {
        FritStatus status = FRIT_STATUS_OK;
        for (int64_t i = begin; i < end && !status; ++i)
          status = static_cast<HostMatmul **>(closure)[i]->run(context);
        return status;
      },
      static_cast<void *>(matmuls));
  EXPECT_EQ(status, FRIT_STATUS_OK) << fritContextErrorMessage(context);
  first.expectResult();
  second.expectResult();
}
