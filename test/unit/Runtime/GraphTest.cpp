//===- GraphTest.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs and events: capture, replay with other data, and time.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"

using namespace frit;

namespace {
using GraphTest = DeviceTest;
} // namespace

TEST_F(GraphTest, AReplaySeesNewData) {
  DeviceContext context;
  int32_t values[] = {10, 20};
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, sizeof(values), &memory), FRIT_STATUS_OK);
  ASSERT_EQ(fritContextBeginPrepare(context), FRIT_STATUS_OK);
  ASSERT_EQ(launchAddOne(context, memory, 2), FRIT_STATUS_OK);
  ASSERT_EQ(fritContextEndPrepare(context), FRIT_STATUS_OK);

  fritCopyToDevice(context, memory, values, sizeof(values));
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(launchAddOne(context, memory, 2), FRIT_STATUS_OK);
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK);
  EXPECT_EQ(countCalls("cuGraphDestroy"), 1);

  // Nothing has run yet.
  int32_t read[2] = {};
  fritCopyToHost(context, read, memory, sizeof(read));
  EXPECT_EQ(read[1], 20);
  for (int replay = 1; replay < 4; ++replay) {
    EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
    fritCopyToHost(context, read, memory, sizeof(read));
    EXPECT_EQ(read[1], 20 + 3 * replay);
  }
  values[1] = 100;
  fritCopyToDevice(context, memory, values, sizeof(values));
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  fritCopyToHost(context, read, memory, sizeof(read));
  EXPECT_EQ(read[1], 103);
  fritGraphDestroy(graph);
}

TEST_F(GraphTest, WhatCannotBeCapturedLeavesTheCaptureValid) {
  DeviceContext context;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 8, &memory), FRIT_STATUS_OK);
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  auto refuse = [&](FritStatus status, const char *what) {
    EXPECT_EQ(status, FRIT_STATUS_CAPTURE);
    context.expectError(FRIT_STATUS_CAPTURE, {what});
  };
  void *more = nullptr;
  FritEvent *event = nullptr;
  ASSERT_EQ(fritEventCreate(context, &event), FRIT_STATUS_OK);
  double time = 1;
  refuse(launchAddOne(context, memory, 2), "kernel 'test.add-one': loading");
  refuse(fritDeviceMalloc(context, 8, &more), "allocation");
  refuse(fritDeviceRelease(context, memory), "releasing");
  refuse(fritContextSynchronize(context), "waiting");
  refuse(fritContextBeginPrepare(context), "preparation");
  refuse(fritGraphBeginCapture(context), "another capture");
  refuse(fritEventElapsed(event, event, &time), "event");
  EXPECT_EQ(time, 0);
  EXPECT_EQ(fritDeviceFill(context, memory, 2, 5, 4), FRIT_STATUS_OK);
  FritGraph *graph = nullptr;
  ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK)
      << context.getMessage();
  EXPECT_EQ(fritGraphLaunch(context, graph), FRIT_STATUS_OK);
  int32_t read[2];
  fritCopyToHost(context, read, memory, 8);
  EXPECT_EQ(read[1], 5);
  EXPECT_EQ(launchAddOne(context, memory, 2), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceRelease(context, memory), FRIT_STATUS_OK);
  fritEventDestroy(event);
  fritGraphDestroy(graph);
}

TEST_F(GraphTest, LoadsAreAllowedWhileAnotherContextIsCaptured) {
  DeviceContext captured, other;
  void *memory = nullptr;
  ASSERT_EQ(fritGraphBeginCapture(captured), FRIT_STATUS_OK);
  ASSERT_EQ(fritDeviceMalloc(other, 8, &memory), FRIT_STATUS_OK);
  EXPECT_EQ(launchAddOne(other, memory, 2), FRIT_STATUS_OK)
      << other.getMessage();
  EXPECT_EQ(fritContextSynchronize(other), FRIT_STATUS_OK);
  FritGraph *graph = nullptr;
  EXPECT_EQ(fritGraphEndCapture(captured, &graph), FRIT_STATUS_OK);
  EXPECT_EQ(fritGraphLaunch(other, graph), FRIT_STATUS_INVALID_ARGUMENT);
  other.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"another context"});
  fritGraphDestroy(graph);
}

TEST_F(GraphTest, EndsWhatHasBegunOnly) {
  DeviceContext context;
  FritGraph *graph = reinterpret_cast<FritGraph *>(1);
  EXPECT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(graph, nullptr);
  fritContextClearError(context);
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritGraphEndCapture(context, nullptr),
            FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  EXPECT_EQ(fritGraphLaunch(context, nullptr), FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"no graph"});
  EXPECT_EQ(fritContextSynchronize(context), FRIT_STATUS_OK);
  fritGraphDestroy(nullptr);
}

TEST_F(GraphTest, EventsTellTheTimeBetweenThem) {
  DeviceContext context;
  FritEvent *begin = nullptr;
  FritEvent *end = nullptr;
  ASSERT_EQ(fritEventCreate(context, &begin), FRIT_STATUS_OK);
  ASSERT_EQ(fritEventCreate(context, &end), FRIT_STATUS_OK);
  double time = 7;
  EXPECT_EQ(fritEventElapsed(begin, end, &time), FRIT_STATUS_DEVICE_ERROR);
  EXPECT_EQ(time, 0);
  context.expectError(FRIT_STATUS_DEVICE_ERROR, {"cuEventElapsedTime"});
  EXPECT_EQ(fritEventRecord(begin), FRIT_STATUS_OK);
  EXPECT_EQ(fritEventRecord(end), FRIT_STATUS_OK);
  EXPECT_EQ(fritEventElapsed(begin, end, &time), FRIT_STATUS_OK);
  EXPECT_EQ(time, 1);
  EXPECT_EQ(fritEventElapsed(nullptr, end, &time),
            FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"first event"});
  EXPECT_EQ(fritEventElapsed(begin, end, nullptr),
            FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  EXPECT_EQ(fritEventRecord(nullptr), FRIT_STATUS_INVALID_ARGUMENT);
  fritEventDestroy(begin);
  fritEventDestroy(end);
  fritEventDestroy(nullptr);
}
