//===- DeviceTest.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of the device half share: the stub driver in its first state,
// contexts that live as long as a test, and kernels.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_DEVICETEST_H
#define FRIT_TEST_UNIT_RUNTIME_DEVICETEST_H

#include "StubDriver.h"

#include "frit-c/RuntimeDevice.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <string>

/// Whether `text` contains `part`.
inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// How many of the driver's calls were of that name.
inline int64_t countCalls(const std::string &name) {
  std::vector<std::string> calls = frit::stub::getCalls();
  return std::count(calls.begin(), calls.end(), name);
}

/// Every test leaves nothing alive in the driver.
class DeviceTest : public testing::Test {
protected:
  void SetUp() override { frit::stub::reset(); }
  void TearDown() override {
    EXPECT_EQ(frit::stub::describeLive(), "");
    EXPECT_EQ(frit::stub::getContextDepth(), 0);
  }
};

/// Options of a context with one thread on a device.
inline FritContextOptions getDeviceOptions(int32_t device = 0) {
  FritContextOptions options = fritContextOptionsDefault();
  options.threads = 1;
  options.device = device;
  return options;
}

class DeviceContext {
public:
  explicit DeviceContext(int32_t device = 0)
      : DeviceContext(getDeviceOptions(device)) {}
  explicit DeviceContext(const FritContextOptions &options) {
    EXPECT_EQ(fritContextCreate(&options, &context), FRIT_STATUS_OK)
        << fritThreadErrorMessage();
  }
  DeviceContext(const DeviceContext &) = delete;
  DeviceContext &operator=(const DeviceContext &) = delete;
  ~DeviceContext() { fritContextDestroy(context); }

  operator FritContext *() { return context; }

  std::string getMessage() { return fritContextErrorMessage(context); }

  /// Expects an error whose message has all parts, and clears it.
  void expectError(FritStatus status, const std::vector<std::string> &parts) {
    EXPECT_EQ(fritContextErrorCode(context), status) << getMessage();
    for (const std::string &part : parts)
      EXPECT_TRUE(contains(getMessage(), part)) << getMessage();
    fritContextClearError(context);
  }

private:
  FritContext *context = nullptr;
};

/// An image of the stub driver: name, parameters, static shared memory, most
/// threads of each function.
inline constexpr char kImage[] = "STUB\n"
                                 "add_one 2 0 1024\n"
                                 "row 3 1024 512\n";

inline FritKernelDescriptor getKernel(const char *id, const char *function,
                                      uint64_t imageHash = 1) {
  return {sizeof(FritKernelDescriptor),
          id,
          function,
          kImage,
          sizeof(kImage),
          imageHash};
}

inline FritKernelDescriptor getAddOne() {
  return getKernel("test.add-one", "add_one");
}

/// One block of 128 threads.
inline FritLaunchConfig getLaunchConfig() {
  return {{1, 1, 1}, {128, 1, 1}, {0, 0, 0}, 0, 0, 0};
}

/// Adds 1 to `count` values in device memory.
inline FritStatus launchAddOne(FritContext *context, void *values,
                               int64_t count) {
  FritKernelDescriptor kernel = getAddOne();
  FritLaunchConfig config = getLaunchConfig();
  void *arguments[] = {static_cast<void *>(&values), &count};
  return fritLaunchKernel(context, &kernel, &config, arguments, 2);
}

#endif // FRIT_TEST_UNIT_RUNTIME_DEVICETEST_H
