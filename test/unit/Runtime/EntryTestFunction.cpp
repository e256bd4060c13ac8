//===- EntryTestFunction.cpp - A function to call with descriptors --------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by hand, in the layout of compiled code.
//
//===----------------------------------------------------------------------===//

#include "EntryTestFunction.h"

namespace {

template <typename T> struct Memref2D {
  T *allocated;
  T *aligned;
  int64_t offset;
  int64_t sizes[2];
  int64_t strides[2];
  T &at(int64_t i, int64_t j) {
    return aligned[offset + i * strides[0] + j * strides[1]];
  }
};

FritStatus scale(FritContext *, void **arguments) {
  auto &x = *static_cast<Memref2D<float> *>(arguments[0]);
  float s = *static_cast<float *>(arguments[2]);
  auto &count = *static_cast<Memref2D<int32_t> *>(arguments[3]);
  auto &y = *static_cast<Memref2D<float> *>(arguments[4]);
  for (int64_t t = 0; t < x.sizes[0]; ++t)
    for (int64_t j = 0; j < x.sizes[1]; ++j)
      y.at(t, j) = s * x.at(t, j);
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 3; ++j)
      count.at(i, j) += 1;
  return FRIT_STATUS_OK;
}

FritStatus computePaddedSizes(FritContext *, void **arguments) {
  auto &x = *static_cast<Memref2D<float> *>(arguments[0]);
  // A memref of one dimension: two pointers, offset, size, stride.
  auto *memref = static_cast<int64_t **>(arguments[4]);
  memref[1][0] = x.sizes[0] + 1;
  memref[1][1] = x.sizes[1];
  return FRIT_STATUS_OK;
}

constexpr int64_t kRows[] = {FRIT_ANY, 4};
constexpr int64_t kRowStrides[] = {FRIT_ANY, 1};
constexpr int32_t kRowDims[] = {0, FRIT_ANY};
constexpr int32_t kNoDims[] = {FRIT_ANY, FRIT_ANY};
constexpr int64_t kFour[] = {4};
constexpr int64_t kOne[] = {1};
constexpr int64_t kCountSizes[] = {2, 3};
constexpr int64_t kCountStrides[] = {3, 1};
constexpr const char *kDims[] = {"tokens"};

constexpr FritValue kValues[] = {
    {"x", kRows, kRowStrides, kRowDims, 2, FRIT_TYPE_F32, 0, 0},
    {"w", kFour, kOne, kNoDims, 1, FRIT_TYPE_BF16, 0, 0},
    {"", nullptr, nullptr, nullptr, 0, FRIT_TYPE_F32, FRIT_VALUE_SCALAR, 0},
    {"count", kCountSizes, kCountStrides, kNoDims, 2, FRIT_TYPE_I32,
     FRIT_VALUE_WRITTEN | FRIT_VALUE_CONTIGUOUS, 0},
    {"", kRows, kRowStrides, kRowDims, 2, FRIT_TYPE_F32, FRIT_VALUE_WRITTEN, 0},
};
constexpr FritValue kPaddedValues[] = {
    kValues[0],
    kValues[1],
    kValues[2],
    kValues[3],
    {"", kRows, kRowStrides, kNoDims, 2, FRIT_TYPE_F32, FRIT_VALUE_WRITTEN, 0},
};

} // namespace

const FritEntry kScaleEntry = {sizeof(FritEntry),
                               "scale",
                               "cpu",
                               scale,
                               nullptr,
                               kValues,
                               kDims,
                               4,
                               1,
                               1,
                               0,
                               {},
                               nullptr,
                               0,
                               0,
                               nullptr};
const FritEntry kPaddedEntry = {sizeof(FritEntry),
                                "padded",
                                "cpu",
                                scale,
                                computePaddedSizes,
                                kPaddedValues,
                                kDims,
                                4,
                                1,
                                1,
                                0,
                                {},
                                nullptr,
                                0,
                                0,
                                nullptr};
const FritEntry kDeviceEntry = {sizeof(FritEntry),
                                "scale",
                                "cuda:sm_90a",
                                scale,
                                nullptr,
                                kValues,
                                kDims,
                                4,
                                1,
                                1,
                                FRIT_ENTRY_ON_DEVICE,
                                {},
                                nullptr,
                                0,
                                90,
                                nullptr};

ScaleValues::ScaleValues()
    : x(fritHostTensor(xData, FRIT_TYPE_F32, xSizes, 2)),
      w(fritHostTensor(wData, FRIT_TYPE_BF16, wSizes, 1)),
      s(fritHostTensor(&sData, FRIT_TYPE_F32, nullptr, 0)),
      count(fritHostTensor(countData, FRIT_TYPE_I32, countSizes, 2)),
      y(fritHostTensor(yData, FRIT_TYPE_F32, ySizes, 2)) {}
