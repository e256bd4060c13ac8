//===- DeviceMain.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets the runtime use the stub driver in all tests of this binary.
//
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"

#include <cstdlib>

namespace {
class StubEnvironment : public testing::Environment {
  void SetUp() override {
    setenv("FRIT_CUDA_DRIVER", FRIT_STUB_DRIVER, 1);
    setenv("FRIT_CUBLASLT", FRIT_STUB_CUBLASLT, 1);
  }
};
} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new StubEnvironment);
  return RUN_ALL_TESTS();
}
