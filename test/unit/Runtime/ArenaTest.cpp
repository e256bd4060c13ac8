//===- ArenaTest.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arena: what was prepared is enough for all smaller calls, in any order;
// beyond it grows, and a capture refuses.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"

using namespace frit;

namespace {

/// Sizes of requests that a call makes one after the other; it frees them in
/// reverse order.
using Requests = std::vector<uint64_t>;

class ArenaTest : public DeviceTest {
protected:
  static FritStatus callWith(FritContext *context, const Requests &requests,
                             uint64_t alignment = 256) {
    if (FritStatus status = fritBeginCall(context))
      return status;
    FritStatus status = FRIT_STATUS_OK;
    std::vector<void *> pieces;
    for (uint64_t bytes : requests) {
      void *piece = fritDeviceScratchAlloc(context, bytes, alignment);
      if (!piece) {
        status = fritPropagateError(context);
        break;
      }
      pieces.push_back(piece);
      // All of it is memory.
      if (bytes && !status)
        status = fritDeviceFill(context, piece, bytes, 0, 1);
    }
    for (; !pieces.empty(); pieces.pop_back())
      fritDeviceScratchFree(context, pieces.back());
    return fritEndCall(context, status);
  }

  static void prepare(FritContext *context,
                      const std::vector<Requests> &calls) {
    ASSERT_EQ(fritContextBeginPrepare(context), FRIT_STATUS_OK);
    for (const Requests &requests : calls)
      ASSERT_EQ(callWith(context, requests), FRIT_STATUS_OK);
    ASSERT_EQ(fritContextEndPrepare(context), FRIT_STATUS_OK);
  }
};

} // namespace

TEST_F(ArenaTest, PreparedSizesAndSmallerOnesAllocateNothing) {
  DeviceContext context;
  prepare(context, {{5000000, 70000, 300}, {900000}});
  // One block that holds all that was in use at once.
  uint64_t held = fritDeviceStatistics(context).bytesHeld;
  EXPECT_GE(held, 5070300u);
  EXPECT_LE(held, 5070912u * 5 / 4);
  uint64_t allocations = fritDeviceStatistics(context).allocations;
  int64_t driverCalls = countCalls("cuMemAllocAsync");
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  ASSERT_EQ(callWith(context, {5000000, 70000, 300}), FRIT_STATUS_OK);
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK);
  // Small ones first, in any order: none takes what another needs.
  for (const Requests &requests : std::vector<Requests>{
           {1, 1, 1},
           {4000, 70000, 300},
           {5000000, 0, 300},
           {900000},
           {7, 70000},
           {5000000, 70000, 300},
           {900000},
           {2500000, 35000, 150},
       })
    EXPECT_EQ(callWith(context, requests), FRIT_STATUS_OK)
        << context.getMessage();
  EXPECT_EQ(fritDeviceStatistics(context).allocations, allocations);
  EXPECT_EQ(countCalls("cuMemAllocAsync"), driverCalls);
  EXPECT_EQ(fritDeviceStatistics(context).bytesHeld, held);
  fritGraphDestroy(graph);
}

TEST_F(ArenaTest, SmallSizesOfLaterCallsLeaveRoom) {
  // With blocks that are kept and taken by size, the last request would find
  // the block that it fits in use by the first.
  DeviceContext context;
  prepare(context, {{40000, 30000}});
  uint64_t allocations = fritDeviceStatistics(context).allocations;
  EXPECT_EQ(callWith(context, {28000, 30000}), FRIT_STATUS_OK);
  EXPECT_EQ(callWith(context, {100, 30000}), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).allocations, allocations);
}

TEST_F(ArenaTest, PiecesLieApart) {
  DeviceContext context;
  prepare(context, {{1000, 1000, 1000, 1000}});
  auto *first = static_cast<char *>(fritDeviceScratchAlloc(context, 1000, 1));
  auto *second = static_cast<char *>(fritDeviceScratchAlloc(context, 500, 1));
  auto *third = static_cast<char *>(fritDeviceScratchAlloc(context, 900, 1));
  EXPECT_EQ(second, first + 1024);
  EXPECT_EQ(third, second + 512);
  // What is freed is taken again, also in the middle, where it fits.
  fritDeviceScratchFree(context, second);
  EXPECT_NE(fritDeviceScratchAlloc(context, 600, 1), second);
  EXPECT_EQ(fritDeviceScratchAlloc(context, 400, 1), second);
  EXPECT_EQ(fritDeviceScratchStatistics(context).blocksInUse, 4u);
  EXPECT_EQ(fritEndCall(context, FRIT_STATUS_OK), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceScratchStatistics(context).blocksInUse, 0u);
  EXPECT_EQ(fritDeviceScratchAlloc(context, 3000, 1), first);
}

TEST_F(ArenaTest, BeyondThePreparedSizesItGrowsAndHoldsNoMore) {
  DeviceContext context;
  prepare(context, {{10000}});
  EXPECT_EQ(callWith(context, {100000}), FRIT_STATUS_OK);
  // The old block went back.
  EXPECT_EQ(fritDeviceStatistics(context).bytesHeld, 114688u);
  EXPECT_EQ(fritDeviceStatistics(context).peakBytesHeld, 114688u);
  EXPECT_EQ(countCalls("cuMemFreeAsync"), 1);
  // With a second piece the next call has room for both.
  EXPECT_EQ(callWith(context, {100000, 50000}), FRIT_STATUS_OK);
  EXPECT_EQ(callWith(context, {100000, 50000}), FRIT_STATUS_OK);
  uint64_t allocations = fritDeviceStatistics(context).allocations;
  EXPECT_EQ(fritDeviceStatistics(context).bytesHeld, 163840u);
  EXPECT_EQ(callWith(context, {100000, 50000}), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).allocations, allocations);
}

TEST_F(ArenaTest, ACaptureFindsWhatWasPreparedAndNoMore) {
  DeviceContext context;
  prepare(context, {{20000, 3000}});
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  EXPECT_EQ(callWith(context, {16000, 3000}), FRIT_STATUS_OK)
      << context.getMessage();
  EXPECT_EQ(callWith(context, {100000}), FRIT_STATUS_CAPTURE);
  context.expectError(FRIT_STATUS_CAPTURE, {"scratch", "prepare"});
  EXPECT_EQ(callWith(context, {20000, 30000}), FRIT_STATUS_CAPTURE);
  context.expectError(FRIT_STATUS_CAPTURE, {"scratch", "prepare"});
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK);
  // A larger call takes another block: the graph's stays, also in a trim.
  uint64_t held = fritDeviceStatistics(context).bytesHeld;
  EXPECT_EQ(callWith(context, {100000}), FRIT_STATUS_OK);
  EXPECT_EQ(countCalls("cuMemFreeAsync"), 2);
  EXPECT_EQ(fritDeviceScratchTrim(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).bytesHeld, held);
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  fritGraphDestroy(graph);
}

TEST_F(ArenaTest, AlignmentsHoldWhereverTheArenaLies) {
  DeviceContext context;
  for (uint64_t alignment : {256u, 4096u, 65536u}) {
    ASSERT_EQ(callWith(context, {100, 5000, 70000}, alignment), FRIT_STATUS_OK);
    ASSERT_EQ(callWith(context, {100, 5000, 70000}, alignment), FRIT_STATUS_OK);
    uint64_t allocations = fritDeviceStatistics(context).allocations;
    ASSERT_EQ(callWith(context, {100, 4000, 60000}, alignment), FRIT_STATUS_OK);
    EXPECT_EQ(fritDeviceStatistics(context).allocations, allocations);
  }
}

TEST_F(ArenaTest, GrowthTakesWhatThereIsRoomFor) {
  DeviceContext context;
  ASSERT_EQ(callWith(context, {10000, 30000}), FRIT_STATUS_OK);
  // No room for both in one block, but for the first.
  stub::setMemory(30000);
  EXPECT_EQ(callWith(context, {10000}), FRIT_STATUS_OK) << context.getMessage();
  EXPECT_EQ(fritDeviceStatistics(context).bytesHeld, 10240u);
  EXPECT_EQ(callWith(context, {50000}), FRIT_STATUS_OUT_OF_MEMORY);
  context.expectError(FRIT_STATUS_OUT_OF_MEMORY, {"57344", "cuMemAllocAsync"});
  EXPECT_EQ(callWith(context, {10000}), FRIT_STATUS_OK) << context.getMessage();
}

TEST_F(ArenaTest, EveryDriverCallOfAGrowthFailsOnce) {
  for (int64_t n = 1;; ++n) {
    SCOPED_TRACE("call " + std::to_string(n));
    DeviceContext context;
    ASSERT_EQ(callWith(context, {10000, 20000}), FRIT_STATUS_OK);
    size_t before = stub::getCalls().size();
    stub::failCall(n, 999);
    FritStatus status = callWith(context, {40000, 20000});
    size_t calls = stub::getCalls().size() - before;
    if (calls < static_cast<size_t>(n)) {
      EXPECT_EQ(status, FRIT_STATUS_OK);
      EXPECT_GT(n, 10);
      stub::reset();
      return;
    }
    std::string name = stub::getCalls()[before + n - 1];
    EXPECT_EQ(status, FRIT_STATUS_DEVICE_ERROR) << name;
    context.expectError(FRIT_STATUS_DEVICE_ERROR,
                        {name, "CUDA_ERROR_UNKNOWN (999)"});
    EXPECT_EQ(callWith(context, {40000, 20000}), FRIT_STATUS_OK)
        << name << ": " << context.getMessage();
    if (HasFailure())
      return;
  }
}
