//===- DeviceThreadTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eight threads with a context each, and a context that moves between threads.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"

#include <thread>

using namespace frit;

namespace {
using DeviceThreadTest = DeviceTest;
} // namespace

TEST_F(DeviceThreadTest, EightThreadsWithAContextEach) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 50;
  std::vector<int> wrong(kThreads, 0);
  auto work = [&](int index) {
    FritContextOptions options = getDeviceOptions(index % 2);
    FritContext *context = nullptr;
    if (fritContextCreate(&options, &context)) {
      wrong[index] = 1;
      return;
    }
    int32_t values[64] = {};
    void *memory = nullptr;
    wrong[index] += fritDeviceMalloc(context, sizeof(values), &memory) != 0;
    fritCopyToDevice(context, memory, values, sizeof(values));
    for (int round = 0; round < kRounds; ++round) {
      wrong[index] += fritBeginCall(context) != 0;
      void *scratch = fritDeviceScratchAlloc(context, 100 * (round + 1), 1);
      wrong[index] += !scratch;
      wrong[index] += launchAddOne(context, memory, 64) != 0;
      fritDeviceScratchFree(context, scratch);
      wrong[index] += fritEndCall(context, FRIT_STATUS_OK) != 0;
    }
    fritCopyToHost(context, values, memory, sizeof(values));
    wrong[index] += fritContextSynchronize(context) != 0;
    for (int32_t value : values)
      wrong[index] += value != kRounds;
    wrong[index] += stub::getContextDepth() != 0;
    fritContextDestroy(context);
  };
  {
    // Keep both devices open, so that each loads the image once.
    DeviceContext first(0), second(1);
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back(work, i);
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(countCalls("cuModuleLoadDataEx"), 2);
  }
  for (int i = 0; i < kThreads; ++i)
    EXPECT_EQ(wrong[i], 0) << "thread " << i;
}

TEST_F(DeviceThreadTest, AContextMovesBetweenThreads) {
  DeviceContext context;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 4, &memory), FRIT_STATUS_OK);
  int32_t value = 0;
  fritCopyToDevice(context, memory, &value, 4);
  for (int i = 0; i < 4; ++i) {
    std::thread([&] {
      EXPECT_EQ(launchAddOne(context, memory, 1), FRIT_STATUS_OK);
      EXPECT_EQ(stub::getContextDepth(), 0);
    }).join();
  }
  fritCopyToHost(context, &value, memory, 4);
  EXPECT_EQ(fritContextSynchronize(context), FRIT_STATUS_OK);
  EXPECT_EQ(value, 4);
}

TEST_F(DeviceThreadTest, TheThreadsOwnContextStaysCurrent) {
  DeviceContext first(0), second(1);
  ASSERT_EQ(fritBeginCall(first), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getContextDepth(), 1);
  // Work for another device in between.
  void *memory = nullptr;
  EXPECT_EQ(fritDeviceMalloc(second, 4, &memory), FRIT_STATUS_OK);
  EXPECT_EQ(launchAddOne(second, memory, 1), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getContextDepth(), 1);
  EXPECT_EQ(stub::getLaunches().back().device, 1);
  EXPECT_EQ(fritEndCall(first, FRIT_STATUS_OK), FRIT_STATUS_OK);
}
