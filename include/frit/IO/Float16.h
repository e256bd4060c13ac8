//===- Float16.h ------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two 16-bit floating-point formats as storage types with exact
// conversions. Written with integers only, so that the result depends neither
// on the compiler's helpers nor on the host's conversion instructions (some of
// which flush subnormals).
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_IO_FLOAT16_H
#define FRIT_IO_FLOAT16_H

#include <cstdint>

namespace mlir::frit {

namespace detail {
/// Rounds `value` once, to nearest even, to the format of 1 sign bit,
/// `15 - mantissaBits` exponent bits and `mantissaBits` mantissa bits.
/// Overflow gives infinity; a NaN stays one (quieted, upper payload kept).
uint16_t encodeFloat16Bits(double value, unsigned mantissaBits);

/// The value of such bits; exact.
double decodeFloat16Bits(uint16_t bits, unsigned mantissaBits);

/// Storage of one 16-bit float; `MantissaBits` tells the formats apart.
template <unsigned MantissaBits> struct Float16Storage {
  static constexpr unsigned mantissaBits = MantissaBits;

  uint16_t bits = 0;

  static Float16Storage fromBits(uint16_t bits) {
    Float16Storage result;
    result.bits = bits;
    return result;
  }
  /// One rounding, from a float as well (a float is exact as a double).
  static Float16Storage fromDouble(double value) {
    return fromBits(encodeFloat16Bits(value, MantissaBits));
  }
  double toDouble() const { return decodeFloat16Bits(bits, MantissaBits); }
  float toFloat() const { return static_cast<float>(toDouble()); }
};
} // namespace detail

/// IEEE binary16.
using Float16 = detail::Float16Storage<10>;
/// The upper half of IEEE binary32.
using BFloat16 = detail::Float16Storage<7>;

} // namespace mlir::frit

#endif // FRIT_IO_FLOAT16_H
