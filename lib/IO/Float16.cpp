//===- Float16.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between double and the 16-bit floating-point formats.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Float16.h"

#include "llvm/ADT/bit.h"

using namespace mlir::frit;

namespace {
constexpr unsigned doubleMantissaBits = 52;
constexpr int doubleBias = 1023;
constexpr unsigned doubleExponentMask = 0x7ff;

int getBias(unsigned mantissaBits) { return (1 << (14 - mantissaBits)) - 1; }
} // namespace

uint16_t mlir::frit::detail::encodeFloat16Bits(double value,
                                               unsigned mantissaBits) {
  const auto bits = llvm::bit_cast<uint64_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 63) << 15);
  const unsigned biased = (bits >> doubleMantissaBits) & doubleExponentMask;
  const uint64_t fraction = bits & ((uint64_t{1} << doubleMantissaBits) - 1);
  const unsigned dropped = doubleMantissaBits - mantissaBits;
  const auto infinity =
      static_cast<uint16_t>(0x7fff & ~((1u << mantissaBits) - 1));

  if (biased == doubleExponentMask) {
    if (fraction == 0)
      return sign | infinity;
    const auto quiet = static_cast<uint16_t>(1u << (mantissaBits - 1));
    return sign | infinity | quiet | static_cast<uint16_t>(fraction >> dropped);
  }
  // Zero, and subnormal doubles: far below half of the least subnormal.
  if (biased == 0)
    return sign;

  // The target's biased exponent; below 1 the result is subnormal, and more
  // bits of the significand are dropped instead.
  const int exponent =
      static_cast<int>(biased) - doubleBias + getBias(mantissaBits);
  const uint64_t significand = fraction | (uint64_t{1} << doubleMantissaBits);
  const unsigned shift =
      dropped + (exponent < 1 ? static_cast<unsigned>(1 - exponent) : 0);
  if (shift > doubleMantissaBits + 1)
    return sign;

  uint64_t rounded = significand >> shift;
  const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
  const uint64_t half = uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && (rounded & 1)))
    ++rounded;

  // The implicit bit of `rounded` adds one to the exponent field, and a carry
  // out of the mantissa does the same: subnormals and normals share the sum.
  const int64_t field = static_cast<int64_t>(exponent < 1 ? 0 : exponent - 1);
  const uint64_t magnitude =
      (static_cast<uint64_t>(field) << mantissaBits) + rounded;
  if (magnitude >= infinity)
    return sign | infinity;
  return sign | static_cast<uint16_t>(magnitude);
}

double mlir::frit::detail::decodeFloat16Bits(uint16_t bits,
                                             unsigned mantissaBits) {
  const uint64_t sign = static_cast<uint64_t>(bits >> 15) << 63;
  const unsigned exponentMask = 0x7fffu >> mantissaBits;
  const unsigned biased = (bits & 0x7fffu) >> mantissaBits;
  uint64_t fraction = bits & ((1u << mantissaBits) - 1);
  const unsigned widen = doubleMantissaBits - mantissaBits;

  if (biased == exponentMask)
    return llvm::bit_cast<double>(
        sign | (uint64_t{doubleExponentMask} << doubleMantissaBits) |
        (fraction << widen));

  int exponent = static_cast<int>(biased);
  if (biased == 0) {
    if (fraction == 0)
      return llvm::bit_cast<double>(sign);
    // Every subnormal is a normal double: move its leading bit to the
    // implicit place.
    exponent = 1;
    while (!(fraction >> mantissaBits)) {
      fraction <<= 1;
      --exponent;
    }
    fraction &= (uint64_t{1} << mantissaBits) - 1;
  }
  const int rebiased = exponent - getBias(mantissaBits) + doubleBias;
  const auto field = static_cast<uint64_t>(rebiased);
  return llvm::bit_cast<double>(sign | (field << doubleMantissaBits) |
                                (fraction << widen));
}
