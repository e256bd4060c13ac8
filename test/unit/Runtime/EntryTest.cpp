//===- EntryTest.cpp - Calls with descriptors -----------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptors that fit, in all the forms that they may have.
//
//===----------------------------------------------------------------------===//

#include "EntryTestFunction.h"
#include "TestContext.h"

#include <memory>
#include <vector>

namespace {

FritStatus call(FritContext *context, const ScaleValues &values,
                const FritEntry &entry = kScaleEntry) {
  return fritEntryCall(context, &entry, values.pointers.data(), 5);
}

TEST(EntryTest, Calls) {
  TestContext context;
  ScaleValues values;
  ASSERT_EQ(call(context, values), FRIT_STATUS_OK);
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(values.yData[i], 2.0f * (i + 1));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(values.countData[i], 1);
}

TEST(EntryTest, ChecksWithoutCalling) {
  TestContext context;
  ScaleValues values;
  EXPECT_EQ(fritEntryCheck(context, &kScaleEntry, values.pointers.data(), 5),
            FRIT_STATUS_OK);
  EXPECT_EQ(values.countData[0], 0);
}

TEST(EntryTest, RowsMayHaveAnyPositiveStride) {
  TestContext context;
  ScaleValues values;
  // Rows that lie within one another are fine to read.
  values.strides[0] = 2;
  values.x.strides = values.strides;
  int64_t wide[] = {8, 1};
  values.y.strides = wide;
  ASSERT_EQ(call(context, values), FRIT_STATUS_OK)
      << fritContextErrorMessage(context);
  EXPECT_EQ(values.yData[8], 2 * 3);
  EXPECT_EQ(values.yData[4], 0);
}

TEST(EntryTest, StridesOfSize1DoNotMatter) {
  TestContext context;
  ScaleValues values;
  values.xSizes[0] = values.ySizes[0] = 1;
  values.strides[0] = -17;
  values.x.strides = values.y.strides = values.strides;
  ASSERT_EQ(call(context, values), FRIT_STATUS_OK)
      << fritContextErrorMessage(context);
  EXPECT_EQ(values.yData[3], 8);
}

TEST(EntryTest, EmptyTensorsNeedNoMemory) {
  TestContext context;
  ScaleValues values;
  values.xSizes[0] = values.ySizes[0] = 0;
  values.strides[0] = values.strides[1] = 0;
  values.x.strides = values.y.strides = values.strides;
  values.x.data = values.y.data = nullptr;
  EXPECT_EQ(call(context, values), FRIT_STATUS_OK)
      << fritContextErrorMessage(context);
  EXPECT_EQ(values.countData[0], 1);
}

TEST(EntryTest, ColumnsOfOneBufferAreApart) {
  TestContext context;
  ScaleValues values;
  // x in the columns 0 .. 3 and y in 4 .. 7 of rows of 8.
  std::vector<float> rows(32, 1);
  values.strides[0] = 8;
  values.x.strides = values.y.strides = values.strides;
  values.x.data = rows.data();
  values.y.data = rows.data() + 4;
  ASSERT_EQ(call(context, values), FRIT_STATUS_OK)
      << fritContextErrorMessage(context);
  EXPECT_EQ(rows[3], 1);
  EXPECT_EQ(rows[4], 2);
  // One column further, the rows wrap into the next ones.
  values.y.data = rows.data() + 3;
  EXPECT_EQ(call(context, values), FRIT_STATUS_INVALID_ARGUMENT);
  fritContextClearError(context);
  values.y.data = rows.data() + 5;
  EXPECT_EQ(call(context, values), FRIT_STATUS_INVALID_ARGUMENT);
}

TEST(EntryTest, TellsTheSizesOfResults) {
  TestContext context;
  ScaleValues values;
  EXPECT_EQ(fritEntryNumResultSizes(&kScaleEntry), 2);
  EXPECT_EQ(fritEntryNumResultSizes(nullptr), 0);
  int64_t sizes[2] = {};
  ASSERT_EQ(fritEntryResultSizes(context, &kScaleEntry, values.pointers.data(),
                                 4, sizes, 2),
            FRIT_STATUS_OK);
  EXPECT_EQ(sizes[0], 3);
  EXPECT_EQ(sizes[1], 4);
  ASSERT_EQ(fritEntryResultSizes(context, &kPaddedEntry, values.pointers.data(),
                                 4, sizes, 2),
            FRIT_STATUS_OK);
  EXPECT_EQ(sizes[0], 4);
  values.ySizes[0] = 4;
  EXPECT_EQ(call(context, values, kPaddedEntry), FRIT_STATUS_OK)
      << fritContextErrorMessage(context);
}

TEST(EntryTest, ServesManyValues) {
  constexpr int kCount = 500;
  static int64_t size[] = {1};
  static int32_t dims[] = {FRIT_ANY};
  std::vector<FritValue> infos(kCount);
  for (FritValue &info : infos)
    info = {"", size, size, dims, 1, FRIT_TYPE_I64, 0, 0};
  auto sum = [](FritContext *, void **arguments) -> FritStatus {
    int64_t total = 0;
    for (int i = 0; i < kCount; ++i)
      total += static_cast<int64_t **>(arguments[i])[1][0];
    return total == kCount * (kCount - 1) / 2 ? FRIT_STATUS_OK
                                              : FRIT_STATUS_INTERNAL;
  };
  FritEntry entry = {};
  entry.size = sizeof(FritEntry);
  entry.name = "sum";
  entry.target = "cpu";
  entry.function = sum;
  entry.values = infos.data();
  entry.numArguments = kCount;
  std::vector<int64_t> data(kCount);
  std::vector<FritTensor> tensors;
  std::vector<const FritTensor *> pointers;
  tensors.reserve(kCount);
  for (int i = 0; i < kCount; ++i) {
    data[i] = i;
    tensors.push_back(fritHostTensor(&data[i], FRIT_TYPE_I64, size, 1));
    pointers.push_back(&tensors.back());
  }
  TestContext context;
  EXPECT_EQ(fritEntryCall(context, &entry, pointers.data(), kCount),
            FRIT_STATUS_OK)
      << fritContextErrorMessage(context);
}

TEST(EntryTest, NamesTypes) {
  EXPECT_STREQ(fritTypeName(FRIT_TYPE_BF16), "bf16");
  EXPECT_STREQ(fritTypeName(FRIT_TYPE_I1), "i1");
  EXPECT_EQ(fritTypeName(FRIT_TYPE(5, 64)), nullptr);
  EXPECT_EQ(fritTypeName(-1), nullptr);
}

} // namespace
