//===- FloatHelpers.cpp
//------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversion helpers that code generators call by name. They are weak, so
// that a program with a compiler's own helpers keeps those.
//
// f16 and bf16 values travel in the register that a _Float16 travels in, which
// is how LLVM calls these functions on the targets that have such a type; bf16
// borrows it, since not every compiler has a bf16 type.
//
//===----------------------------------------------------------------------===//

#include "FloatBits.h"

#include "frit-c/Runtime.h"

#include <cstring>

using namespace frit::runtime;

namespace {

using Register16 = _Float16;

template <typename To, typename From> To bitCast(From value) {
  static_assert(sizeof(To) == sizeof(From), "the sizes agree");
  To result;
  memcpy(&result, &value, sizeof(result));
  return result;
}

template <typename To> Register16 narrowSingle(float value) {
  return bitCast<Register16>(narrow<Single, To>(bitCast<uint32_t>(value)));
}

template <typename To> Register16 narrowDouble(double value) {
  return bitCast<Register16>(narrow<Double, To>(bitCast<uint64_t>(value)));
}

} // namespace

#define FRIT_FLOAT_HELPER FRIT_RUNTIME_EXPORT __attribute__((weak))

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the
// names are fixed by the code generators.
extern "C" {

FRIT_FLOAT_HELPER Register16 __truncsfbf2(float value) {
  return narrowSingle<BFloat16>(value);
}

FRIT_FLOAT_HELPER Register16 __truncdfbf2(double value) {
  return narrowDouble<BFloat16>(value);
}

FRIT_FLOAT_HELPER Register16 __truncsfhf2(float value) {
  return narrowSingle<Half>(value);
}

FRIT_FLOAT_HELPER Register16 __truncdfhf2(double value) {
  return narrowDouble<Half>(value);
}

FRIT_FLOAT_HELPER float __extendbfsf2(Register16 value) {
  return bitCast<float>(widen<BFloat16, Single>(bitCast<uint16_t>(value)));
}

FRIT_FLOAT_HELPER float __extendhfsf2(Register16 value) {
  return bitCast<float>(widen<Half, Single>(bitCast<uint16_t>(value)));
}

FRIT_FLOAT_HELPER double __extendhfdf2(Register16 value) {
  return bitCast<double>(widen<Half, Double>(bitCast<uint16_t>(value)));
}

FRIT_FLOAT_HELPER float __gnu_h2f_ieee(uint16_t bits) {
  return bitCast<float>(widen<Half, Single>(bits));
}

FRIT_FLOAT_HELPER uint16_t __gnu_f2h_ieee(float value) {
  return narrow<Single, Half>(bitCast<uint32_t>(value));
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
