//===- DriverLoadTest.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opening the driver's library: the table of its functions, and libraries that
// cannot serve. None of the failures may be remembered, so that one process can
// see them all.
//
//===----------------------------------------------------------------------===//

#include "frit-c/RuntimeDevice.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <string>

#include <dlfcn.h>

namespace {

class DriverLoadTest : public testing::Test {
protected:
  void TearDown() override {
    unsetenv("FRIT_CUDA_DRIVER");
    unsetenv("FRIT_STUB_VERSION");
    unsetenv("FRIT_STUB_INIT_RESULT");
  }
};

/// Expects that the library at `path` is no driver, for a reason with `part`.
void expectUnavailable(const char *path, const std::string &part) {
  setenv("FRIT_CUDA_DRIVER", path, 1);
  int32_t count = -1;
  EXPECT_EQ(fritDeviceCount(&count), FRIT_STATUS_DEVICE_UNAVAILABLE);
  EXPECT_EQ(count, 0);
  std::string message = fritThreadErrorMessage();
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_NE(message.find(path), std::string::npos) << message;

  FritContextOptions options = fritContextOptionsDefault();
  options.device = 0;
  FritContext *context = reinterpret_cast<FritContext *>(1);
  EXPECT_EQ(fritContextCreate(&options, &context),
            FRIT_STATUS_DEVICE_UNAVAILABLE);
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(fritThreadErrorMessage(), message);
}

/// Expects that a library exports the function of every entry.
void expectEntries(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
#define FRIT_CUDA_ENTRY(name, symbol, parameters)                              \
  EXPECT_NE(dlsym(library, #symbol), nullptr) << #symbol;
#include "Cuda/DriverEntries.def"
  dlclose(library);
}

} // namespace

TEST_F(DriverLoadTest, StubHasEveryEntry) { expectEntries(FRIT_STUB_DRIVER); }

#ifdef FRIT_CUDA_LINK_STUB
TEST_F(DriverLoadTest, ToolkitHasEveryEntry) {
  expectEntries(FRIT_CUDA_LINK_STUB);
}
#endif

TEST_F(DriverLoadTest, NamesAMissingLibrary) {
  expectUnavailable("libno-such-driver.so.1", "cannot be opened");
}

TEST_F(DriverLoadTest, NamesAMissingFunction) {
  expectUnavailable(FRIT_STUB_DRIVER_WITHOUT_LAUNCH,
                    "lacks the function cuLaunchKernelEx");
}

TEST_F(DriverLoadTest, SaysBothVersionsOfAnOldDriver) {
  setenv("FRIT_STUB_VERSION", "11080", 1);
  expectUnavailable(FRIT_STUB_DRIVER,
                    "is of version 11.8; Frit needs 12.4 or later");
}

TEST_F(DriverLoadTest, SaysWhyInitializationFails) {
  setenv("FRIT_STUB_INIT_RESULT", "100", 1);
  expectUnavailable(FRIT_STUB_DRIVER, "CUDA_ERROR_NO_DEVICE (100)");
}

TEST_F(DriverLoadTest, CpuContextsNeedNoDriver) {
  setenv("FRIT_CUDA_DRIVER", "libno-such-driver.so.1", 1);
  FritContext *context = nullptr;
  ASSERT_EQ(fritContextCreate(nullptr, &context), FRIT_STATUS_OK);
  EXPECT_EQ(fritContextDevice(context), FRIT_NO_DEVICE);
  EXPECT_EQ(fritContextStream(context), nullptr);
  EXPECT_EQ(fritContextSynchronize(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).allocations, 0u);
  EXPECT_EQ(fritDeviceAttribute(context, FRIT_DEVICE_SM_VERSION), -1);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_DEVICE_UNAVAILABLE);
  fritContextDestroy(context);
}
