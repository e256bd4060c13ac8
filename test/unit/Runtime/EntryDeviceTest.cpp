//===- EntryDeviceTest.cpp - Descriptors of device memory -----------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code for a device takes tensors of the context's device and scalars of the
// host; code for the host takes tensors of the host, whatever the context.
//
//===----------------------------------------------------------------------===//

#include "DeviceTest.h"
#include "EntryTestFunction.h"

namespace {

class EntryDeviceTest : public DeviceTest {
protected:
  static void moveToDevice(ScaleValues &values, int32_t device) {
    for (FritTensor *tensor : {&values.x, &values.w, &values.count, &values.y})
      tensor->device = device;
  }

  static std::string check(FritContext *context, const FritEntry &entry,
                           const ScaleValues &values) {
    if (fritEntryCheck(context, &entry, values.pointers.data(), 5) ==
        FRIT_STATUS_OK)
      return "";
    std::string message = fritContextErrorMessage(context);
    fritContextClearError(context);
    return message;
  }
};

TEST_F(EntryDeviceTest, TensorsAreOnTheDeviceOfTheContext) {
  DeviceContext context(1);
  ScaleValues values;
  EXPECT_EQ(check(context, kDeviceEntry, values),
            "'scale', argument 0 ('x'): is in the memory of the host, expected "
            "cuda:1");
  moveToDevice(values, 0);
  EXPECT_EQ(check(context, kDeviceEntry, values),
            "'scale', argument 0 ('x'): is in the memory of cuda:0, expected "
            "cuda:1");
  moveToDevice(values, 1);
  EXPECT_EQ(check(context, kDeviceEntry, values), "");
  values.s.device = 1;
  EXPECT_EQ(check(context, kDeviceEntry, values),
            "'scale', argument 2: is in the memory of cuda:1, expected the "
            "host");
  // Mixed devices.
  values.s.device = FRIT_NO_DEVICE;
  values.w.device = 0;
  EXPECT_EQ(check(context, kDeviceEntry, values),
            "'scale', argument 1 ('w'): is in the memory of cuda:0, expected "
            "cuda:1");
}

TEST_F(EntryDeviceTest, CodeForTheHostTakesMemoryOfTheHost) {
  DeviceContext context;
  ScaleValues values;
  EXPECT_EQ(check(context, kScaleEntry, values), "");
  moveToDevice(values, 0);
  EXPECT_EQ(check(context, kScaleEntry, values),
            "'scale', argument 0 ('x'): is in the memory of cuda:0, expected "
            "the host");
}

} // namespace
