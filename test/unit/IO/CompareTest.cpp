//===- CompareTest.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparison of tensors: tolerances, special values, zero mask, reports.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Compare.h"

#include "IOTestUtils.h"

#include <cmath>
#include <limits>

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
const double notANumber = std::nan("");

HostTensor makeTensor(ElementType type, llvm::ArrayRef<double> values) {
  HostTensor tensor = getValue(
      HostTensor::allocate({type, {static_cast<int64_t>(values.size())}}));
  for (auto [index, value] : llvm::enumerate(values))
    tensor.setDouble(static_cast<int64_t>(index), value);
  return tensor;
}

Comparison compare(ElementType type, llvm::ArrayRef<double> actual,
                   llvm::ArrayRef<double> expected,
                   CompareOptions options = {}) {
  return getValue(compareTensors(makeTensor(type, actual),
                                 makeTensor(type, expected), options));
}
} // namespace

TEST(CompareTest, DefaultsOfTorch) {
  EXPECT_EQ(Tolerance::getDefault(ElementType::F32).absolute, 1e-5);
  EXPECT_EQ(Tolerance::getDefault(ElementType::F32).relative, 1.3e-6);
  EXPECT_EQ(Tolerance::getDefault(ElementType::F16).relative, 1e-3);
  EXPECT_EQ(Tolerance::getDefault(ElementType::BF16).relative, 1.6e-2);
  EXPECT_EQ(Tolerance::getDefault(ElementType::F64).absolute, 1e-7);
  EXPECT_EQ(Tolerance::getDefault(ElementType::I32).absolute, 0);
}

TEST(CompareTest, EqualTensorsMatchWithoutTolerance) {
  for (ElementType type : allElementTypes) {
    HostTensor tensor = makePattern(type, {3, 5});
    Comparison result = getValue(compareTensors(tensor, tensor, {}));
    EXPECT_TRUE(result.matches());
    EXPECT_EQ(result.numElements, 15);
    EXPECT_EQ(result.numUnequal, 0);
    EXPECT_EQ(result.maxAbsoluteIndex, -1);
  }
}

TEST(CompareTest, ToleranceIsRelativeToTheExpectedValue) {
  CompareOptions options;
  options.tolerance = {0.5, 0.25};
  EXPECT_TRUE(compare(ElementType::F64, {5.5}, {4}, options).matches());
  EXPECT_FALSE(compare(ElementType::F64, {5.51}, {4}, options).matches());
  // The same pair the other way round has the larger bound.
  EXPECT_TRUE(compare(ElementType::F64, {4}, {5.8}, options).matches());
  options.tolerance = {notANumber, 0};
  EXPECT_FALSE(compare(ElementType::F64, {1}, {2}, options).matches());
}

TEST(CompareTest, FindsTheLargestErrors) {
  Comparison result =
      compare(ElementType::F32, {1, 103, 0.002, 5}, {1, 100, 0.001, 5});
  EXPECT_EQ(result.numMismatched, 2);
  EXPECT_EQ(result.firstMismatch, 1);
  EXPECT_EQ(result.maxAbsoluteError, 3);
  EXPECT_EQ(result.maxAbsoluteIndex, 1);
  EXPECT_NEAR(result.maxRelativeError, 1, 1e-6);
  EXPECT_EQ(result.maxRelativeIndex, 2);
}

TEST(CompareTest, SpecialValues) {
  CompareOptions loose;
  loose.tolerance = {infinity, infinity};
  EXPECT_TRUE(compare(ElementType::F16, {notANumber, infinity, -infinity},
                      {notANumber, infinity, -infinity})
                  .matches());
  // No tolerance makes these equal.
  Comparison result =
      compare(ElementType::F16, {notANumber, 1, infinity, 65504},
              {1, notANumber, -infinity, infinity}, loose);
  EXPECT_EQ(result.numMismatched, 4);
  EXPECT_EQ(result.numNanMismatched, 2);
  EXPECT_EQ(result.maxAbsoluteError, 0);
}

TEST(CompareTest, ZeroMaskIsByValue) {
  CompareOptions options;
  options.tolerance = {1, 0};
  options.exactZeroMask = true;
  EXPECT_TRUE(
      compare(ElementType::BF16, {-0.0, 1}, {0.0, 1}, options).matches());
  Comparison result = compare(ElementType::BF16, {0, 0, 0x1p-133, 3},
                              {0, 0x1p-133, 0, 3}, options);
  EXPECT_FALSE(result.matches());
  EXPECT_EQ(result.numMismatched, 0);
  EXPECT_EQ(result.numZeroMismatched, 2);
  EXPECT_EQ(result.firstZeroMismatch, 1);
  EXPECT_EQ(result.numZerosActual, 2);
  EXPECT_EQ(result.numZerosExpected, 2);
  options.exactZeroMask = false;
  EXPECT_TRUE(compare(ElementType::BF16, {0}, {0x1p-133}, options).matches());
}

TEST(CompareTest, UlpsCountNeighbours) {
  EXPECT_EQ(compare(ElementType::BF16, {1.0078125}, {1}).maxUlps, 1u);
  EXPECT_EQ(compare(ElementType::F16, {0x1p-24}, {-0x1p-24}).maxUlps, 2u);
  EXPECT_EQ(compare(ElementType::F32, {-0.0}, {0.0}).maxUlps, 0u);
  EXPECT_EQ(compare(ElementType::F64, {std::nextafter(1.0, 2.0), 0},
                    {std::nextafter(1.0, 0.0), 0})
                .maxUlps,
            2u);
  // From the least to the largest double: more than 2^63 steps.
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(compare(ElementType::F64, {largest}, {-largest}).maxUlps,
            2 * 0x7fefffffffffffffULL);
}

TEST(CompareTest, IntegersDoNotPassThroughDoubles) {
  HostTensor actual = getValue(HostTensor::allocate({ElementType::I64, {2}}));
  HostTensor expected = getValue(HostTensor::allocate({ElementType::I64, {2}}));
  actual.getDataAs<int64_t>()[0] = (int64_t{1} << 53) + 1;
  expected.getDataAs<int64_t>()[0] = int64_t{1} << 53;
  actual.getDataAs<int64_t>()[1] = INT64_MAX;
  expected.getDataAs<int64_t>()[1] = INT64_MIN;
  Comparison result = getValue(compareTensors(actual, expected, {}));
  EXPECT_EQ(result.numMismatched, 2);
  EXPECT_EQ(result.maxAbsoluteError, 0x1p64);
}

TEST(CompareTest, StridesDoNotMatter) {
  HostTensor actual = getValue(
      HostTensor::allocateStrided({ElementType::F32, {2, 3}}, {10, 1}));
  for (int64_t i = 0; i < 6; ++i)
    actual.setDouble(i, getPattern(ElementType::F32, i));
  actual.getDataAs<float>()[5] = 99;
  EXPECT_TRUE(getValue(compareTensors(
                           actual, makePattern(ElementType::F32, {2, 3}), {}))
                  .matches());
}

TEST(CompareTest, RefusesOtherShapesAndTypes) {
  EXPECT_EQ(
      getMessage(compareTensors(makePattern(ElementType::F32, {2, 3}),
                                makePattern(ElementType::F16, {3, 2}), {})),
      "cannot compare: the result is 2x3xf32, expected 3x2xf16");
}

TEST(CompareTest, Reports) {
  CompareOptions options;
  options.tolerance = {1e-5, 0};
  options.exactZeroMask = true;
  HostTensor actual = makePattern(ElementType::F32, {2, 3});
  HostTensor expected = makePattern(ElementType::F32, {2, 3});
  std::string text;
  llvm::raw_string_ostream stream(text);
  printComparison(stream, "result 0",
                  getValue(compareTensors(actual, expected, options)), actual,
                  expected);
  EXPECT_EQ(text, "result 0: 2x3xf32: match, max abs error 0, max rel error 0, "
                  "max 0 ulp, 0 of 6 unequal, 0 zero mask differences (atol "
                  "1e-05, rtol 0, exact zero mask)\n");

  text.clear();
  actual.setDouble(2, 0.25);
  actual.setDouble(4, notANumber);
  Comparison result = getValue(compareTensors(actual, expected, options));
  printComparison(stream, "result 0", result, actual, expected);
  EXPECT_EQ(
      text,
      "result 0: 2x3xf32: MISMATCH, max abs error 0.25, max rel error 0, "
      "max 1048576000 ulp, 2 of 6 unequal, 1 zero mask differences (atol "
      "1e-05, rtol 0, exact zero mask)\n"
      "  2 beyond the tolerance (1 NaN on one side); the first at [0, 2]: "
      "0.25, expected 0\n"
      "  largest absolute error at [0, 2]: 0.25, expected 0\n"
      "  zero mask: 0 zeros, expected 1; the first difference at [0, 2]: "
      "0.25, expected 0\n");
}

TEST(CompareTest, ReportsAsJson) {
  llvm::json::Object object = toJson(compare(ElementType::F32, {1, 3}, {1, 2}));
  EXPECT_EQ(object.getBoolean("matches"), false);
  EXPECT_EQ(object.getInteger("mismatched"), 1);
  EXPECT_EQ(object.getNumber("max_abs_error"), 1.0);
  EXPECT_EQ(object.getInteger("max_abs_index"), 1);
  EXPECT_EQ(object.getString("type"), "2xf32");
  CompareOptions options;
  options.tolerance.absolute = infinity;
  EXPECT_EQ(
      toJson(compare(ElementType::F32, {1}, {1}, options)).getString("atol"),
      "inf");
}
