//===- ScratchTest.cpp
//-------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scratch memory: reuse, reclaiming, limits and misuse.
//
//===----------------------------------------------------------------------===//

#include "TestContext.h"

#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

static bool isAligned(void *memory, uintptr_t alignment) {
  return reinterpret_cast<uintptr_t>(memory) % alignment == 0;
}

TEST(ScratchTest, BlocksAreAlignedAndApart) {
  TestContext context;
  std::vector<std::pair<char *, size_t>> blocks;
  for (size_t bytes = 0; bytes < 3000; bytes += 7) {
    auto *memory = static_cast<char *>(fritScratchAlloc(context, bytes, 1));
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(isAligned(memory, 64));
    memset(memory, static_cast<int>(bytes % 251), bytes);
    blocks.emplace_back(memory, bytes);
  }
  for (auto [memory, bytes] : blocks)
    for (size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(memory[i], static_cast<char>(bytes % 251));
  EXPECT_EQ(fritScratchStatistics(context).blocksInUse, blocks.size());
  for (auto [memory, bytes] : blocks)
    fritScratchFree(context, memory);
  EXPECT_EQ(fritScratchStatistics(context).blocksInUse, 0u);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OK);
}

TEST(ScratchTest, HonoursLargeAlignments) {
  TestContext context;
  for (uint64_t alignment = 1; alignment <= FRIT_SCRATCH_MAX_ALIGNMENT;
       alignment *= 2) {
    void *memory = fritScratchAlloc(context, 100, alignment);
    ASSERT_NE(memory, nullptr);
    EXPECT_TRUE(isAligned(memory, alignment));
    memset(memory, 1, 100);
    fritScratchFree(context, memory);
  }
  for (uint64_t alignment :
       {uint64_t(3), uint64_t(96), 2 * FRIT_SCRATCH_MAX_ALIGNMENT}) {
    EXPECT_EQ(fritScratchAlloc(context, 100, alignment), nullptr);
    EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_INVALID_ARGUMENT);
    EXPECT_NE(strstr(fritContextErrorMessage(context),
                     std::to_string(alignment).c_str()),
              nullptr);
    fritContextClearError(context);
  }
}

TEST(ScratchTest, SteadyStateAsksTheSystemForNothing) {
  TestContext context;
  auto call = [&](size_t scale) {
    ASSERT_EQ(fritBeginCall(context), FRIT_STATUS_OK);
    void *first = fritScratchAlloc(context, 1000 * scale, 64);
    void *second = fritScratchAlloc(context, 300 * scale, 64);
    fritScratchFree(context, first);
    void *third = fritScratchAlloc(context, 900 * scale, 64);
    EXPECT_TRUE(second && third);
    EXPECT_EQ(fritEndCall(context, FRIT_STATUS_OK), FRIT_STATUS_OK);
  };
  call(100);
  uint64_t before = fritScratchStatistics(context).systemAllocations;
  // Blocks of the larger call serve the slightly smaller ones.
  for (size_t scale = 100; scale > 75; --scale)
    call(scale);
  FritScratchStatistics statistics = fritScratchStatistics(context);
  EXPECT_EQ(statistics.systemAllocations, before);
  EXPECT_EQ(statistics.blocksInUse, 0u);
}

TEST(ScratchTest, EndOfCallReclaims) {
  TestContext context;
  for (int call = 0; call < 10; ++call) {
    ASSERT_EQ(fritBeginCall(context), FRIT_STATUS_OK);
    for (int i = 0; i < 5; ++i)
      ASSERT_NE(fritScratchAlloc(context, 5000, 64), nullptr);
    EXPECT_EQ(fritEndCall(context, FRIT_STATUS_OK), FRIT_STATUS_OK);
  }
  FritScratchStatistics statistics = fritScratchStatistics(context);
  EXPECT_EQ(statistics.systemAllocations, 5u);
  EXPECT_EQ(statistics.blocksInUse, 0u);
  fritScratchTrim(context);
  statistics = fritScratchStatistics(context);
  EXPECT_EQ(statistics.systemFrees, 5u);
  EXPECT_EQ(statistics.bytesHeld, 0u);
  EXPECT_GE(statistics.peakBytesHeld, 25000u);
}

TEST(ScratchTest, WasteIsBounded) {
  TestContext context;
  for (uint64_t bytes = 1; bytes < (1 << 22); bytes += 1 + bytes / 3) {
    fritScratchTrim(context);
    void *memory = fritScratchAlloc(context, bytes, 64);
    ASSERT_NE(memory, nullptr);
    memset(memory, 0, bytes);
    // A quarter of the size, and at most a header and the smallest block.
    EXPECT_LE(fritScratchStatistics(context).bytesHeld,
              bytes + bytes / 4 + 128);
    fritScratchFree(context, memory);
  }
}

TEST(ScratchTest, ImpossibleSizesAreErrors) {
  TestContext context;
  for (uint64_t bytes : {(uint64_t(1) << 62) + 1, UINT64_MAX, UINT64_MAX - 63,
                         uint64_t(INT64_MAX)}) {
    EXPECT_EQ(fritScratchAlloc(context, bytes, 64), nullptr);
    EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OUT_OF_MEMORY);
    EXPECT_NE(
        strstr(fritContextErrorMessage(context), std::to_string(bytes).c_str()),
        nullptr);
    fritContextClearError(context);
  }
  EXPECT_EQ(fritScratchStatistics(context).allocations, 0u);
}

TEST(ScratchTest, LimitHolds) {
  TestContext context(1, /*scratchLimit=*/10000);
  void *first = fritScratchAlloc(context, 4000, 64);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(fritScratchAlloc(context, 8000, 64), nullptr);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OUT_OF_MEMORY);
  EXPECT_NE(strstr(fritContextErrorMessage(context), "8000"), nullptr);
  EXPECT_NE(strstr(fritContextErrorMessage(context), "10000"), nullptr);
  fritContextClearError(context);
  // Kept blocks make room for one of another size.
  fritScratchFree(context, first);
  EXPECT_NE(fritScratchAlloc(context, 8000, 64), nullptr);
  EXPECT_LE(fritScratchStatistics(context).peakBytesHeld, 10000u);
}

TEST(ScratchTest, MisuseIsRecorded) {
  TestContext context, other;
  void *memory = fritScratchAlloc(context, 100, 64);
  fritScratchFree(other, memory);
  EXPECT_EQ(fritContextErrorCode(other), FRIT_STATUS_INVALID_ARGUMENT);
  fritScratchFree(context, static_cast<char *>(memory) + 8);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  fritScratchFree(context, memory);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_OK);
  fritScratchFree(context, memory);
  EXPECT_EQ(fritContextErrorCode(context), FRIT_STATUS_INVALID_ARGUMENT);
}
