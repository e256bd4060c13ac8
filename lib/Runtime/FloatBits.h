//===- FloatBits.h
//-----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between binary floating-point formats on their bits, rounded once
// and independent of the floating-point environment.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_FLOATBITS_H
#define FRIT_LIB_RUNTIME_FLOATBITS_H

#include <cstdint>

namespace frit::runtime {

/// A binary interchange format: the integer type of its bits, and the widths of
/// exponent and stored significand.
template <typename BitsType, int ExponentWidth, int FractionWidth>
struct FloatFormat {
  using Bits = BitsType;
  static constexpr int kWidth = 1 + ExponentWidth + FractionWidth;
  static constexpr int kFractionWidth = FractionWidth;
  static constexpr int kMaxExponent = (1 << ExponentWidth) - 1;
  static constexpr int kBias = kMaxExponent / 2;
  static constexpr Bits kHiddenBit = Bits(1) << FractionWidth;
  static constexpr Bits kInfinity = Bits(kMaxExponent) << FractionWidth;
  static constexpr Bits kQuietBit = Bits(1) << (FractionWidth - 1);
  static_assert(kWidth == 8 * sizeof(Bits), "the format fills its bits");
};

using Half = FloatFormat<uint16_t, 5, 10>;
using BFloat16 = FloatFormat<uint16_t, 8, 7>;
using Single = FloatFormat<uint32_t, 8, 23>;
using Double = FloatFormat<uint64_t, 11, 52>;

/// Rounds to a format with fewer bits, to nearest with ties to even.
template <typename From, typename To>
constexpr typename To::Bits narrow(typename From::Bits bits) {
  using Bits = typename From::Bits;
  constexpr int kDropped = From::kFractionWidth - To::kFractionWidth;
  static_assert(kDropped > 1 && To::kMaxExponent <= From::kMaxExponent,
                "the target has fewer bits");
  typename To::Bits sign = static_cast<typename To::Bits>(
      (bits >> (From::kWidth - 1)) << (To::kWidth - 1));
  Bits magnitude = bits & ((Bits(1) << (From::kWidth - 1)) - 1);
  if (magnitude > From::kInfinity) {
    Bits fraction = magnitude & (From::kHiddenBit - 1);
    return sign | To::kInfinity | To::kQuietBit |
           static_cast<typename To::Bits>(fraction >> kDropped);
  }
  if (magnitude == From::kInfinity)
    return sign | To::kInfinity;

  int exponent = static_cast<int>(magnitude >> From::kFractionWidth);
  Bits significand = magnitude & (From::kHiddenBit - 1);
  if (exponent == 0)
    exponent = 1;
  else
    significand |= From::kHiddenBit;

  // Below the target's smallest exponent, more bits are dropped instead. All
  // are, with a remainder below one half, from two bits above the width on.
  int targetExponent = exponent - From::kBias + To::kBias;
  int dropped = kDropped;
  if (targetExponent < 1) {
    dropped += 1 - targetExponent;
    targetExponent = 1;
    if (dropped > From::kFractionWidth + 2)
      dropped = From::kFractionWidth + 2;
  }
  Bits quotient = significand >> dropped;
  Bits remainder = significand & ((Bits(1) << dropped) - 1);
  Bits half = Bits(1) << (dropped - 1);
  if (remainder > half || (remainder == half && (quotient & 1)))
    ++quotient;
  // The hidden bit, where there is one, and a carry add to the exponent.
  Bits result =
      (static_cast<Bits>(targetExponent - 1) << To::kFractionWidth) + quotient;
  if (result > To::kInfinity)
    result = To::kInfinity;
  return sign | static_cast<typename To::Bits>(result);
}

/// Converts to a format with more bits: exact. Signalling NaNs become quiet.
template <typename From, typename To>
constexpr typename To::Bits widen(typename From::Bits bits) {
  using Bits = typename To::Bits;
  constexpr int kAdded = To::kFractionWidth - From::kFractionWidth;
  static_assert(kAdded > 0 && To::kMaxExponent >= From::kMaxExponent,
                "the target has more bits");
  Bits sign = (Bits(bits) >> (From::kWidth - 1)) << (To::kWidth - 1);
  Bits magnitude = bits & ((Bits(1) << (From::kWidth - 1)) - 1);
  if (magnitude > From::kInfinity)
    return sign | To::kInfinity | To::kQuietBit |
           ((magnitude & (From::kHiddenBit - 1)) << kAdded);
  if (magnitude == From::kInfinity)
    return sign | To::kInfinity;

  int exponent = static_cast<int>(magnitude >> From::kFractionWidth);
  Bits fraction = magnitude & (From::kHiddenBit - 1);
  if (exponent == 0) {
    if (fraction == 0)
      return sign;
    exponent = 1;
    if constexpr (To::kBias > From::kBias) {
      // A subnormal of the source is a normal number of the target.
      while (!(fraction & From::kHiddenBit)) {
        fraction <<= 1;
        --exponent;
      }
      fraction &= From::kHiddenBit - 1;
    } else {
      exponent = 0;
    }
  }
  const int targetExponent = exponent - From::kBias + To::kBias;
  return sign | (Bits(targetExponent) << To::kFractionWidth) |
         (fraction << kAdded);
}

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_FLOATBITS_H
