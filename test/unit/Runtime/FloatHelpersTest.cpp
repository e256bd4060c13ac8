//===- FloatHelpersTest.cpp
//--------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversion helpers against the definition of the formats: a value is
// sign * fraction * 2^exponent, and rounding picks the nearest value, the even
// one of two.
//
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

// The library's functions, as LLVM calls them.
using Register16 = _Float16;
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
Register16 __truncsfbf2(float);
Register16 __truncdfbf2(double);
Register16 __truncsfhf2(float);
Register16 __truncdfhf2(double);
float __extendbfsf2(Register16);
float __extendhfsf2(Register16);
double __extendhfdf2(Register16);
float __gnu_h2f_ieee(uint16_t);
uint16_t __gnu_f2h_ieee(float);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

template <typename To, typename From> To bitCast(From value) {
  static_assert(sizeof(To) == sizeof(From), "the sizes agree");
  To result;
  memcpy(&result, &value, sizeof(result));
  return result;
}

uint16_t bits(Register16 value) { return bitCast<uint16_t>(value); }
Register16 fromBits(int value) {
  return bitCast<Register16>(static_cast<uint16_t>(value));
}

/// A 16-bit format by its widths.
struct Format {
  int exponentWidth, fractionWidth;

  int bias() const { return (1 << (exponentWidth - 1)) - 1; }
  int infinity() const { return ((1 << exponentWidth) - 1) << fractionWidth; }

  /// The value of a finite, positive pattern; of the pattern of infinity, the
  /// value that would follow the largest finite one.
  double value(int pattern) const {
    int exponent = pattern >> fractionWidth;
    int fraction = pattern & ((1 << fractionWidth) - 1);
    if (exponent == 0)
      return std::ldexp(fraction, 1 - bias() - fractionWidth);
    return std::ldexp(fraction + (1 << fractionWidth),
                      exponent - bias() - fractionWidth);
  }

  /// The pattern of a number that is not a NaN, rounded.
  int round(double number) const {
    int sign = std::signbit(number) ? 0x8000 : 0;
    double magnitude = std::fabs(number);
    if (magnitude >= value(infinity()))
      return sign | infinity();
    int low = 0, high = infinity();
    while (high - low > 1) {
      int middle = (low + high) / 2;
      (value(middle) <= magnitude ? low : high) = middle;
    }
    // Neighbours differ in one unit of the last place: both distances are exact
    // in a long double.
    long double below = static_cast<long double>(magnitude) - value(low);
    long double above = static_cast<long double>(value(high)) - magnitude;
    bool up = above < below || (above == below && (low & 1));
    return sign | (up ? high : low);
  }
};

constexpr Format kHalf{5, 10}, kBFloat16{8, 7};

/// Numbers around every value and every midpoint of a format, and random ones.
template <typename Float> std::vector<Float> getNumbers(const Format &format) {
  std::vector<Float> numbers;
  const Float infinity = std::numeric_limits<Float>::infinity();
  for (int pattern = 0; pattern <= format.infinity(); ++pattern) {
    double value = format.value(pattern);
    double next = format.value(std::min(pattern + 1, format.infinity()));
    for (double center : {value, value / 2 + next / 2}) {
      auto number = static_cast<Float>(center);
      numbers.push_back(number);
      numbers.push_back(std::nextafter(number, infinity));
      numbers.push_back(std::nextafter(number, -infinity));
    }
  }
  using Bits = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
  // The same numbers each time.
  std::mt19937_64 random(20240229); // NOLINT(bugprone-random-generator-seed)
  for (int i = 0; i < 1000000; ++i) {
    auto number = bitCast<Float>(static_cast<Bits>(random()));
    if (!std::isnan(number))
      numbers.push_back(number);
  }
  for (Float number : {infinity, std::numeric_limits<Float>::max(),
                       std::numeric_limits<Float>::denorm_min(),
                       std::numeric_limits<Float>::min()})
    numbers.push_back(number);
  size_t count = numbers.size();
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(-numbers[i]);
  return numbers;
}

template <typename Float, typename Function>
void expectRounds(const Format &format, Function function) {
  for (Float number : getNumbers<Float>(format))
    ASSERT_EQ(function(number), format.round(number))
        << std::hexfloat << number;
}

template <typename Function>
void expectExtends(const Format &format, Function function) {
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    int magnitude = pattern & 0x7FFF;
    auto result = function(pattern);
    ASSERT_EQ(std::signbit(result), pattern >= 0x8000);
    if (magnitude > format.infinity())
      ASSERT_TRUE(std::isnan(result)) << pattern;
    else if (magnitude == format.infinity())
      ASSERT_TRUE(std::isinf(result)) << pattern;
    else
      ASSERT_EQ(std::fabs(result), format.value(magnitude)) << pattern;
  }
}

/// NaNs stay NaNs, quiet, with sign and the payload's leading bits.
template <typename Bits, typename Float, typename Function>
void expectKeepsNaN(const Format &format, int fractionWidth,
                    Function function) {
  Bits infinity = bitCast<Bits>(std::numeric_limits<Float>::infinity());
  Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  for (int i = 0; i < fractionWidth; ++i) {
    for (Bits signBit : {Bits(0), sign}) {
      Bits pattern = signBit | infinity | (Bits(1) << i);
      int payload = static_cast<int>((Bits(1) << i) >>
                                     (fractionWidth - format.fractionWidth));
      int quiet = 1 << (format.fractionWidth - 1);
      EXPECT_EQ(function(bitCast<Float>(pattern)),
                (signBit ? 0x8000 : 0) | format.infinity() | quiet | payload);
    }
  }
}

} // namespace

TEST(FloatHelpersTest, SingleToBFloat16) {
  auto function = [](float number) { return bits(__truncsfbf2(number)); };
  expectRounds<float>(kBFloat16, function);
  expectKeepsNaN<uint32_t, float>(kBFloat16, 23, function);
}

TEST(FloatHelpersTest, DoubleToBFloat16) {
  auto function = [](double number) { return bits(__truncdfbf2(number)); };
  expectRounds<double>(kBFloat16, function);
  expectKeepsNaN<uint64_t, double>(kBFloat16, 52, function);
}

TEST(FloatHelpersTest, SingleToHalf) {
  auto function = [](float number) { return bits(__truncsfhf2(number)); };
  expectRounds<float>(kHalf, function);
  expectKeepsNaN<uint32_t, float>(kHalf, 23, function);
  expectRounds<float>(kHalf, __gnu_f2h_ieee);
  expectKeepsNaN<uint32_t, float>(kHalf, 23, __gnu_f2h_ieee);
}

TEST(FloatHelpersTest, DoubleToHalf) {
  auto function = [](double number) { return bits(__truncdfhf2(number)); };
  expectRounds<double>(kHalf, function);
  expectKeepsNaN<uint64_t, double>(kHalf, 52, function);
}

// Rounding to single first would lose the bit that decides.
TEST(FloatHelpersTest, DoublesRoundOnce) {
  double aboveTie = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  EXPECT_EQ(bits(__truncdfbf2(aboveTie)), 0x3F81);
  EXPECT_EQ(bits(__truncsfbf2(static_cast<float>(aboveTie))), 0x3F80);
  aboveTie = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  EXPECT_EQ(bits(__truncdfhf2(aboveTie)), 0x3C01);
  EXPECT_EQ(bits(__truncsfhf2(static_cast<float>(aboveTie))), 0x3C00);
}

TEST(FloatHelpersTest, Extensions) {
  expectExtends(kBFloat16,
                [](int pattern) { return __extendbfsf2(fromBits(pattern)); });
  expectExtends(kHalf,
                [](int pattern) { return __extendhfsf2(fromBits(pattern)); });
  expectExtends(kHalf,
                [](int pattern) { return __extendhfdf2(fromBits(pattern)); });
  expectExtends(kHalf, [](int pattern) {
    return __gnu_h2f_ieee(static_cast<uint16_t>(pattern));
  });
}
