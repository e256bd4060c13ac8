//===- DeviceContextTest.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contexts on devices: queries, options, streams, allocators and the end.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"

using namespace frit;

namespace {

using DeviceContextTest = DeviceTest;

/// Expects that a context cannot be created, for a reason with `part`.
void expectRefused(const FritContextOptions &options, FritStatus status,
                   const std::string &part) {
  FritContext *context = reinterpret_cast<FritContext *>(1);
  EXPECT_EQ(fritContextCreate(&options, &context), status);
  EXPECT_EQ(context, nullptr);
  EXPECT_TRUE(contains(fritThreadErrorMessage(), part))
      << fritThreadErrorMessage();
}

} // namespace

TEST_F(DeviceContextTest, QueriesNeedNoContext) {
  int32_t count = 0;
  ASSERT_EQ(fritDeviceCount(&count), FRIT_STATUS_OK);
  EXPECT_EQ(count, 2);
  char name[32];
  ASSERT_EQ(fritDeviceName(1, name, sizeof(name)), FRIT_STATUS_OK);
  EXPECT_STREQ(name, "Stub device 1");
  ASSERT_EQ(fritDeviceName(1, name, 5), FRIT_STATUS_OK);
  EXPECT_STREQ(name, "Stub");
  int64_t value = 0;
  ASSERT_EQ(fritDeviceQuery(0, FRIT_DEVICE_SM_VERSION, &value), FRIT_STATUS_OK);
  EXPECT_EQ(value, 90);
  ASSERT_EQ(fritDeviceQuery(1, FRIT_DEVICE_SM_VERSION, &value), FRIT_STATUS_OK);
  EXPECT_EQ(value, 80);
  for (int32_t what = FRIT_DEVICE_MULTIPROCESSORS;
       what < FRIT_DEVICE_MEMORY_BYTES; ++what) {
    ASSERT_EQ(fritDeviceQuery(0, what, &value), FRIT_STATUS_OK) << what;
    EXPECT_GT(value, 0) << what;
  }
}

TEST_F(DeviceContextTest, QueriesNameWhatIsWrong) {
  int64_t value = 1;
  EXPECT_EQ(fritDeviceQuery(2, FRIT_DEVICE_SM_VERSION, &value),
            FRIT_STATUS_DEVICE_UNAVAILABLE);
  EXPECT_EQ(value, 0);
  EXPECT_STREQ(fritThreadErrorMessage(),
               "there is no CUDA device 2: the driver has 2");
  EXPECT_EQ(fritDeviceQuery(0, 1000, &value), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_TRUE(contains(fritThreadErrorMessage(), "1000"));
  EXPECT_EQ(fritDeviceQuery(0, 0, nullptr), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(fritDeviceCount(nullptr), FRIT_STATUS_INVALID_ARGUMENT);
  char name[4];
  EXPECT_EQ(fritDeviceName(0, name, 0), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(fritDeviceName(-1, name, 4), FRIT_STATUS_DEVICE_UNAVAILABLE);
}

TEST_F(DeviceContextTest, AttributesAreKept) {
  DeviceContext context;
  size_t before = stub::getCalls().size();
  EXPECT_EQ(fritDeviceAttribute(context, FRIT_DEVICE_MULTIPROCESSORS), 132);
  EXPECT_EQ(fritDeviceAttribute(context, FRIT_DEVICE_CLUSTERS), 1);
  EXPECT_EQ(stub::getCalls().size(), before);
  EXPECT_EQ(fritDeviceAttribute(context, -7), -1);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"-7"});
}

TEST_F(DeviceContextTest, OptionsThatContradictThemselvesAreRefused) {
  FritContextOptions options = getDeviceOptions(2);
  expectRefused(options, FRIT_STATUS_DEVICE_UNAVAILABLE, "no CUDA device 2");
  options.device = -2;
  expectRefused(options, FRIT_STATUS_INVALID_ARGUMENT, "-2");
  options.device = FRIT_NO_DEVICE;
  options.stream = &options;
  expectRefused(options, FRIT_STATUS_INVALID_ARGUMENT, "a stream");
  options = getDeviceOptions();
  options.stream = reinterpret_cast<void *>(2);
  expectRefused(options, FRIT_STATUS_INVALID_ARGUMENT, "per-thread");
  options = getDeviceOptions();
  options.allocator.release = [](void *, void *, uint64_t, void *) {};
  expectRefused(options, FRIT_STATUS_INVALID_ARGUMENT, "allocate");
  stub::setMemoryPools(false);
  expectRefused(getDeviceOptions(), FRIT_STATUS_DEVICE_UNAVAILABLE,
                "memory pool");
}

TEST_F(DeviceContextTest, OptionsOfVersion01AreKnown) {
  struct {
    size_t size;
    int32_t threads;
    size_t scratchLimit;
  } old = {24, 3, 0};
  FritContext *context = nullptr;
  ASSERT_EQ(
      fritContextCreate(reinterpret_cast<FritContextOptions *>(&old), &context),
      FRIT_STATUS_OK);
  EXPECT_EQ(fritContextThreads(context), 3);
  EXPECT_EQ(fritContextDevice(context), FRIT_NO_DEVICE);
  fritContextDestroy(context);
}

TEST_F(DeviceContextTest, TheCallersStreamIsUsedAndKept) {
  void *stream = stub::createStream(1);
  {
    FritContextOptions options = getDeviceOptions(0);
    options.stream = stream;
    expectRefused(options, FRIT_STATUS_INVALID_ARGUMENT,
                  "belongs to the CUDA context");
    options.device = 1;
    DeviceContext context(options);
    EXPECT_EQ(fritContextStream(context), stream);
    void *memory = nullptr;
    ASSERT_EQ(fritDeviceMalloc(context, 4, &memory), FRIT_STATUS_OK);
    EXPECT_EQ(launchAddOne(context, memory, 1), FRIT_STATUS_OK);
    EXPECT_EQ(stub::getLaunches().back().stream, stream);
    EXPECT_EQ(stub::getLaunches().back().device, 1);
  }
  EXPECT_EQ(countCalls("cuStreamDestroy_v2"), 0);
  stub::destroyStream(stream);
}

TEST_F(DeviceContextTest, TheLegacyStreamWorksOutsideOfCaptures) {
  FritContextOptions options = getDeviceOptions();
  options.stream = reinterpret_cast<void *>(1);
  DeviceContext context(options);
  EXPECT_NE(fritDeviceScratchAlloc(context, 100, 1), nullptr);
  // Another stream's capture that the legacy stream would join.
  stub::setImplicitCapture(true);
  EXPECT_EQ(fritDeviceScratchAlloc(context, 10000, 1), nullptr);
  context.expectError(FRIT_STATUS_CAPTURE, {"captured"});
  stub::setImplicitCapture(false);
  EXPECT_NE(fritDeviceScratchAlloc(context, 10000, 1), nullptr);
}

TEST_F(DeviceContextTest, EndsDuringACapture) {
  void *stream = stub::createStream(0);
  {
    FritContextOptions options = getDeviceOptions();
    options.stream = stream;
    DeviceContext context(options);
    EXPECT_NE(fritDeviceScratchAlloc(context, 100, 1), nullptr);
    stub::beginCapture(stream);
  }
  // The caller's capture goes on.
  EXPECT_EQ(stub::describeLive(), "1 streams\n");
  EXPECT_TRUE(stub::endCapture(stream));
  stub::destroyStream(stream);

  DeviceContext context;
  EXPECT_NE(fritDeviceScratchAlloc(context, 100, 1), nullptr);
  EXPECT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
}

TEST_F(DeviceContextTest, ContextsOfADeviceShareItsPrimaryContext) {
  {
    DeviceContext first(0), second(0), other(1);
    EXPECT_EQ(countCalls("cuDevicePrimaryCtxRetain"), 2);
    EXPECT_NE(fritContextStream(first), fritContextStream(second));
    EXPECT_EQ(fritContextDevice(other), 1);
    EXPECT_EQ(countCalls("cuDevicePrimaryCtxRelease_v2"), 0);
  }
  EXPECT_EQ(countCalls("cuDevicePrimaryCtxRelease_v2"), 2);
}

namespace {

/// An allocator that counts, and fails or misaligns on request.
struct TestAllocator {
  int64_t live = 0;
  uint64_t bytes = 0;
  bool fails = false;
  uintptr_t offset = 0;

  FritContextOptions getOptions() {
    FritContextOptions options = getDeviceOptions();
    options.allocator = {allocate, release, this};
    return options;
  }

  static void *allocate(void *self, uint64_t bytes, void *stream) {
    auto *allocator = static_cast<TestAllocator *>(self);
    EXPECT_NE(stream, nullptr);
    EXPECT_EQ(stub::getContextDepth(), 1);
    if (allocator->fails)
      return nullptr;
    ++allocator->live;
    allocator->bytes += bytes;
    return static_cast<char *>(std::aligned_alloc(256, 65536)) +
           allocator->offset;
  }
  static void release(void *self, void *memory, uint64_t bytes, void *) {
    auto *allocator = static_cast<TestAllocator *>(self);
    --allocator->live;
    allocator->bytes -= bytes;
    std::free(static_cast<char *>(memory) - allocator->offset);
  }
};

} // namespace

TEST_F(DeviceContextTest, TheCallersAllocatorServesEverything) {
  TestAllocator allocator;
  {
    DeviceContext context(allocator.getOptions());
    void *memory = nullptr;
    EXPECT_EQ(fritDeviceMalloc(context, 0, &memory), FRIT_STATUS_OK);
    EXPECT_NE(memory, nullptr);
    EXPECT_NE(fritDeviceScratchAlloc(context, 300, 1), nullptr);
    EXPECT_EQ(allocator.live, 2);
    EXPECT_EQ(fritDeviceStatistics(context).bytesHeld, allocator.bytes);

    allocator.fails = true;
    EXPECT_EQ(fritDeviceMalloc(context, 7777, &memory),
              FRIT_STATUS_OUT_OF_MEMORY);
    EXPECT_EQ(memory, nullptr);
    context.expectError(FRIT_STATUS_OUT_OF_MEMORY, {"7777", "allocator"});

    allocator.fails = false;
    allocator.offset = 64;
    EXPECT_EQ(fritDeviceMalloc(context, 16, &memory),
              FRIT_STATUS_INVALID_ARGUMENT);
    context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"256"});
    allocator.offset = 0;
  }
  EXPECT_EQ(allocator.live, 0);
  EXPECT_EQ(allocator.bytes, 0u);
  EXPECT_EQ(countCalls("cuMemAllocAsync"), 0);
}
