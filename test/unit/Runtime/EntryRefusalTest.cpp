//===- EntryRefusalTest.cpp - Descriptors that do not fit -----------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each way in which a descriptor can be wrong, one spoiled at a time: the
// status, a message with both sides, nothing called, and a context that serves
// the next call.
//
//===----------------------------------------------------------------------===//

#include "EntryTestFunction.h"
#include "TestContext.h"

#include <cinttypes>
#include <string>

namespace {

struct Refusal {
  const char *name;
  void (*spoil)(ScaleValues &values);
  /// How the message begins.
  const char *message;
};

const Refusal kRefusals[] = {
    {"NullDescriptor", [](ScaleValues &v) { v.pointers[1] = nullptr; },
     "'scale', argument 1 ('w'): the descriptor is null"},
    {"Type", [](ScaleValues &v) { v.w.type = FRIT_TYPE_F16; },
     "'scale', argument 1 ('w'): has element type f16, expected bf16"},
    {"UnknownType", [](ScaleValues &v) { v.x.type = FRIT_TYPE(1, 8); },
     "'scale', argument 0 ('x'): has element type of code 0x108, expected f32"},
    {"ScalarType", [](ScaleValues &v) { v.s.type = FRIT_TYPE_F64; },
     "'scale', argument 2: has element type f64, expected f32"},
    {"Rank", [](ScaleValues &v) { v.x.rank = 1; },
     "'scale', argument 0 ('x'): has rank 1, expected 2"},
    {"NegativeRank", [](ScaleValues &v) { v.y.rank = -7; },
     "'scale', result 0: has rank -7, expected 2"},
    {"TensorForScalar",
     [](ScaleValues &v) {
       v.s.rank = 1;
       v.s.sizes = v.wSizes;
     },
     "'scale', argument 2: has rank 1, expected 0"},
    {"Device", [](ScaleValues &v) { v.x.device = 1; },
     "'scale', argument 0 ('x'): is in the memory of cuda:1, expected the "
     "host"},
    {"ScalarOnDevice", [](ScaleValues &v) { v.s.device = 0; },
     "'scale', argument 2: is in the memory of cuda:0, expected the host"},
    {"ReadOnlyResult",
     [](ScaleValues &v) { v.y.flags = FRIT_TENSOR_READ_ONLY; },
     "'scale', result 0: is read-only, but the function writes to it"},
    {"ReadOnlyUpdated",
     [](ScaleValues &v) { v.count.flags = FRIT_TENSOR_READ_ONLY; },
     "'scale', argument 3 ('count'): is read-only, but"},
    {"UnknownFlags", [](ScaleValues &v) { v.y.flags = 6; },
     "'scale', result 0: has the flags 0x6, of which this runtime does not "
     "know 0x6"},
    {"NullSizes", [](ScaleValues &v) { v.x.sizes = nullptr; },
     "'scale', argument 0 ('x'): has rank 2, but its sizes are null"},
    {"NegativeSize", [](ScaleValues &v) { v.xSizes[0] = -1; },
     "'scale', argument 0 ('x'): dimension 0 has size -1, expected 0 or more"},
    {"StaticSize", [](ScaleValues &v) { v.wSizes[0] = 5; },
     "'scale', argument 1 ('w'): dimension 0 has size 5, expected 4"},
    {"NamedSize", [](ScaleValues &v) { v.ySizes[0] = 2; },
     "'scale', result 0: dimension 0 ('tokens') has size 2, but 3 in argument "
     "0 ('x'), dimension 0"},
    {"BroadcastRow",
     [](ScaleValues &v) {
       v.strides[0] = 0;
       v.x.strides = v.strides;
     },
     "'scale', argument 0 ('x'): dimension 0 has stride 0 (a broadcast), "
     "expected a positive one (its size is 3)"},
    {"NegativeStride",
     [](ScaleValues &v) {
       v.strides[0] = -4;
       v.x.strides = v.strides;
     },
     "'scale', argument 0 ('x'): dimension 0 has stride -4, expected a "
     "positive one (its size is 3)"},
    {"InnerStride",
     [](ScaleValues &v) {
       v.strides[1] = 3;
       v.x.strides = v.strides;
     },
     "'scale', argument 0 ('x'): dimension 1 has stride 3, expected 1"},
    {"InnerBroadcast",
     [](ScaleValues &v) {
       v.strides[1] = 0;
       v.x.strides = v.strides;
     },
     "'scale', argument 0 ('x'): dimension 1 has stride 0, expected 1"},
    {"Gaps",
     [](ScaleValues &v) {
       v.strides[0] = 4;
       v.count.strides = v.strides;
     },
     "'scale', argument 3 ('count'): dimension 0 has stride 4, expected 3"},
    {"OverlappingRows",
     [](ScaleValues &v) {
       v.strides[0] = 3;
       v.y.strides = v.strides;
     },
     "'scale', result 0: is written to, but its strides put several elements "
     "at one place"},
    {"HugeSize",
     [](ScaleValues &v) { v.xSizes[0] = v.ySizes[0] = INT64_MAX / 2; },
     "'scale', argument 0 ('x'): its elements are spread over more than 2^63 "
     "bytes"},
    {"HugeStride",
     [](ScaleValues &v) {
       v.strides[0] = INT64_MAX / 4;
       v.x.strides = v.strides;
     },
     "'scale', argument 0 ('x'): its elements are spread over more than 2^63 "
     "bytes"},
    {"NullData", [](ScaleValues &v) { v.x.data = nullptr; },
     "'scale', argument 0 ('x'): its address is null, but it has elements"},
    {"NullScalar", [](ScaleValues &v) { v.s.data = nullptr; },
     "'scale', argument 2: its address is null, but it has elements"},
    {"Misaligned",
     [](ScaleValues &v) { v.x.data = reinterpret_cast<char *>(v.xData) + 2; },
     "'scale', argument 0 ('x'): its address 0x"},
    {"InPlace", [](ScaleValues &v) { v.y.data = v.xData; },
     "'scale', result 0: shares memory with argument 0 ('x'), and one of them "
     "is written to"},
    {"LastElementShared", [](ScaleValues &v) { v.y.data = v.xData + 11; },
     "'scale', result 0: shares memory with argument 0 ('x')"},
    {"UpdatedShared", [](ScaleValues &v) { v.y.data = v.countData; },
     "'scale', result 0: shares memory with argument 3 ('count')"},
};

class EntryRefusalTest : public testing::TestWithParam<Refusal> {};

TEST_P(EntryRefusalTest, IsSaidAndNothingRuns) {
  TestContext context;
  ScaleValues spoiled;
  GetParam().spoil(spoiled);
  EXPECT_EQ(fritEntryCall(context, &kScaleEntry, spoiled.pointers.data(), 5),
            FRIT_STATUS_INVALID_ARGUMENT);
  std::string message = fritContextErrorMessage(context);
  EXPECT_EQ(message.rfind(GetParam().message, 0), 0u) << message;
  EXPECT_EQ(spoiled.countData[0], 0);
  EXPECT_EQ(spoiled.yData[0], 0);

  ScaleValues good;
  fritContextClearError(context);
  EXPECT_EQ(fritEntryCall(context, &kScaleEntry, good.pointers.data(), 5),
            FRIT_STATUS_OK);
  EXPECT_EQ(good.yData[11], 24);
}

INSTANTIATE_TEST_SUITE_P(Values, EntryRefusalTest, testing::ValuesIn(kRefusals),
                         [](const testing::TestParamInfo<Refusal> &info) {
                           return std::string(info.param.name);
                         });

TEST(EntryRefusalTest, MisalignedNamesAddressAndBytes) {
  TestContext context;
  ScaleValues values;
  values.x.data = reinterpret_cast<char *>(values.xData) + 2;
  EXPECT_EQ(fritEntryCheck(context, &kScaleEntry, values.pointers.data(), 5),
            FRIT_STATUS_INVALID_ARGUMENT);
  char expected[128];
  snprintf(expected, sizeof(expected),
           "'scale', argument 0 ('x'): its address 0x%" PRIxPTR
           " is not aligned to the 4 bytes of f32",
           reinterpret_cast<uintptr_t>(values.x.data));
  EXPECT_STREQ(fritContextErrorMessage(context), expected);
}

TEST(EntryRefusalTest, CountsAndNulls) {
  TestContext context;
  ScaleValues values;
  auto expectError = [&](FritStatus status, const std::string &message) {
    EXPECT_EQ(status, FRIT_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(fritContextErrorMessage(context), message);
    fritContextClearError(context);
  };
  expectError(fritEntryCall(context, &kScaleEntry, values.pointers.data(), 4),
              "'scale': got 4 values, expected 5 (4 arguments, 1 results)");
  expectError(fritEntryCall(context, &kScaleEntry, nullptr, 5),
              "'scale': the list of its 5 values is null");
  expectError(fritEntryCall(context, nullptr, values.pointers.data(), 5),
              "the entry to call is null");
  FritEntry newer = kScaleEntry;
  newer.size += 8;
  expectError(fritEntryCheck(context, &newer, values.pointers.data(), 5),
              "an entry has another size than this runtime knows (" +
                  std::to_string(newer.size) + " and " +
                  std::to_string(sizeof(FritEntry)) + ")");
  int64_t sizes[2];
  expectError(fritEntryResultSizes(context, &kScaleEntry,
                                   values.pointers.data(), 4, sizes, 3),
              "'scale': there is room for 3 sizes of results, expected 2");
  expectError(fritEntryResultSizes(context, &kScaleEntry,
                                   values.pointers.data(), 4, nullptr, 2),
              "'scale': there is no memory for 2 sizes of results, expected 2");
  EXPECT_EQ(fritEntryCall(nullptr, &kScaleEntry, values.pointers.data(), 5),
            FRIT_STATUS_INVALID_ARGUMENT);
}

/// Expects that no way into `entry` runs it, but each reports the same.
static void expectRefused(const FritEntry &entry, FritStatus status,
                          const char *message) {
  TestContext context;
  ScaleValues values;
  auto expectError = [&](FritStatus reported) {
    EXPECT_EQ(reported, status);
    EXPECT_STREQ(fritContextErrorMessage(context), message);
    fritContextClearError(context);
  };
  expectError(fritEntryCheck(context, &entry, values.pointers.data(), 5));
  expectError(fritEntryCall(context, &entry, values.pointers.data(), 5));
  int64_t sizes[2];
  expectError(fritEntryResultSizes(context, &entry, values.pointers.data(), 4,
                                   sizes, 2));
  EXPECT_EQ(values.countData[0], 0);
}

TEST(EntryRefusalTest, InstructionsThatTheProcessorLacks) {
  // The last number is that of no feature, so no processor has it.
  FritEntry entry = kScaleEntry;
  entry.processorFeatures[1] = uint64_t(1) << 63;
  expectRefused(entry, FRIT_STATUS_DEVICE_UNAVAILABLE,
                "'scale': its code for the host is for another processor than "
                "this machine's, which lacks feature 127");
}

TEST(EntryRefusalTest, CodeWithoutItsWeights) {
  void *state = nullptr;
  const FritWeight weight = {"w", nullptr,       nullptr, 0, 0,
                             0,   FRIT_TYPE_F32, 0,       0};
  const FritWeights weights = {sizeof(FritWeights), &weight, &state, 1, 0};
  FritEntry entry = kScaleEntry;
  entry.weights = &weights;
  expectRefused(entry, FRIT_STATUS_INVALID_ARGUMENT,
                "'scale': its code has not been given its 1 weights, of which "
                "'w' is the first: call fritWeightsLoad");
  // Entries of version 0.4 have no such field.
  TestContext context;
  ScaleValues values;
  entry.size = offsetof(FritEntry, weights);
  EXPECT_EQ(fritEntryCall(context, &entry, values.pointers.data(), 5),
            FRIT_STATUS_OK);
  EXPECT_EQ(values.countData[0], 1);
}

TEST(EntryRefusalTest, WeightsOfAnotherVersion) {
  FritWeights weights = {};
  EXPECT_EQ(fritWeightsLoad(&weights, "w.safetensors"),
            FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(
      fritThreadErrorMessage(),
      "the weights are described in 0 bytes, but this runtime knows 32");
}

TEST(EntryRefusalTest, EntriesOfTheVersionBeforeAreCalled) {
  TestContext context;
  ScaleValues values;
  FritEntry older = kScaleEntry;
  older.size = offsetof(FritEntry, processorFeatures);
  // Not part of it.
  older.processorFeatures[1] = ~uint64_t(0);
  older.numVariants = 1;
  EXPECT_EQ(fritEntryCall(context, &older, values.pointers.data(), 5),
            FRIT_STATUS_OK);
  EXPECT_EQ(values.countData[0], 1);
}

TEST(EntryRefusalTest, ComputedSizesAreChecked) {
  TestContext context;
  ScaleValues values;
  EXPECT_EQ(fritEntryCall(context, &kPaddedEntry, values.pointers.data(), 5),
            FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(fritContextErrorMessage(context),
               "'padded', result 0: dimension 0 has size 3, expected 4");
}

TEST(EntryRefusalTest, ComputedSizesAreNotNegative) {
  TestContext context;
  ScaleValues values;
  FritEntry entry = kPaddedEntry;
  entry.resultSizes = [](FritContext *, void **arguments) {
    auto *memref = static_cast<int64_t **>(arguments[4]);
    memref[1][0] = 3;
    memref[1][1] = -5;
    return static_cast<FritStatus>(FRIT_STATUS_OK);
  };
  int64_t sizes[2] = {};
  EXPECT_EQ(fritEntryResultSizes(context, &entry, values.pointers.data(), 4,
                                 sizes, 2),
            FRIT_STATUS_INVALID_ARGUMENT);
  EXPECT_STREQ(fritContextErrorMessage(context),
               "'padded', result 0: for these arguments dimension 1 has size "
               "-5, expected 0 or more");
}

TEST(EntryRefusalTest, AnErrorOfTheContextComesFirst) {
  TestContext context;
  ScaleValues values;
  values.x.rank = 5;
  fritReportError(context, FRIT_STATUS_ASSERTION_FAILED, "earlier");
  EXPECT_EQ(fritEntryCall(context, &kScaleEntry, values.pointers.data(), 5),
            FRIT_STATUS_ASSERTION_FAILED);
  EXPECT_STREQ(fritContextErrorMessage(context), "earlier");
}

TEST(EntryRefusalTest, CodeForADeviceNeedsOne) {
  TestContext context;
  ScaleValues values;
  EXPECT_EQ(fritEntryCall(context, &kDeviceEntry, values.pointers.data(), 5),
            FRIT_STATUS_DEVICE_UNAVAILABLE);
  EXPECT_STREQ(fritContextErrorMessage(context),
               "'scale': is compiled for cuda:sm_90a, but the context has no "
               "device");
}

} // namespace
