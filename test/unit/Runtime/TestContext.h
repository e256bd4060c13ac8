//===- TestContext.h
//---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context that lives as long as a test.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_TESTCONTEXT_H
#define FRIT_TEST_UNIT_RUNTIME_TESTCONTEXT_H

#include "frit-c/Runtime.h"

#include "gtest/gtest.h"

class TestContext {
public:
  explicit TestContext(int32_t threads = 1, size_t scratchLimit = 0) {
    FritContextOptions options = fritContextOptionsDefault();
    options.threads = threads;
    options.scratchLimit = scratchLimit;
    EXPECT_EQ(fritContextCreate(&options, &context), FRIT_STATUS_OK);
  }
  TestContext(const TestContext &) = delete;
  TestContext &operator=(const TestContext &) = delete;
  ~TestContext() { fritContextDestroy(context); }

  operator FritContext *() { return context; }

private:
  FritContext *context = nullptr;
};

#endif // FRIT_TEST_UNIT_RUNTIME_TESTCONTEXT_H
