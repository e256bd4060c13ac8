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

/// Writes the architecture of the variant that runs to the first count.
template <int32_t sm> FritStatus writeSm(FritContext *, void **arguments) {
  **static_cast<int32_t **>(arguments[3]) = sm;
  return FRIT_STATUS_OK;
}

/// kDeviceEntry for several architectures, in an order that must not matter.
struct VariantEntry {
  VariantEntry() {
    for (FritEntry *variant : {&sm80, &sm90, &sm90a, &sm89})
      *variant = kDeviceEntry;
    sm80.sm = 80;
    sm80.function = writeSm<80>;
    sm89.sm = 89;
    sm89.function = writeSm<89>;
    sm90.function = writeSm<90>;
    sm90a.flags |= FRIT_ENTRY_EXACT_SM;
    sm90a.function = writeSm<901>;
  }

  FritEntry get(int32_t count) const {
    FritEntry entry = kDeviceEntry;
    entry.target = "cuda:sm_80,sm_90,sm_90a,sm_89";
    entry.function = nullptr;
    entry.sm = 0;
    entry.variants = variants;
    entry.numVariants = count;
    return entry;
  }

  FritEntry sm80, sm89, sm90, sm90a;
  const FritEntry *variants[4] = {&sm80, &sm90, &sm90a, &sm89};
};

TEST_F(EntryDeviceTest, TheVariantOfTheDeviceIsCalled) {
  ScaleValues values;
  moveToDevice(values, 0);
  VariantEntry variants;
  struct Case {
    int32_t deviceSm;
    int32_t count;
    int32_t called;
  };
  // Code for a later architecture of the generation, for an earlier one, for
  // exactly this one, and for its specific features.
  for (Case c : {Case{80, 4, 80}, Case{86, 4, 80}, Case{87, 3, 80},
                 Case{89, 4, 89}, Case{90, 2, 90}, Case{90, 4, 901}}) {
    frit::stub::setSm(c.deviceSm);
    DeviceContext context(0);
    FritEntry entry = variants.get(c.count);
    ASSERT_EQ(fritEntryCall(context, &entry, values.pointers.data(), 5),
              FRIT_STATUS_OK)
        << context.getMessage();
    EXPECT_EQ(values.countData[0], c.called) << "on an sm_" << c.deviceSm;
  }
}

TEST_F(EntryDeviceTest, NoVariantRunsOnTheDevice) {
  frit::stub::setSm(103);
  DeviceContext context(0);
  ScaleValues values;
  moveToDevice(values, 0);
  VariantEntry variants;
  FritEntry entry = variants.get(4);
  EXPECT_EQ(check(context, entry, values),
            "'scale': is compiled for cuda:sm_80,sm_90,sm_90a,sm_89, of which "
            "none runs on the context's device, an sm_103");
  int64_t sizes[2];
  EXPECT_EQ(fritEntryResultSizes(context, &entry, values.pointers.data(), 4,
                                 sizes, 2),
            FRIT_STATUS_DEVICE_UNAVAILABLE);
  fritContextClearError(context);
}

TEST_F(EntryDeviceTest, VariantsNeedADevice) {
  FritContextOptions options = fritContextOptionsDefault();
  options.threads = 1;
  DeviceContext context(options);
  ScaleValues values;
  moveToDevice(values, 0);
  VariantEntry variants;
  EXPECT_EQ(check(context, variants.get(4), values),
            "'scale': is compiled for cuda:sm_80,sm_90,sm_90a,sm_89, but the "
            "context has no device");
}

} // namespace
