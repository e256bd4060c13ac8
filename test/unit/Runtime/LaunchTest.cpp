//===- LaunchTest.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches: what the driver sees, what is refused, and what is loaded when.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"

using namespace frit;

namespace {

class LaunchTest : public DeviceTest {
protected:
  /// Launches the kernel `row` of three parameters with `config`.
  FritStatus launch(FritContext *context, const FritLaunchConfig &config,
                    int32_t count = 3) {
    FritKernelDescriptor kernel = getKernel("test.row", "row");
    int64_t value = 0;
    void *arguments[] = {&value, &value, &value};
    return fritLaunchKernel(context, &kernel, &config, arguments, count);
  }
};

} // namespace

TEST_F(LaunchTest, PassesEverythingOn) {
  DeviceContext context;
  FritLaunchConfig config = {
      {8, 4, 2}, {32, 4, 2}, {4, 4, 1}, 200000, FRIT_LAUNCH_PROGRAMMATIC, 0};
  ASSERT_EQ(launch(context, config), FRIT_STATUS_OK) << context.getMessage();
  ASSERT_EQ(stub::getLaunches().size(), 1u);
  stub::Launch seen = stub::getLaunches()[0];
  EXPECT_EQ(seen.function, "row");
  EXPECT_EQ(seen.stream, fritContextStream(context));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(seen.grid[i], config.grid[i]);
    EXPECT_EQ(seen.block[i], config.block[i]);
    EXPECT_EQ(seen.cluster[i], config.cluster[i]);
  }
  EXPECT_EQ(seen.sharedBytes, 200000u);
  EXPECT_TRUE(seen.programmatic);

  ASSERT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OK);
  seen = stub::getLaunches()[1];
  EXPECT_EQ(seen.cluster[0], 0u);
  EXPECT_FALSE(seen.programmatic);
}

TEST_F(LaunchTest, RunsOnTheDeviceOfItsContext) {
  DeviceContext first(0), second(1);
  for (DeviceContext *context : {&first, &second, &first}) {
    int32_t values[] = {1, 2, 3};
    void *memory = nullptr;
    ASSERT_EQ(fritDeviceMalloc(*context, sizeof(values), &memory),
              FRIT_STATUS_OK);
    fritCopyToDevice(*context, memory, values, sizeof(values));
    ASSERT_EQ(launchAddOne(*context, memory, 3), FRIT_STATUS_OK);
    fritCopyToHost(*context, values, memory, sizeof(values));
    ASSERT_EQ(fritContextSynchronize(*context), FRIT_STATUS_OK);
    EXPECT_EQ(values[0], 2);
    EXPECT_EQ(values[2], 4);
    EXPECT_EQ(stub::getLaunches().back().device, fritContextDevice(*context));
  }
  EXPECT_EQ(countCalls("cuModuleLoadDataEx"), 2);
}

TEST_F(LaunchTest, AGridOfNoBlocksIsNoLaunch) {
  DeviceContext context;
  for (int i = 0; i < 3; ++i) {
    FritLaunchConfig config = getLaunchConfig();
    config.grid[i] = 0;
    EXPECT_EQ(launch(context, config), FRIT_STATUS_OK);
  }
  EXPECT_TRUE(stub::getLaunches().empty());
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getLaunches().size(), 1u);
  EXPECT_EQ(fritDeviceStatistics(context).launches, 1u);
}

TEST_F(LaunchTest, SizesOutOfRangeAreNamedWithTheLimit) {
  DeviceContext context;
  struct {
    int64_t FritLaunchConfig::*sharedBytes;
    int64_t (FritLaunchConfig::*sizes)[3];
    int index;
    int64_t value;
    std::vector<std::string> parts;
  } cases[] = {
      {nullptr, &FritLaunchConfig::grid, 0, -1, {"grid.x", "-1", "0"}},
      {nullptr,
       &FritLaunchConfig::grid,
       0,
       int64_t(1) << 31,
       {"grid.x", "2147483648", "2147483647"}},
      {nullptr,
       &FritLaunchConfig::grid,
       0,
       (int64_t(1) << 32) + 1,
       {"grid.x", "4294967297", "2147483647"}},
      {nullptr,
       &FritLaunchConfig::grid,
       1,
       65536,
       {"grid.y", "65536", "65535"}},
      {nullptr, &FritLaunchConfig::grid, 2, INT64_MAX, {"grid.z", "65535"}},
      {nullptr, &FritLaunchConfig::block, 0, 0, {"block.x", "0", "1"}},
      {nullptr, &FritLaunchConfig::block, 0, 1025, {"block.x", "1025", "1024"}},
      {nullptr, &FritLaunchConfig::block, 2, 65, {"block.z", "65", "64"}},
      // 128 * 5 threads; the function was compiled for 512.
      {nullptr, &FritLaunchConfig::block, 1, 5, {"threads", "640", "512"}},
      {nullptr, &FritLaunchConfig::cluster, 0, 2, {"cluster.y", "0", "1"}},
      {nullptr, &FritLaunchConfig::cluster, 2, -4, {"cluster.x", "0", "1"}},
      {&FritLaunchConfig::sharedBytes, nullptr, 0, -8, {"shared", "-8", "0"}},
      // 1024 bytes are static.
      {&FritLaunchConfig::sharedBytes,
       nullptr,
       0,
       231425,
       {"shared", "231425", "231424"}},
      {&FritLaunchConfig::sharedBytes,
       nullptr,
       0,
       int64_t(1) << 32,
       {"shared", "4294967296"}},
  };
  for (auto &[sharedBytes, sizes, index, value, parts] : cases) {
    FritLaunchConfig config = getLaunchConfig();
    (sizes ? (config.*sizes)[index] : config.*sharedBytes) = value;
    EXPECT_EQ(launch(context, config), FRIT_STATUS_INVALID_ARGUMENT);
    parts.push_back("kernel 'test.row'");
    context.expectError(FRIT_STATUS_INVALID_ARGUMENT, parts);
  }
  FritLaunchConfig config = getLaunchConfig();
  config.grid[0] = 9;
  config.cluster[0] = 4;
  config.cluster[1] = config.cluster[2] = 1;
  EXPECT_EQ(launch(context, config), FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"cluster.x", "4", "9"});
  EXPECT_TRUE(stub::getLaunches().empty());

  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OK);
}

TEST_F(LaunchTest, ClustersNeedADeviceThatHasThem) {
  DeviceContext context(1);
  FritLaunchConfig config = getLaunchConfig();
  for (int64_t &size : config.cluster)
    size = 1;
  EXPECT_EQ(launch(context, config), FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"sm_90", "sm_80"});
}

TEST_F(LaunchTest, OlderDevicesAreNotAskedToStartEarly) {
  for (int32_t device : {0, 1}) {
    DeviceContext context(device);
    FritLaunchConfig config = getLaunchConfig();
    config.flags = FRIT_LAUNCH_PROGRAMMATIC;
    ASSERT_EQ(launch(context, config), FRIT_STATUS_OK) << context.getMessage();
    // Device 1 is of sm_80.
    EXPECT_EQ(stub::getLaunches().back().programmatic, device == 0);
  }
}

TEST_F(LaunchTest, ArgumentsAreCounted) {
  DeviceContext context;
  EXPECT_EQ(launch(context, getLaunchConfig(), 2),
            FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT,
                      {"test.row", "2 arguments", "3 parameters"});
  FritKernelDescriptor kernel = getKernel("test.row", "row");
  FritLaunchConfig config = getLaunchConfig();
  EXPECT_EQ(fritLaunchKernel(context, &kernel, &config, nullptr, 3),
            FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"3 parameters"});
}

TEST_F(LaunchTest, MalformedDescriptorsAreRefused) {
  DeviceContext context;
  FritLaunchConfig config = getLaunchConfig();
  auto refuse = [&](const FritKernelDescriptor *kernel,
                    const FritLaunchConfig *sizes,
                    const std::vector<std::string> &parts) {
    EXPECT_EQ(fritLaunchKernel(context, kernel, sizes, nullptr, 0),
              FRIT_STATUS_INVALID_ARGUMENT);
    context.expectError(FRIT_STATUS_INVALID_ARGUMENT, parts);
  };
  FritKernelDescriptor kernel = getAddOne();
  refuse(nullptr, &config, {"no kernel"});
  refuse(&kernel, nullptr, {"test.add-one", "no sizes"});
  kernel.size = 40;
  refuse(&kernel, &config, {"40", "48"});
  kernel = getAddOne();
  kernel.function = nullptr;
  refuse(&kernel, &config, {"test.add-one"});
  kernel = getAddOne();
  kernel.imageSize = 0;
  refuse(&kernel, &config, {"image"});
  kernel = getAddOne();
  config.flags = 6;
  refuse(&kernel, &config, {"0x6"});
  EXPECT_EQ(fritLaunchKernel(nullptr, &kernel, &config, nullptr, 0),
            FRIT_STATUS_INVALID_ARGUMENT);
}

TEST_F(LaunchTest, ACpuContextHasNoDevice) {
  FritContext *context = nullptr;
  ASSERT_EQ(fritContextCreate(nullptr, &context), FRIT_STATUS_OK);
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_DEVICE_UNAVAILABLE);
  EXPECT_STREQ(fritContextErrorMessage(context),
               "kernel 'test.row': the context has no device");
  fritContextDestroy(context);
}

TEST_F(LaunchTest, ImagesAreLoadedOncePerDevice) {
  DeviceContext first, second;
  EXPECT_EQ(launch(first, getLaunchConfig()), FRIT_STATUS_OK);
  EXPECT_EQ(launch(second, getLaunchConfig()), FRIT_STATUS_OK);
  EXPECT_EQ(countCalls("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(countCalls("cuModuleGetFunction"), 1);
  EXPECT_EQ(fritDeviceStatistics(second).kernelsLoaded, 1u);

  // Another image with a function of the same name, and the other function.
  FritLaunchConfig config = getLaunchConfig();
  int64_t value = 0;
  void *arguments[] = {&value, &value, &value};
  FritKernelDescriptor other = getKernel("test.other", "row", 2);
  EXPECT_EQ(fritLaunchKernel(first, &other, &config, arguments, 3),
            FRIT_STATUS_OK);
  EXPECT_EQ(countCalls("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(launchAddOne(first, nullptr, 0), FRIT_STATUS_DEVICE_ERROR);
  fritContextClearError(first);
  EXPECT_EQ(countCalls("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(countCalls("cuModuleGetFunction"), 3);

  // The steady state: the current context and the launch.
  size_t before = stub::getCalls().size();
  ASSERT_EQ(fritBeginCall(first), FRIT_STATUS_OK);
  size_t inCall = stub::getCalls().size();
  EXPECT_EQ(launch(first, getLaunchConfig()), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getCalls().size(), inCall + 2);
  EXPECT_EQ(fritEndCall(first, FRIT_STATUS_OK), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getCalls().size(), before + 5);
}

TEST_F(LaunchTest, FailuresToLoadAreExplained) {
  DeviceContext context;
  FritLaunchConfig config = getLaunchConfig();
  FritKernelDescriptor kernel = getKernel("test.missing", "no_such_function");
  EXPECT_EQ(fritLaunchKernel(context, &kernel, &config, nullptr, 0),
            FRIT_STATUS_DEVICE_ERROR);
  context.expectError(
      FRIT_STATUS_DEVICE_ERROR,
      {"kernel 'test.missing'", "cuModuleGetFunction", "CUDA_ERROR_NOT_FOUND"});
  kernel.image = "PTX";
  kernel.imageHash = 7;
  EXPECT_EQ(fritLaunchKernel(context, &kernel, &config, nullptr, 0),
            FRIT_STATUS_DEVICE_ERROR);
  context.expectError(FRIT_STATUS_DEVICE_ERROR,
                      {"kernel 'test.missing'", "cuModuleLoadDataEx",
                       "CUDA_ERROR_INVALID_PTX", "line 1: no stub image"});
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OK);
}

TEST_F(LaunchTest, ShortMemoryOfTheDeviceIsItsOwnStatus) {
  DeviceContext context;
  stub::failNamed("cuModuleLoadDataEx", 2);
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OUT_OF_MEMORY);
  context.expectError(FRIT_STATUS_OUT_OF_MEMORY,
                      {"kernel 'test.row'", "cuModuleLoadDataEx",
                       "CUDA_ERROR_OUT_OF_MEMORY (2)"});
  stub::failNamed("cuLaunchKernelEx", 999, /*skip=*/1);
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OK);
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_DEVICE_ERROR);
  context.expectError(FRIT_STATUS_DEVICE_ERROR, {"cuLaunchKernelEx"});
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OK);
}

TEST_F(LaunchTest, PreparationLoadsAndChecksButLaunchesNothing) {
  DeviceContext context;
  EXPECT_EQ(fritContextEndPrepare(context), FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  ASSERT_EQ(fritContextBeginPrepare(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritContextBeginPrepare(context), FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OK);
  FritLaunchConfig config = getLaunchConfig();
  config.block[0] = 2000;
  EXPECT_EQ(launch(context, config), FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  void *scratch = fritDeviceScratchAlloc(context, 1000, 1);
  EXPECT_EQ(fritDeviceFill(context, scratch, 10, 0, 4), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceCopy(context, scratch, scratch, 10), FRIT_STATUS_OK);
  fritDeviceScratchFree(context, scratch);
  EXPECT_EQ(fritContextEndPrepare(context), FRIT_STATUS_OK);
  EXPECT_TRUE(stub::getLaunches().empty());
  EXPECT_EQ(countCalls("cuMemsetD32Async"), 0);
  EXPECT_EQ(countCalls("cuMemcpyDtoDAsync_v2"), 0);
  EXPECT_EQ(fritDeviceStatistics(context).launches, 0u);

  uint64_t allocations = fritDeviceStatistics(context).allocations;
  EXPECT_NE(fritDeviceScratchAlloc(context, 900, 1), nullptr);
  EXPECT_EQ(launch(context, getLaunchConfig()), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getLaunches().size(), 1u);
  EXPECT_EQ(countCalls("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(fritDeviceStatistics(context).allocations, allocations);
}
