//===- HardwareTest.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime on a real device: what the stub driver cannot show. Skipped where
// no device answers.
//
//===----------------------------------------------------------------------===//

#include "HardwareKernels.h"

#include "frit-c/RuntimeDevice.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

class HardwareTest : public testing::Test {
protected:
  void SetUp() override {
    int32_t count = 0;
    if (fritDeviceCount(&count) || count == 0)
      GTEST_SKIP() << fritThreadErrorMessage();
  }

  static bool isHopper() {
    int64_t version = 0;
    fritDeviceQuery(0, FRIT_DEVICE_SM_VERSION, &version);
    return version >= 90;
  }
};

/// A context on device 0.
class Context {
public:
  explicit Context(void *stream = nullptr) {
    FritContextOptions options = fritContextOptionsDefault();
    options.threads = 1;
    options.device = 0;
    options.stream = stream;
    EXPECT_EQ(fritContextCreate(&options, &context), FRIT_STATUS_OK)
        << fritThreadErrorMessage();
  }
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() { fritContextDestroy(context); }

  operator FritContext *() { return context; }

  /// The message of the error so far, which is cleared.
  std::string takeError() {
    std::string message = fritContextErrorMessage(context);
    fritContextClearError(context);
    return message;
  }

private:
  FritContext *context = nullptr;
};

/// Values in device memory.
class Values {
public:
  Values(FritContext *context, const std::vector<int32_t> &values)
      : context(context), size(values.size()) {
    EXPECT_EQ(fritDeviceMalloc(context, 4 * size, &memory), FRIT_STATUS_OK)
        << fritContextErrorMessage(context);
    write(values);
  }

  void write(const std::vector<int32_t> &values) {
    EXPECT_EQ(fritCopyToDevice(context, memory, values.data(), 4 * size),
              FRIT_STATUS_OK);
    EXPECT_EQ(fritContextSynchronize(context), FRIT_STATUS_OK);
  }

  std::vector<int32_t> read() {
    std::vector<int32_t> values(size);
    EXPECT_EQ(fritCopyToHost(context, values.data(), memory, 4 * size),
              FRIT_STATUS_OK);
    EXPECT_EQ(fritContextSynchronize(context), FRIT_STATUS_OK)
        << fritContextErrorMessage(context);
    return values;
  }

  void *get() const { return memory; }

private:
  FritContext *context;
  size_t size;
  void *memory = nullptr;
};

template <size_t N>
FritKernelDescriptor getKernel(const char *function, const char (&image)[N],
                               uint64_t hash) {
  return {sizeof(FritKernelDescriptor), function, function, image, N, hash};
}

FritKernelDescriptor getBasic(const char *function) {
  return getKernel(function, kBasicPtx, 1);
}

FritKernelDescriptor getHopper(const char *function) {
  return getKernel(function, kHopperPtx, 2);
}

FritLaunchConfig getConfig(int64_t blocks, int64_t threads) {
  return {{blocks, 1, 1}, {threads, 1, 1}, {0, 0, 0}, 0, 0, 0};
}

FritStatus launchAddOne(FritContext *context, void *values, int64_t count) {
  FritKernelDescriptor kernel = getBasic("add_one");
  FritLaunchConfig config = getConfig((count + 127) / 128, 128);
  void *arguments[] = {static_cast<void *>(&values), &count};
  return fritLaunchKernel(context, &kernel, &config, arguments, 2);
}

} // namespace

TEST_F(HardwareTest, Launches) {
  Context context;
  std::vector<int32_t> expected(1000);
  for (size_t i = 0; i < expected.size(); ++i)
    expected[i] = static_cast<int32_t>(i);
  Values values(context, expected);
  for (int32_t &value : expected)
    value += 2;
  EXPECT_EQ(launchAddOne(context, values.get(), 1000), FRIT_STATUS_OK)
      << context.takeError();
  EXPECT_EQ(launchAddOne(context, values.get(), 0), FRIT_STATUS_OK);
  EXPECT_EQ(launchAddOne(context, values.get(), 1000), FRIT_STATUS_OK);
  EXPECT_EQ(values.read(), expected);
  char name[256];
  EXPECT_EQ(fritDeviceName(0, name, sizeof(name)), FRIT_STATUS_OK);
  EXPECT_NE(strlen(name), 0u);
}

TEST_F(HardwareTest, WorksOnTheLegacyStream) {
  Context context(reinterpret_cast<void *>(1));
  Values values(context, {4});
  EXPECT_EQ(launchAddOne(context, values.get(), 1), FRIT_STATUS_OK);
  EXPECT_NE(fritDeviceScratchAlloc(context, 1000, 1), nullptr);
  EXPECT_EQ(values.read()[0], 5);
  EXPECT_NE(fritGraphBeginCapture(context), FRIT_STATUS_OK);
}

TEST_F(HardwareTest, ReplaysAGraphWithOtherData) {
  Context context;
  Values values(context, {1, 2, 3});
  ASSERT_EQ(fritContextBeginPrepare(context), FRIT_STATUS_OK);
  EXPECT_EQ(launchAddOne(context, values.get(), 3), FRIT_STATUS_OK);
  void *scratch = fritDeviceScratchAlloc(context, 1 << 20, 1);
  fritDeviceScratchFree(context, scratch);
  ASSERT_EQ(fritContextEndPrepare(context), FRIT_STATUS_OK);
  EXPECT_EQ(values.read()[0], 1);

  FritDeviceStatistics before = fritDeviceStatistics(context);
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceScratchAlloc(context, 1 << 20, 1), scratch);
  EXPECT_EQ(launchAddOne(context, values.get(), 3), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceCopy(context, scratch, values.get(), 12), FRIT_STATUS_OK);
  EXPECT_EQ(launchAddOne(context, scratch, 3), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceCopy(context, values.get(), scratch, 12), FRIT_STATUS_OK);
  fritDeviceScratchFree(context, scratch);
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK)
      << context.takeError();
  EXPECT_EQ(fritDeviceStatistics(context).allocations, before.allocations);
  EXPECT_EQ(fritDeviceStatistics(context).kernelsLoaded, before.kernelsLoaded);

  EXPECT_EQ(fritDeviceScratchTrim(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  EXPECT_EQ(values.read(), (std::vector<int32_t>{3, 4, 5}));
  values.write({10, 20, 30});
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  EXPECT_EQ(values.read(), (std::vector<int32_t>{14, 24, 34}));
  fritGraphDestroy(graph);
}

TEST_F(HardwareTest, GrowthDuringACaptureLeavesItValid) {
  Context context;
  Values values(context, {1});
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  EXPECT_EQ(launchAddOne(context, values.get(), 1), FRIT_STATUS_CAPTURE);
  context.takeError();
  EXPECT_EQ(fritDeviceScratchAlloc(context, 1 << 20, 1), nullptr);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_CAPTURE);
  context.takeError();
  EXPECT_EQ(fritContextSynchronize(context), FRIT_STATUS_CAPTURE);
  context.takeError();
  EXPECT_EQ(fritDeviceFill(context, values.get(), 1, 9, 4), FRIT_STATUS_OK);
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK)
      << context.takeError();
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  EXPECT_EQ(values.read()[0], 9);
  EXPECT_EQ(launchAddOne(context, values.get(), 1), FRIT_STATUS_OK);
  EXPECT_EQ(values.read()[0], 10);
  fritGraphDestroy(graph);
}

TEST_F(HardwareTest, OtherThreadsLoadDuringACapture) {
  Context captured;
  Values values(captured, {0});
  EXPECT_EQ(launchAddOne(captured, values.get(), 1), FRIT_STATUS_OK);
  ASSERT_EQ(fritGraphBeginCapture(captured), FRIT_STATUS_OK);
  EXPECT_EQ(launchAddOne(captured, values.get(), 1), FRIT_STATUS_OK);
  std::thread([] {
    Context other;
    Values numbers(other, {1});
    FritKernelDescriptor kernel = getKernel("add_one", kBasicPtx, 77);
    FritLaunchConfig config = getConfig(1, 1);
    void *address = numbers.get();
    int64_t count = 1;
    void *arguments[] = {static_cast<void *>(&address), &count};
    EXPECT_EQ(fritLaunchKernel(other, &kernel, &config, arguments, 2),
              FRIT_STATUS_OK)
        << other.takeError();
    EXPECT_EQ(numbers.read()[0], 2);
  }).join();
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(captured, &graph), FRIT_STATUS_OK)
      << captured.takeError();
  EXPECT_EQ(fritGraphLaunch(captured, graph), FRIT_STATUS_OK);
  EXPECT_EQ(values.read()[0], 2);
  fritGraphDestroy(graph);
}

TEST_F(HardwareTest, EightThreadsOnEightStreams) {
  constexpr int kRounds = 500;
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int index = 0; index < kThreads; ++index) {
    threads.emplace_back([index] {
      Context context;
      std::vector<int32_t> expected(4096, index);
      Values values(context, expected);
      for (int round = 0; round < kRounds; ++round) {
        ASSERT_EQ(fritBeginCall(context), FRIT_STATUS_OK);
        void *scratch = fritDeviceScratchAlloc(context, 16384, 1);
        ASSERT_NE(scratch, nullptr);
        fritDeviceCopy(context, scratch, values.get(), 16384);
        ASSERT_EQ(launchAddOne(context, scratch, 4096), FRIT_STATUS_OK);
        fritDeviceCopy(context, values.get(), scratch, 16384);
        ASSERT_EQ(fritEndCall(context, FRIT_STATUS_OK), FRIT_STATUS_OK);
      }
      for (int32_t &value : expected)
        value += kRounds;
      EXPECT_EQ(values.read(), expected);
    });
  }
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(HardwareTest, BadImagesAreExplained) {
  Context context;
  FritLaunchConfig config = getConfig(1, 1);
  FritKernelDescriptor bad = getKernel(
      "bad", ".version 7.8\n.target sm_80\n.address_size 64\nnonsense\n", 3);
  EXPECT_EQ(fritLaunchKernel(context, &bad, &config, nullptr, 0),
            FRIT_STATUS_DEVICE_ERROR);
  std::string message = context.takeError();
  EXPECT_NE(message.find("kernel 'bad': cuModuleLoadDataEx failed"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("nonsense"), std::string::npos) << message;
  FritKernelDescriptor missing = getBasic("no_such_function");
  EXPECT_EQ(fritLaunchKernel(context, &missing, &config, nullptr, 0),
            FRIT_STATUS_DEVICE_ERROR);
  message = context.takeError();
  EXPECT_NE(message.find("CUDA_ERROR_NOT_FOUND"), std::string::npos) << message;
  FritKernelDescriptor kernel = getBasic("add_one");
  EXPECT_EQ(fritLaunchKernel(context, &kernel, &config, nullptr, 0),
            FRIT_STATUS_INVALID_ARGUMENT);
  message = context.takeError();
  EXPECT_NE(message.find("0 arguments, the function 2"), std::string::npos)
      << message;
  Values values(context, {1});
  EXPECT_EQ(launchAddOne(context, values.get(), 1), FRIT_STATUS_OK);
  EXPECT_EQ(values.read()[0], 2);
}

TEST_F(HardwareTest, AllSharedMemoryCanBeUsed) {
  Context context;
  Values values(context, {0});
  FritKernelDescriptor kernel = getBasic("shared_size");
  FritLaunchConfig config = getConfig(1, 32);
  config.sharedBytes =
      fritDeviceAttribute(context, FRIT_DEVICE_MAX_SHARED_BYTES);
  void *address = values.get();
  void *arguments[] = {static_cast<void *>(&address)};
  EXPECT_EQ(fritLaunchKernel(context, &kernel, &config, arguments, 1),
            FRIT_STATUS_OK)
      << context.takeError();
  EXPECT_EQ(values.read()[0], config.sharedBytes);
  ++config.sharedBytes;
  EXPECT_EQ(fritLaunchKernel(context, &kernel, &config, arguments, 1),
            FRIT_STATUS_INVALID_ARGUMENT);
}

TEST_F(HardwareTest, LaunchesClusters) {
  if (!isHopper())
    GTEST_SKIP() << "clusters need sm_90";
  Context context;
  Values values(context, std::vector<int32_t>(32, 0));
  FritKernelDescriptor kernel = getHopper("cluster_size");
  void *address = values.get();
  void *arguments[] = {static_cast<void *>(&address)};
  for (int64_t size : {1, 2, 8, 16}) {
    FritLaunchConfig config = getConfig(32, 32);
    config.cluster[0] = size;
    config.cluster[1] = config.cluster[2] = 1;
    EXPECT_EQ(fritLaunchKernel(context, &kernel, &config, arguments, 1),
              FRIT_STATUS_OK)
        << context.takeError();
    EXPECT_EQ(values.read(),
              std::vector<int32_t>(32, static_cast<int32_t>(size)));
  }
  FritLaunchConfig config = getConfig(32, 32);
  config.cluster[0] = 32;
  config.cluster[1] = config.cluster[2] = 1;
  EXPECT_EQ(fritLaunchKernel(context, &kernel, &config, arguments, 1),
            FRIT_STATUS_DEVICE_ERROR);
  std::string message = context.takeError();
  EXPECT_NE(message.find("cluster_size"), std::string::npos) << message;
}

TEST_F(HardwareTest, DependentLaunchesKeepTheOrder) {
  if (!isHopper())
    GTEST_SKIP() << "programmatic dependent launch needs sm_90";
  Context context;
  Values values(context, {0});
  FritKernelDescriptor kernel = getHopper("add_dependent");
  FritLaunchConfig config = getConfig(1, 1);
  config.flags = FRIT_LAUNCH_PROGRAMMATIC;
  void *address = values.get();
  void *arguments[] = {static_cast<void *>(&address)};
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(fritLaunchKernel(context, &kernel, &config, arguments, 1),
              FRIT_STATUS_OK)
        << context.takeError();
  EXPECT_EQ(values.read()[0], 2000);
}

TEST_F(HardwareTest, ShortMemoryIsAStatus) {
  Context context;
  void *memory = nullptr;
  auto total = static_cast<uint64_t>(
      fritDeviceAttribute(context, FRIT_DEVICE_MEMORY_BYTES));
  EXPECT_EQ(fritDeviceMalloc(context, 2 * total, &memory),
            FRIT_STATUS_OUT_OF_MEMORY)
      << context.takeError();
  context.takeError();
  EXPECT_EQ(fritDeviceScratchAlloc(context, 2 * total, 1), nullptr);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OUT_OF_MEMORY);
  context.takeError();
  Values values(context, {1});
  EXPECT_EQ(launchAddOne(context, values.get(), 1), FRIT_STATUS_OK);
  EXPECT_EQ(values.read()[0], 2);
}

TEST_F(HardwareTest, EventsMeasure) {
  Context context;
  Values values(context, std::vector<int32_t>(1 << 20, 0));
  FritEvent *begin = nullptr;
  FritEvent *end = nullptr;
  ASSERT_EQ(fritEventCreate(context, &begin), FRIT_STATUS_OK);
  ASSERT_EQ(fritEventCreate(context, &end), FRIT_STATUS_OK);
  EXPECT_EQ(fritEventRecord(begin), FRIT_STATUS_OK);
  for (int i = 0; i < 100; ++i)
    launchAddOne(context, values.get(), 1 << 20);
  EXPECT_EQ(fritEventRecord(end), FRIT_STATUS_OK);
  double time = 0;
  EXPECT_EQ(fritEventElapsed(begin, end, &time), FRIT_STATUS_OK);
  EXPECT_GT(time, 0.05);
  EXPECT_LT(time, 10000);
  fritEventDestroy(begin);
  fritEventDestroy(end);
}

/// An illegal address spoils the CUDA context of its process, hence another
/// process: exits with 0 if the runtime reports it.
static void storeAtIllegalAddress() {
  FritContextOptions options = fritContextOptionsDefault();
  options.device = 0;
  FritContext *context = nullptr;
  if (fritContextCreate(&options, &context))
    std::exit(1);
  FritKernelDescriptor kernel = getBasic("store");
  FritLaunchConfig config = getConfig(1, 1);
  // A pointer that leads nowhere.
  uint64_t address = 0x1000;
  void *arguments[] = {static_cast<void *>(&address)};
  if (fritLaunchKernel(context, &kernel, &config, arguments, 1))
    std::exit(2);
  if (fritContextSynchronize(context) != FRIT_STATUS_DEVICE_ERROR)
    std::exit(3);
  bool named = strstr(fritContextErrorMessage(context), "cuStreamSynchronize "
                                                        "failed: CUDA_ERROR_");
  fritContextDestroy(context);
  std::exit(named ? 0 : 4);
}

TEST_F(HardwareTest, IllegalAddressesAreAStatus) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(storeAtIllegalAddress(), testing::ExitedWithCode(0), "");
}
