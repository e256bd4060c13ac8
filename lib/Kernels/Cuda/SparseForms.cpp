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

static constexpr SparseForm parkedCluster(int64_t vectors, int64_t blocks) {
  return {Family::ParkedCluster, vectors, blocks};
}

// Up to 32 rows: about 128 threads a block, and as many blocks as that makes.
static constexpr SparseForm kShort[] = {registers(2), registers(1)};
static constexpr SparseForm kFew[] = {
    cluster(1, 8), cluster(1, 9), cluster(1, 6), cluster(1, 4),
    cluster(1, 3), cluster(1, 2), registers(1)};
static constexpr SparseForm k2048By16[] = {
    cluster(2, 8), cluster(1, 9), cluster(1, 8), cluster(1, 6),
    cluster(1, 4), cluster(1, 3), cluster(1, 2)};
static constexpr SparseForm k4096By4[] = {cluster(2, 16), cluster(2, 9),
                                          cluster(2, 8),  cluster(2, 6),
                                          cluster(2, 4),  cluster(2, 3)};
static constexpr SparseForm k4096By16[] = {parkedCluster(4, 8), cluster(2, 9),
                                           cluster(2, 8),       cluster(2, 6),
                                           cluster(2, 4),       cluster(2, 3)};
static constexpr SparseForm kLongerBy16[] = {
    parkedCluster(4, 16), parkedCluster(4, 9), parkedCluster(4, 8),
    parkedCluster(4, 6),  parkedCluster(4, 4), parkedCluster(4, 3)};
static constexpr SparseForm k2048By32[] = {
    cluster(2, 8), cluster(1, 3), cluster(1, 9), cluster(1, 8),
    cluster(1, 6), cluster(1, 4), cluster(1, 2)};
static constexpr SparseForm kLongerBy32[] = {
    parkedCluster(4, 8), cluster(2, 3),       cluster(2, 9),
    parkedCluster(4, 6), parkedCluster(4, 4), cluster(2, 2)};

// A pair of multiprocessors a row.
static constexpr SparseForm k1024By64[] = {cluster(1, 2), cluster(1, 3),
                                           registers(2), registers(1)};
static constexpr SparseForm kLongerBy64[] = {
    parkedCluster(4, 2), cluster(1, 2),       cluster(1, 3),
    cluster(2, 2),       cluster(2, 3),       parkedCluster(4, 3),
    parkedCluster(4, 4), parkedCluster(4, 8), parked(8)};

// A block a row, of as many vectors a thread as leave two rows or more on a
// multiprocessor.
static constexpr SparseForm kShortMany[] = {registers(4), registers(2),
                                            registers(1)};
static constexpr SparseForm k1024[] = {registers(4), registers(3), registers(2),
                                       registers(1)};
static constexpr SparseForm k2048[] = {registers(3), registers(4), parked(6),
                                       registers(2), parked(8)};
static constexpr SparseForm kLonger[] = {parked(6), registers(4), registers(3),
                                         parked(8), parkedCluster(4, 4)};

static constexpr SparseForm kNeeded = {Family::Needed, 8, 1};
static constexpr int64_t kMinNeededVectors = 2048;

namespace {
/// For rows of at most 256, 512, 1024, 2048 and 4096 vectors, and longer ones.
struct TokenRange {
  int64_t maxTokens;
  llvm::ArrayRef<SparseForm> forms[6];
};
} // namespace

static const TokenRange kRanges[] = {
    {4, {kShort, kFew, kFew, k2048By16, k4096By4, kLongerBy16}},
    {16, {kShort, kFew, kFew, k2048By16, k4096By16, kLongerBy16}},
    {32, {kShort, kFew, kFew, k2048By32, kLongerBy32, kLongerBy32}},
    {64, {kShort, kShort, k1024By64, kLongerBy64, kLongerBy64, kLongerBy64}},
    {128, {kShort, kShort, k1024, k2048, kLonger, kLonger}},
    {256, {kShort, kShortMany, k1024, k2048, kLonger, kLonger}},
    {std::numeric_limits<int64_t>::max(),
     {kShortMany, kShortMany, k1024, k2048, kLonger, kLonger}},
};

std::string SparseForm::getName() const {
  const char *names[] = {"registers", "parked", "cluster", "parked_cluster",
                         "needed"};
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
  while (length < 5 && rowVectors > (256 << length))
    ++length;
  const SparseForm *form =
      llvm::find_if(range->forms[length], [&](const SparseForm &form) {
        return form.suits(rowVectors);
      });
  return form == range->forms[length].end() ? nullptr : form;
}

const SparseForm *mlir::frit::findNeededForm(int64_t rowVectors) {
  return rowVectors >= kMinNeededVectors && kNeeded.suits(rowVectors) ? &kNeeded
                                                                      : nullptr;
}
