//===- DeviceMemoryTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory for callers, copies, fills and constants.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"

using namespace frit;

namespace {

using DeviceMemoryTest = DeviceTest;

/// A constant with the bytes of `values`.
template <typename T, size_t N>
FritConstantDescriptor getConstant(const T (&values)[N], uint64_t hash) {
  return {sizeof(FritConstantDescriptor), values, sizeof(values), hash};
}

} // namespace

TEST_F(DeviceMemoryTest, CopiesAndFillsInOrder) {
  DeviceContext context;
  void *first = nullptr;
  void *second = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 16, &first), FRIT_STATUS_OK);
  ASSERT_EQ(fritDeviceMalloc(context, 16, &second), FRIT_STATUS_OK);
  uint8_t values[16] = {};
  EXPECT_EQ(fritDeviceFill(context, first, 4, 0x01020304, 4), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceFill(context, first, 3, 0xAABBCCDD, 2), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceFill(context, first, 1, 0xAABBCCEE, 1), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceCopy(context, second, first, 16), FRIT_STATUS_OK);
  EXPECT_EQ(fritCopyToHost(context, values, second, 16), FRIT_STATUS_OK);
  EXPECT_EQ(fritContextSynchronize(context), FRIT_STATUS_OK);
  const uint8_t expected[16] = {0xEE, 0xCC, 0xDD, 0xCC, 0xDD, 0xCC, 2, 1,
                                4,    3,    2,    1,    4,    3,    2, 1};
  EXPECT_EQ(memcmp(values, expected, 16), 0);
  EXPECT_EQ(fritDeviceRelease(context, first), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceStatistics(context).bytesHeld, 16u);
  EXPECT_EQ(fritDeviceStatistics(context).peakBytesHeld, 32u);
}

TEST_F(DeviceMemoryTest, NoBytesAreNoWork) {
  DeviceContext context;
  size_t before = stub::getCalls().size();
  EXPECT_EQ(fritCopyToDevice(context, nullptr, nullptr, 0), FRIT_STATUS_OK);
  EXPECT_EQ(fritCopyToHost(context, nullptr, nullptr, 0), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceCopy(context, nullptr, nullptr, 0), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceFill(context, nullptr, 0, 0, 4), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getCalls().size(), before);
  void *memory = nullptr;
  EXPECT_EQ(fritDeviceMalloc(context, 0, &memory), FRIT_STATUS_OK);
  EXPECT_NE(memory, nullptr);
  EXPECT_EQ(fritDeviceRelease(context, memory), FRIT_STATUS_OK);
}

TEST_F(DeviceMemoryTest, MisuseIsNamed) {
  DeviceContext context, other;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 16, &memory), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceRelease(other, memory), FRIT_STATUS_INVALID_ARGUMENT);
  other.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"did not give out"});
  EXPECT_EQ(fritDeviceRelease(context, memory), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceRelease(context, memory), FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"did not give out"});
  EXPECT_EQ(fritDeviceMalloc(context, 16, nullptr),
            FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);

  EXPECT_EQ(fritDeviceCopy(context, memory, nullptr, 8),
            FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"8 bytes", "null"});
  EXPECT_EQ(fritDeviceFill(context, memory, 1, 0, 8),
            FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"8 bytes"});
  EXPECT_EQ(fritDeviceFill(context, static_cast<char *>(memory) + 2, 1, 0, 4),
            FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"aligned"});
  EXPECT_EQ(fritDeviceFill(context, memory, UINT64_MAX / 2, 0, 4),
            FRIT_STATUS_INVALID_ARGUMENT);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"9223372036854775807"});
}

TEST_F(DeviceMemoryTest, ShortMemoryIsAStatus) {
  DeviceContext context;
  stub::setMemory(1000);
  void *memory = nullptr;
  EXPECT_EQ(fritDeviceMalloc(context, 1001, &memory),
            FRIT_STATUS_OUT_OF_MEMORY);
  EXPECT_EQ(memory, nullptr);
  context.expectError(FRIT_STATUS_OUT_OF_MEMORY, {"1001", "device 0"});
  EXPECT_EQ(fritDeviceMalloc(context, UINT64_MAX, &memory),
            FRIT_STATUS_OUT_OF_MEMORY);
  fritContextClearError(context);
  EXPECT_EQ(fritDeviceMalloc(context, 1000, &memory), FRIT_STATUS_OK);
}

TEST_F(DeviceMemoryTest, ConstantsAreUploadedOnce) {
  DeviceContext context, other;
  const int32_t values[] = {1, 2, 3};
  const int32_t copy[] = {1, 2, 3};
  FritConstantDescriptor constant = getConstant(values, 11);
  FritConstantDescriptor same = getConstant(copy, 11);
  FritConstantDescriptor empty = {sizeof(constant), nullptr, 0, 12};
  const void *memory = fritDeviceConstant(context, &constant);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(fritDeviceConstant(context, &same), memory);
  EXPECT_NE(fritDeviceConstant(context, &empty), nullptr);
  EXPECT_NE(fritDeviceConstant(other, &constant), memory);
  EXPECT_EQ(countCalls("cuMemcpyHtoDAsync_v2"), 2);
  EXPECT_EQ(countCalls("cuStreamSynchronize"), 2);

  int32_t read[3];
  EXPECT_EQ(fritCopyToHost(context, read, memory, sizeof(read)),
            FRIT_STATUS_OK);
  EXPECT_EQ(memcmp(read, values, sizeof(read)), 0);

  const int32_t changed[] = {4, 5, 6};
  FritConstantDescriptor another = getConstant(changed, 13);
  ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
  EXPECT_EQ(fritDeviceConstant(context, &constant), memory);
  EXPECT_EQ(fritDeviceConstant(context, &another), nullptr);
  context.expectError(FRIT_STATUS_CAPTURE, {"captured"});
  FritGraph *graph = nullptr;
  EXPECT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK);
  fritGraphDestroy(graph);
  EXPECT_NE(fritDeviceConstant(context, &another), nullptr);

  another.size = 24;
  EXPECT_EQ(fritDeviceConstant(context, &another), nullptr);
  context.expectError(FRIT_STATUS_INVALID_ARGUMENT, {"24", "32"});
}
