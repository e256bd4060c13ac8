//===- DeviceScratchTest.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scratch memory of the device: reuse, growth, captures, limits and misuse.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"

using namespace frit;

namespace {

class DeviceScratchTest : public DeviceTest {
protected:
  /// A call of a compiled function with two blocks of scratch memory.
  static FritStatus callWith(FritContext *context, uint64_t bytes) {
    if (FritStatus status = fritBeginCall(context))
      return status;
    void *first = fritDeviceScratchAlloc(context, bytes, 1);
    void *second =
        first ? fritDeviceScratchAlloc(context, bytes / 3, 1) : nullptr;
    FritStatus status = FRIT_STATUS_OK;
    if (second)
      fritDeviceScratchFree(context, first);
    else
      status = fritPropagateError(context);
    return fritEndCall(context, status);
  }
};

} // namespace

TEST_F(DeviceScratchTest, SteadyStateAllocatesNothing) {
  DeviceContext context;
  ASSERT_EQ(callWith(context, 300000), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).allocations, 2u);
  // One block for both.
  ASSERT_EQ(callWith(context, 300000), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).allocations, 3u);
  for (uint64_t bytes = 300000; bytes > 200000; bytes -= 9999)
    ASSERT_EQ(callWith(context, bytes), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).allocations, 3u);
  EXPECT_EQ(countCalls("cuMemAllocAsync"), 3);
  EXPECT_EQ(countCalls("cuStreamSynchronize"), 0);
  EXPECT_EQ(fritDeviceScratchStatistics(context).blocksInUse, 0u);

  uint64_t peak = fritDeviceStatistics(context).peakBytesHeld;
  EXPECT_GE(peak, 400000u);
  EXPECT_EQ(fritDeviceScratchTrim(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).bytesHeld, 0u);
  EXPECT_EQ(fritDeviceStatistics(context).peakBytesHeld, peak);
  EXPECT_EQ(countCalls("cuMemFreeAsync"), 3);
}

TEST_F(DeviceScratchTest, HonoursAlignments) {
  DeviceContext context;
  for (uint64_t alignment = 1; alignment <= FRIT_SCRATCH_MAX_ALIGNMENT;
       alignment *= 2) {
    void *memory = fritDeviceScratchAlloc(context, 100, alignment);
    ASSERT_NE(memory, nullptr);
    auto address = reinterpret_cast<uintptr_t>(memory);
    EXPECT_EQ(address % std::max<uint64_t>(alignment, 256), 0u);
    // All of the block is memory.
    EXPECT_EQ(fritDeviceFill(context, memory, 100, 0, 1), FRIT_STATUS_OK)
        << context.getMessage();
    fritDeviceScratchFree(context, memory);
  }
  EXPECT_EQ(fritDeviceScratchAlloc(context, 100, 768), nullptr);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"768"});
}

TEST_F(DeviceScratchTest, GrowthDuringACaptureLeavesItValid) {
  DeviceContext context;
  ASSERT_EQ(callWith(context, 5000), FRIT_STATUS_OK);
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  EXPECT_EQ(callWith(context, 4500), FRIT_STATUS_OK);
  EXPECT_EQ(callWith(context, 50000), FRIT_STATUS_CAPTURE);
  context.expectError(FRIT_STATUS_CAPTURE, {"scratch", "prepare"});
  EXPECT_EQ(callWith(context, 5000), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceScratchTrim(context), FRIT_STATUS_CAPTURE);
  context.expectError(FRIT_STATUS_CAPTURE, {"scratch"});
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK)
      << context.getMessage();
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  EXPECT_EQ(callWith(context, 50000), FRIT_STATUS_OK);
  fritGraphDestroy(graph);
}

TEST_F(DeviceScratchTest, MemoryOfAGraphStays) {
  DeviceContext context;
  ASSERT_EQ(callWith(context, 4000), FRIT_STATUS_OK);
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  void *values = fritDeviceScratchAlloc(context, 3800, 1);
  ASSERT_NE(values, nullptr);
  EXPECT_EQ(fritDeviceFill(context, values, 950, 7, 4), FRIT_STATUS_OK);
  fritDeviceScratchFree(context, values);
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK);
  // The other block goes, the graph's is kept; it is reused outside of it.
  EXPECT_EQ(fritDeviceScratchTrim(context), FRIT_STATUS_OK);
  EXPECT_EQ(countCalls("cuMemFreeAsync"), 1);
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceScratchAlloc(context, 3800, 1), values);
  fritGraphDestroy(graph);
}

TEST_F(DeviceScratchTest, KeptBlocksMakeRoom) {
  DeviceContext context;
  stub::setMemory(100000);
  void *first = fritDeviceScratchAlloc(context, 60000, 1);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(fritDeviceScratchAlloc(context, 90000, 1), nullptr);
  context.expectError(FRIT_STATUS_OUT_OF_MEMORY,
                      {"device 0", "98304", "65536", "cuMemAllocAsync"});
  fritDeviceScratchFree(context, first);
  EXPECT_NE(fritDeviceScratchAlloc(context, 90000, 1), nullptr);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OK)
      << context.getMessage();
}

TEST_F(DeviceScratchTest, LimitHolds) {
  FritContextOptions options = getDeviceOptions();
  options.scratchLimit = 10000;
  DeviceContext context(options);
  EXPECT_NE(fritDeviceScratchAlloc(context, 4000, 1), nullptr);
  EXPECT_EQ(fritDeviceScratchAlloc(context, 8000, 1), nullptr);
  context.expectError(FRIT_STATUS_OUT_OF_MEMORY,
                      {"device scratch", "8000", "10000", "4096"});
  // Host memory is counted for itself.
  EXPECT_NE(fritScratchAlloc(context, 8000, 1), nullptr);
}

TEST_F(DeviceScratchTest, ImpossibleSizesAreErrors) {
  DeviceContext context;
  for (uint64_t bytes : {(uint64_t(1) << 62) + 1, UINT64_MAX}) {
    EXPECT_EQ(fritDeviceScratchAlloc(context, bytes, 1), nullptr);
    context.expectError(FRIT_STATUS_OUT_OF_MEMORY, {std::to_string(bytes)});
  }
}

TEST_F(DeviceScratchTest, MisuseIsRecorded) {
  DeviceContext context, other;
  void *memory = fritDeviceScratchAlloc(context, 100, 1);
  fritDeviceScratchFree(other, memory);
  other.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"not in use"});
  fritDeviceScratchFree(context, static_cast<char *>(memory) + 8);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"not in use"});
  fritDeviceScratchFree(context, memory);
  fritDeviceScratchFree(context, nullptr);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OK);
  fritDeviceScratchFree(context, memory);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"not in use"});
  EXPECT_EQ(fritDeviceScratchAlloc(nullptr, 1, 1), nullptr);
}
