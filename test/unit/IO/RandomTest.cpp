//===- RandomTest.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator against known answers, and the distributions on top of it.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Random.h"

#include "IOTestUtils.h"

#include <algorithm>
#include <cmath>

using namespace mlir::frit;
using namespace mlir::frit::test;

// The known-answer vectors that the authors of Philox publish with Random123.
TEST(PhiloxTest, KnownAnswers) {
  using Block = std::array<uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// C++26 [rand.predef]: the 10000th number of a default philox4x32 (seed
// 20111115) is 1955073260.
TEST(PhiloxTest, AgreesWithTheStandard) {
  EXPECT_EQ(philox4x32({9999 / 4, 0, 0, 0}, {20111115, 0})[9999 % 4],
            1955073260u);
}

TEST(RandomTest, DependsOnSeedStreamAndIndexAlone) {
  for (ElementType type : allElementTypes) {
    HostTensor first = getValue(HostTensor::allocate({type, {4, 9}}));
    HostTensor longer = getValue(HostTensor::allocate({type, {101}}));
    HostTensor strided =
        getValue(HostTensor::allocateStrided({type, {4, 9}}, {16, 1}));
    for (HostTensor *tensor : {&first, &longer, &strided})
      ASSERT_EQ(getMessage(fillRandom(*tensor, {7, 3, std::nullopt})),
                "success");
    for (int64_t i = 0; i < 36; ++i) {
      EXPECT_EQ(first.getDouble(i), longer.getDouble(i));
      EXPECT_EQ(first.getDouble(i), strided.getDouble(i));
    }
    for (RandomOptions other :
         {RandomOptions{8, 3, std::nullopt}, RandomOptions{7, 4, std::nullopt},
          RandomOptions{7 + (1ULL << 32), 3, std::nullopt}}) {
      HostTensor changed = getValue(HostTensor::allocate({type, {4, 9}}));
      ASSERT_EQ(getMessage(fillRandom(changed, other)), "success");
      EXPECT_NE(changed.getContiguousBytes(), first.getContiguousBytes());
    }
  }
}

TEST(RandomTest, FloatsAreStandardNormal) {
  constexpr int64_t count = 100001;
  HostTensor tensor =
      getValue(HostTensor::allocate({ElementType::F64, {count}}));
  ASSERT_EQ(getMessage(fillRandom(tensor, {1, 0, std::nullopt})), "success");
  double sum = 0;
  double squares = 0;
  double fourth = 0;
  int64_t inside = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = tensor.getDouble(i);
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += value * value;
    fourth += value * value * value * value;
    inside += std::fabs(value) < 1;
  }
  EXPECT_NEAR(sum / count, 0, 0.015);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(fourth / count, 3, 0.2);
  EXPECT_NEAR(static_cast<double>(inside) / count, 0.6827, 0.01);

  // Narrower types hold the same values, rounded once.
  HostTensor narrow =
      getValue(HostTensor::allocate({ElementType::BF16, {count}}));
  ASSERT_EQ(getMessage(fillRandom(narrow, {1, 0, std::nullopt})), "success");
  for (int64_t i = 0; i < 1000; ++i)
    ASSERT_EQ(narrow.getDouble(i),
              BFloat16::fromDouble(tensor.getDouble(i)).toDouble());
}

TEST(RandomTest, IntegersAreUniform) {
  constexpr int64_t count = 60000;
  HostTensor tensor =
      getValue(HostTensor::allocate({ElementType::I32, {count}}));
  ASSERT_EQ(getMessage(fillRandom(tensor, {1, 0, std::pair(-1, 5)})),
            "success");
  int64_t counts[6] = {};
  for (int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<int64_t>(tensor.getDouble(i));
    ASSERT_TRUE(value >= -1 && value < 5);
    ++counts[value + 1];
  }
  for (int64_t found : counts)
    EXPECT_NEAR(found, count / 6.0, 400);
}

TEST(RandomTest, FloatsOfARangeAreUniform) {
  constexpr int64_t count = 60001;
  for (ElementType type : {ElementType::F64, ElementType::BF16}) {
    HostTensor tensor = getValue(HostTensor::allocate({type, {count}}));
    ASSERT_EQ(getMessage(fillRandom(tensor, {1, 0, std::pair(-1, 5)})),
              "success");
    int64_t counts[6] = {};
    for (int64_t i = 0; i < count; ++i) {
      const double value = tensor.getDouble(i);
      // BF16 rounds what is near 5 to it.
      ASSERT_TRUE(value >= -1 && value <= 5);
      ++counts[std::min<int64_t>(static_cast<int64_t>(value + 1), 5)];
    }
    for (int64_t found : counts)
      EXPECT_NEAR(found, count / 6.0, 400);
  }
}

TEST(RandomTest, RangesMustFitTheType) {
  HostTensor bytes = getValue(HostTensor::allocate({ElementType::U8, {4}}));
  EXPECT_EQ(getMessage(fillRandom(bytes, {0, 0, std::pair(0, 256)})),
            "success");
  EXPECT_EQ(getMessage(fillRandom(bytes, {0, 0, std::pair(0, 257)})),
            "random range [0, 257): leaves the type ui8");
  EXPECT_EQ(getMessage(fillRandom(bytes, {0, 0, std::pair(-1, 2)})),
            "random range [-1, 2): leaves the type ui8");
  EXPECT_EQ(getMessage(fillRandom(bytes, {0, 0, std::pair(3, 3)})),
            "random range [3, 3): expected the low end below the high end");
  HostTensor half = getValue(HostTensor::allocate({ElementType::F16, {4}}));
  EXPECT_EQ(getMessage(fillRandom(half, {0, 0, std::pair(-65504, 65504)})),
            "success");
  EXPECT_EQ(getMessage(fillRandom(half, {0, 0, std::pair(0, 70000)})),
            "random range [0, 70000): leaves the type f16");
  EXPECT_EQ(getMessage(fillRandom(half, {0, 0, std::pair(-70000, 0)})),
            "random range [-70000, 0): leaves the type f16");
  EXPECT_EQ(getMessage(fillRandom(half, {0, 0, std::pair(3, 1)})),
            "random range [3, 1): expected the low end below the high end");
  HostTensor wide = getValue(HostTensor::allocate({ElementType::I64, {64}}));
  EXPECT_EQ(
      getMessage(fillRandom(
          wide, {0, 0, std::pair(int64_t{INT64_MIN}, int64_t{INT64_MAX})})),
      "success");
}

TEST(RandomTest, ParsesSeeds) {
  EXPECT_EQ(getValue(parseSeed("0")), 0u);
  EXPECT_EQ(getValue(parseSeed("18446744073709551615")), UINT64_MAX);
  for (llvm::StringRef text : {"-1", "NaN", "nan", "", "1.5", "1e3", " 1", "+1",
                               "0x10", "18446744073709551616", "inf"})
    EXPECT_EQ(getMessage(parseSeed(text)),
              "seed: expected an integer in [0, 2^64), found '" + text.str() +
                  "'");
}
