//===- SparseForms.cpp - How a row is dealt to threads --------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms in the order of their speed, by tokens and by length of the row.
//
//===----------------------------------------------------------------------===//

#include "SparseForms.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir::frit;

using Family = SparseForm::Family;

static constexpr SparseForm registers(int64_t vectors) {
  return {Family::Registers, vectors, 1};
}
static constexpr SparseForm parked(int64_t vectors) {
  return {Family::Parked, vectors, 1};
}
static constexpr SparseForm cluster(int64_t vectors, int64_t blocks) {
  return {Family::Cluster, vectors, blocks};
}

static constexpr SparseForm kShort[] = {registers(2), registers(1)};
static constexpr SparseForm kShortMany[] = {registers(4), registers(2),
                                            registers(1)};
static constexpr SparseForm kClusters[] = {
    cluster(1, 16), cluster(1, 9), cluster(1, 8), cluster(1, 6),
    cluster(1, 4),  cluster(1, 3), cluster(1, 2)};
static constexpr SparseForm kLongFew[] = {cluster(2, 16), cluster(1, 9),
                                          cluster(1, 6), cluster(1, 3)};
static constexpr SparseForm kLong64[] = {
    cluster(2, 8), cluster(2, 16), cluster(1, 3), cluster(1, 6), cluster(1, 9)};
static constexpr SparseForm kLonger64[] = {cluster(2, 16), cluster(1, 3),
                                           cluster(1, 6), cluster(1, 9)};
static constexpr SparseForm k512By256[] = {parked(4), registers(2),
                                           registers(1)};
static constexpr SparseForm k1024By256[] = {registers(1)};
static constexpr SparseForm k2048By256[] = {registers(2), parked(4)};
static constexpr SparseForm kParked[] = {parked(4), parked(6), parked(8)};
static constexpr SparseForm k512By1024[] = {registers(2), registers(4),
                                            registers(1)};
static constexpr SparseForm k1024By1024[] = {registers(4), parked(6),
                                             registers(2)};
static constexpr SparseForm kLongerBy1024[] = {parked(8), parked(6), parked(4)};
static constexpr SparseForm kMany[] = {parked(4), parked(6), parked(8),
                                       registers(2), registers(1)};

namespace {
/// For rows of at most 256, 512, 1024 and 2048 vectors, and longer ones.
struct TokenRange {
  int64_t maxTokens;
  llvm::ArrayRef<SparseForm> forms[5];
};
} // namespace

static const TokenRange kRanges[] = {
    {16, {kShort, kClusters, kClusters, kLongFew, kLongFew}},
    {64, {kShort, kClusters, kClusters, kLong64, kLonger64}},
    {256, {kShort, k512By256, k1024By256, k2048By256, kParked}},
    {1024, {kShortMany, k512By1024, k1024By1024, kParked, kLongerBy1024}},
    {std::numeric_limits<int64_t>::max(),
     {kShortMany, kMany, kMany, kMany, kMany}},
};

std::string SparseForm::getName() const {
  const char *names[] = {"registers", "parked", "cluster"};
  return names[static_cast<int>(family)] + std::to_string(vectors);
}

const SparseForm *mlir::frit::findSparseForm(int64_t maxTokens,
                                             int64_t rowVectors) {
  if (rowVectors == 0)
    return nullptr;
  const auto *range = llvm::find_if(kRanges, [&](const TokenRange &range) {
    return range.maxTokens == maxTokens;
  });
  size_t length = 0;
  while (length < 4 && rowVectors > (256 << length))
    ++length;
  const SparseForm *form =
      llvm::find_if(range->forms[length], [&](const SparseForm &form) {
        return form.suits(rowVectors);
      });
  return form == range->forms[length].end() ? nullptr : form;
}
