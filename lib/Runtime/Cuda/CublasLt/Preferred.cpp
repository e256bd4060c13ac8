//===- Preferred.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of preferred algorithms: what won in the layers of
// docs/kernels/Layer.md, which `benchmarks/cuda/layer_lab.py` measures anew.
//
//===----------------------------------------------------------------------===//

#include "Preferred.h"

#include <limits>

using namespace frit::runtime::cuda::cublaslt;

namespace {

struct Range {
  int64_t least, most;

  bool contains(int64_t value) const { return value >= least && value <= most; }
};

/// Sizes of which a few were measured, and what the others are taken for.
struct MeasuredSizes {
  int32_t smVersion;
  Range m, n, k;
  AlgorithmForm form;
};

constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
constexpr Range kShort = {1024, 4096};
constexpr Range kLong = {8192, 12287}, kLonger = {12288, 32768};

// cublasLtMatmulTile_t and cublasLtClusterShape_t.
constexpr uint32_t k128x8 = 393, k128x16 = 394, k128x32 = 16, k128x64 = 18;
constexpr uint32_t k128x128 = 20, k128x256 = 23, k256x64 = 21;
constexpr uint32_t k168x128 = 197, k80x64 = 134;
constexpr uint16_t k2x1 = 3, k1x2 = 5, k2x4 = 9;

// Custom options.
constexpr uint32_t kVTnn = 0, kVTnt = 1, kHTnn = 2, kHTnt = 3, kHTntPairs = 7;

constexpr MeasuredSizes kMeasured[] = {
    // Many columns, as of gate and up: 32768 and 16384 x 2048.
    {90, {1, 8}, {24576, kAny}, kShort, {k128x8, 1, k2x1, kVTnt}},
    {90, {9, 16}, {24576, kAny}, kShort, {k128x16, 1, k2x1, kVTnt}},
    {90, {17, 32}, {24576, kAny}, kShort, {k128x32, 1, k2x1, kVTnt}},
    {90, {33, 64}, {24576, kAny}, kShort, {k128x64, 1, k2x1, kVTnt}},
    {90, {129, 256}, {12288, 24575}, kShort, {k128x256, 1, k2x1, kHTntPairs}},
    {90, {768, 4096}, {12288, kAny}, kShort, {k168x128, 1, k1x2, kHTnn}},
    // Few columns of many products, as of down: 2048 x 8192 and 16384.
    {90, {129, 256}, kShort, kLong, {k80x64, 1, k2x4, kVTnn}},
    {90, {129, 256}, kShort, kLonger, {k128x128, 4, k2x1, kVTnt}},
    {90, {1536, 4096}, kShort, kLong, {k256x64, 1, k1x2, kHTnt}},
    {90, {1536, 4096}, kShort, kLonger, {k128x256, 1, k1x2, kHTntPairs}},
};

} // namespace

/// Whether kernels with tensor maps take the operands.
static bool isAligned(const PlanKey &key) {
  constexpr int64_t kElementBytes = 2;
  for (int i = 0; i < 3; ++i)
    if (key.alignments[i] < kTensorMapAlignment ||
        key.rowStrides[i] * kElementBytes % kTensorMapAlignment != 0)
      return false;
  return true;
}

const AlgorithmForm *
frit::runtime::cuda::cublaslt::getPreferred(const PlanKey &key,
                                            int32_t smVersion) {
  if (key.elementType == FRIT_TYPE_F32 || key.outType != key.elementType ||
      key.batch != 1 || key.hasBias ||
      (key.flags & ~FRIT_MATMUL_ACCUMULATE) != FRIT_MATMUL_TRANSPOSE_B ||
      !isAligned(key))
    return nullptr;
  for (const MeasuredSizes &sizes : kMeasured)
    if (sizes.smVersion == smVersion && sizes.m.contains(key.m) &&
        sizes.n.contains(key.n) && sizes.k.contains(key.k))
      return key.accumulatesIn16Bits() && sizes.form.splits == 1 ? nullptr
                                                                 : &sizes.form;
  return nullptr;
}
