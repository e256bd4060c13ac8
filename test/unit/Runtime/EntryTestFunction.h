//===- EntryTestFunction.h - A function to call with descriptors *- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function as compiled code has them, with every kind of value, and values
// that fit it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_ENTRYTESTFUNCTION_H
#define FRIT_TEST_UNIT_RUNTIME_ENTRYTESTFUNCTION_H

#include "frit-c/Entry.h"

#include <array>
#include <cstdint>

/// y[t, j] = s x[t, j] for x and y : [tokens, 4] f32, and count[i, j] += 1 for
/// count : [2, 3] i32 without gaps; w : [4] bf16 is not used.
extern const FritEntry kScaleEntry;

/// The same with a function for the sizes of y, which are [tokens + 1, 4]; only
/// the first `tokens` rows are written.
extern const FritEntry kPaddedEntry;

/// kScaleEntry on a device; it cannot be called.
extern const FritEntry kDeviceEntry;

/// Arguments and a result for 3 tokens, which a test may spoil.
struct ScaleValues {
  ScaleValues();
  ScaleValues(const ScaleValues &) = delete;

  float xData[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  uint16_t wData[8] = {};
  float sData = 2;
  int32_t countData[8] = {};
  float yData[20] = {};

  int64_t xSizes[2] = {3, 4};
  int64_t wSizes[1] = {4};
  int64_t countSizes[2] = {2, 3};
  int64_t ySizes[2] = {3, 4};
  /// Used once a tensor points to them.
  int64_t strides[2] = {4, 1};

  FritTensor x, w, s, count, y;
  std::array<const FritTensor *, 5> pointers = {&x, &w, &s, &count, &y};
};

#endif // FRIT_TEST_UNIT_RUNTIME_ENTRYTESTFUNCTION_H
