//===- Float16Test.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 16-bit formats against LLVM's software floats.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Float16.h"
#include "frit/IO/Random.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <array>
#include <cmath>
#include <limits>

using namespace mlir::frit;
using llvm::APFloat;

namespace {
template <typename Format> const llvm::fltSemantics &getSemantics() {
  return Format::mantissaBits == 10 ? APFloat::IEEEhalf() : APFloat::BFloat();
}

template <typename Format> double decodeReference(uint16_t bits) {
  APFloat value(getSemantics<Format>(), llvm::APInt(16, bits));
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

template <typename Format> uint16_t encodeReference(double number) {
  APFloat value(number);
  bool losesInfo = false;
  value.convert(getSemantics<Format>(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue());
}

template <typename Format> class Float16Test : public ::testing::Test {};
using Formats = ::testing::Types<Float16, BFloat16>;
TYPED_TEST_SUITE(Float16Test, Formats);
} // namespace

TYPED_TEST(Float16Test, DecodesEveryBitPattern) {
  for (unsigned bits = 0; bits <= UINT16_MAX; ++bits) {
    const double value = TypeParam::fromBits(bits).toDouble();
    const double reference = decodeReference<TypeParam>(bits);
    if (std::isnan(reference))
      ASSERT_TRUE(std::isnan(value)) << bits;
    else
      ASSERT_EQ(llvm::bit_cast<uint64_t>(value),
                llvm::bit_cast<uint64_t>(reference))
          << bits;
  }
}

TYPED_TEST(Float16Test, EncodesEveryValueToItself) {
  for (unsigned bits = 0; bits <= UINT16_MAX; ++bits) {
    const double value = TypeParam::fromBits(bits).toDouble();
    if (std::isnan(value))
      ASSERT_TRUE(std::isnan(TypeParam::fromDouble(value).toDouble())) << bits;
    else
      ASSERT_EQ(TypeParam::fromDouble(value).bits, bits);
  }
}

// Rounding is monotonic: it is right everywhere if it is right at, just below
// and just above every midpoint between neighbours.
TYPED_TEST(Float16Test, RoundsAtEveryMidpoint) {
  for (unsigned bits = 0; bits < UINT16_MAX; ++bits) {
    if ((bits & 0x7fff) == 0x7fff)
      continue;
    const double low = TypeParam::fromBits(bits).toDouble();
    const double high = TypeParam::fromBits(bits + 1).toDouble();
    if (!std::isfinite(low) || !std::isfinite(high))
      continue;
    const double middle = low + (high - low) / 2;
    for (double value : {std::nextafter(middle, -HUGE_VAL), middle,
                         std::nextafter(middle, HUGE_VAL)})
      ASSERT_EQ(TypeParam::fromDouble(value).bits,
                encodeReference<TypeParam>(value))
          << bits << " " << value;
  }
}

TYPED_TEST(Float16Test, RoundsAtTheEndsOfTheRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  const unsigned infinityBits = TypeParam::fromDouble(infinity).bits;
  const double largest = TypeParam::fromBits(infinityBits - 1).toDouble();
  const double step =
      largest - TypeParam::fromBits(infinityBits - 2).toDouble();
  const double least = TypeParam::fromBits(1).toDouble();
  for (double value :
       {largest + step / 2, std::nextafter(largest + step / 2, 0.0),
        largest + step, std::numeric_limits<double>::max(), infinity, least / 2,
        std::nextafter(least / 2, 1.0), std::nextafter(least / 2, 0.0),
        least / 4, std::numeric_limits<double>::min(),
        std::numeric_limits<double>::denorm_min(), 0.0})
    for (double signedValue : {value, -value})
      EXPECT_EQ(TypeParam::fromDouble(signedValue).bits,
                encodeReference<TypeParam>(signedValue))
          << signedValue;
}

TYPED_TEST(Float16Test, RoundsRandomDoublesOnce) {
  for (uint32_t i = 0; i < 200000; ++i) {
    const std::array<uint32_t, 4> words = philox4x32({i, 0, 0, 0}, {1, 0});
    const uint64_t bits = uint64_t{words[0]} << 32 | words[1];
    // Any bits, and exponents of the format's own range.
    const double any = llvm::bit_cast<double>(bits);
    const double near = std::ldexp(1 + (bits >> 11) * 0x1p-53,
                                   static_cast<int>(words[2] % 300) - 150);
    for (double value : {any, near, -near}) {
      if (std::isnan(value))
        continue;
      ASSERT_EQ(TypeParam::fromDouble(value).bits,
                encodeReference<TypeParam>(value))
          << value;
    }
  }
}

TYPED_TEST(Float16Test, KeepsNaNs) {
  // A signalling NaN whose payload lies in the dropped bits must not turn into
  // an infinity.
  const auto signalling = llvm::bit_cast<double>(uint64_t{0x7ff0000000000001});
  EXPECT_TRUE(std::isnan(TypeParam::fromDouble(signalling).toDouble()));
  EXPECT_TRUE(std::isnan(TypeParam::fromDouble(std::nan("")).toFloat()));
}
