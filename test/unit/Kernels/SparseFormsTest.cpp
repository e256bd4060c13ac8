//===- SparseFormsTest.cpp - How a row is dealt to threads ----------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms at the shapes that were measured, and that every form deals the
// rows that it is found for.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Kernels/Cuda/SparseForms.h"

#include "gtest/gtest.h"

#include <limits>
#include <string>

using namespace mlir::frit;

static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
static constexpr int64_t kTokens[] = {4, 16, 32, 64, 128, 256, kNoLimit};

/// "cluster1 x 8, 64 threads", and "none" where no form deals the row evenly.
static std::string describe(int64_t maxTokens, int64_t rowVectors) {
  const SparseForm *form = findSparseForm(maxTokens, rowVectors);
  if (!form)
    return "none";
  return form->getName() + " x " + std::to_string(form->blocks) + ", " +
         std::to_string(form->getThreads(rowVectors)) + " threads";
}

TEST(SparseFormsTest, FewRowsAreSharedByClusters) {
  EXPECT_EQ(describe(16, 256), "registers2 x 1, 128 threads");
  EXPECT_EQ(describe(16, 512), "cluster1 x 8, 64 threads");
  EXPECT_EQ(describe(16, 1024), "cluster1 x 8, 128 threads");
  EXPECT_EQ(describe(16, 1728), "cluster1 x 9, 192 threads");
  EXPECT_EQ(describe(16, 2048), "cluster2 x 8, 128 threads");
  EXPECT_EQ(describe(4, 4096), "cluster2 x 16, 128 threads");
  EXPECT_EQ(describe(16, 4096), "parked_cluster4 x 8, 128 threads");
  EXPECT_EQ(describe(16, 8192), "parked_cluster4 x 16, 128 threads");
  EXPECT_EQ(describe(32, 1728), "cluster1 x 3, 576 threads");
  EXPECT_EQ(describe(32, 4096), "parked_cluster4 x 8, 128 threads");
  EXPECT_EQ(describe(64, 512), "registers2 x 1, 256 threads");
  EXPECT_EQ(describe(64, 1024), "cluster1 x 2, 512 threads");
  EXPECT_EQ(describe(64, 1728), "cluster1 x 2, 864 threads");
  EXPECT_EQ(describe(64, 4096), "parked_cluster4 x 2, 512 threads");
}

TEST(SparseFormsTest, ManyRowsHaveABlockEach) {
  EXPECT_EQ(describe(128, 512), "registers2 x 1, 256 threads");
  EXPECT_EQ(describe(128, 1728), "registers3 x 1, 576 threads");
  EXPECT_EQ(describe(256, 256), "registers2 x 1, 128 threads");
  EXPECT_EQ(describe(256, 512), "registers4 x 1, 128 threads");
  EXPECT_EQ(describe(kNoLimit, 256), "registers4 x 1, 64 threads");
  EXPECT_EQ(describe(kNoLimit, 1728), "registers3 x 1, 576 threads");
  EXPECT_EQ(describe(kNoLimit, 3072), "parked6 x 1, 512 threads");
  EXPECT_EQ(describe(kNoLimit, 4096), "registers4 x 1, 1024 threads");
  EXPECT_EQ(describe(kNoLimit, 8192), "parked8 x 1, 1024 threads");
}

TEST(SparseFormsTest, UpIsReadWhereNeededInLongRows) {
  EXPECT_EQ(findNeededForm(0), nullptr);
  EXPECT_EQ(findNeededForm(1024), nullptr);
  EXPECT_EQ(findNeededForm(2048 + 32), nullptr);
  EXPECT_EQ(findNeededForm(16384), nullptr);
  for (int64_t vectors : {2048, 4096, 8192}) {
    const SparseForm *form = findNeededForm(vectors);
    ASSERT_NE(form, nullptr) << vectors;
    EXPECT_EQ(form->getName(), "needed8");
    EXPECT_EQ(form->getThreads(vectors), vectors / 8);
    EXPECT_TRUE(form->isParked());
  }
}

TEST(SparseFormsTest, RowsThatWarpsCannotShareHaveNone) {
  for (int64_t tokens : kTokens) {
    EXPECT_EQ(describe(tokens, 0), "none");
    EXPECT_EQ(describe(tokens, 33), "none");
    EXPECT_EQ(describe(tokens, 37 * 64), "none");
  }
}

TEST(SparseFormsTest, FormsDealTheirRowsEvenly) {
  for (int64_t tokens : kTokens)
    for (int64_t vectors = 32; vectors <= 16384; vectors += 32) {
      const SparseForm *form = findSparseForm(tokens, vectors);
      if (!form)
        continue;
      int64_t threads = form->getThreads(vectors);
      EXPECT_EQ(threads * form->vectors * form->blocks, vectors);
      EXPECT_EQ(threads % 32, 0) << vectors;
      EXPECT_LE(threads, 1024) << vectors;
      EXPECT_LE(form->blocks, 16) << vectors;
    }
}
