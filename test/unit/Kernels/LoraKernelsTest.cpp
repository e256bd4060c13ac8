//===- LoraKernelsTest.cpp - Launch plans of the fused LoRA kernels -------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grids that entries plan, against a walk over batches as the kernels see
// them: no tile may be without a cluster. Needs no kernel's code.
//
//===----------------------------------------------------------------------===//

#include "KernelTestContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

void addCudaKernels(DialectRegistry &registry) {
  registerCudaKernels(registry);
}

class LoraKernelsTest : public ::testing::Test {
protected:
  LoraKernelsTest() {
    DialectRegistry registry;
    addCudaKernels(registry);
    context.get()->appendDialectRegistry(registry);
  }

  const KernelEntry *lookup(StringRef op, StringRef id) {
    return context.getTable().lookup(op, id);
  }

  /// The smallest of a plan's expressions, all sizes being known.
  static int64_t evaluate(const KernelPlanValue &value,
                          const KernelShape &shape) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (AffineExpr expr : value.expressions)
      least = std::min(
          least,
          cast<AffineConstantExpr>(shape.substituteStatic(expr)).getValue());
    return least;
  }

  KernelLaunchPlan plan(const KernelEntry &entry, const KernelShape &shape,
                        int64_t window, int64_t parts = 1) {
    Builder builder(context.get());
    DictionaryAttr params = builder.getDictionaryAttr(
        {builder.getNamedAttr("window", builder.getI64IntegerAttr(window)),
         builder.getNamedAttr("parts", builder.getI64IntegerAttr(parts)),
         builder.getNamedAttr("sharedBytes", builder.getI64IntegerAttr(1))});
    KernelPlanSizes sizes(shape, /*elementBytes=*/2, params, context.get());
    return entry.launchPlan(sizes);
  }

  KernelTestContext context;
};

/// Tiles that a window of tokens may need: mostTiles in kernels/Lora/Tile.cuh.
int64_t mostTiles(int64_t tokens, int64_t groups, int64_t tile) {
  int64_t used = std::min(groups, tokens);
  return (tokens + used * (tile - 1)) / tile;
}

TEST_F(LoraKernelsTest, GridsHaveAClusterForEveryTile) {
  for (auto [tile, id] : {std::pair<int64_t, StringRef>{8, "tile8"},
                          {16, "tile16"},
                          {32, "flow32_16"}}) {
    const KernelEntry *entry =
        lookup("frit.lora_matmul", ("cuda.lora_" + id + "_cluster2").str());
    ASSERT_NE(entry, nullptr);
    for (int64_t tokens : {1, 2, 7, 8, 31, 32, 33, 64, 65, 96, 1000, 8192})
      for (int64_t groups : {1, 2, 5, 31, 32, 33, 64, 300}) {
        KernelShape shape;
        shape.add("T", tokens, /*isTokens=*/true);
        shape.add("G", groups);
        shape.add("S", 3);
        // Without a grouping tiles lie in windows of 32 tokens. The kernel
        // counts those of full windows, and needs them of the last.
        int64_t each = mostTiles(32, groups, tile);
        int64_t needed =
            tokens <= 32
                ? mostTiles(tokens, groups, tile)
                : (tokens - 1) / 32 * each +
                      mostTiles(tokens - (tokens - 1) / 32 * 32, groups, tile);
        KernelLaunchPlan direct = plan(*entry, shape, /*window=*/32);
        int64_t grid = evaluate(direct.grid[0], shape);
        EXPECT_GE(grid, 2 * needed) << tokens << " " << groups;
        EXPECT_LE(grid, 2 * std::max(needed, (tokens + 31) / 32 * each))
            << tokens << " " << groups;
        EXPECT_EQ(grid % 2, 0);
        EXPECT_EQ(evaluate(direct.grid[1], shape), 3);
        EXPECT_EQ(evaluate(direct.cluster[0], shape), 2);
        if (tokens <= 32) {
          EXPECT_EQ(grid, 2 * needed) << tokens << " " << groups;
        }

        KernelLaunchPlan grouped =
            plan(*entry, shape, /*window=*/int64_t(1) << 31);
        EXPECT_EQ(evaluate(grouped.grid[0], shape),
                  2 * mostTiles(tokens, groups, tile))
            << tokens << " " << groups;
      }
  }
}

TEST_F(LoraKernelsTest, ClustersOfATokenDivideItsColumns) {
  const KernelEntry *entry =
      lookup("frit.lora_matmul", "cuda.lora_decode_cluster8");
  ASSERT_NE(entry, nullptr);
  for (int64_t parts : {1, 2, 4}) {
    KernelShape shape;
    shape.add("T", 5, /*isTokens=*/true);
    shape.add("G", 4);
    shape.add("S", 3);
    KernelLaunchPlan planned = plan(*entry, shape, /*window=*/32, parts);
    EXPECT_EQ(evaluate(planned.grid[0], shape), 8 * 5 * parts);
    EXPECT_EQ(evaluate(planned.cluster[0], shape), 8);
  }
}

TEST_F(LoraKernelsTest, GridsOfIdsBesideAGroupingCountAdapters) {
  const KernelEntry *entry =
      lookup("frit.lora_matmul", "cuda.lora_flow16_16_ids_cluster8");
  ASSERT_NE(entry, nullptr);
  KernelShape shape;
  shape.add("T", 64, /*isTokens=*/true);
  shape.add("G", 1);
  shape.add("L", 4);
  shape.add("S", 1);
  KernelLaunchPlan planned = plan(*entry, shape, /*window=*/32);
  EXPECT_EQ(evaluate(planned.grid[0], shape), 8 * 2 * mostTiles(32, 4, 16));
}

TEST_F(LoraKernelsTest, ClustersOfShrinkDivideTheRanks) {
  const KernelEntry *entry =
      lookup("frit.lora_shrink", "cuda.lora_flow16_64_shrink_cluster8");
  ASSERT_NE(entry, nullptr);
  for (auto [rank, clusters] : {std::pair<int64_t, int64_t>{1, 1},
                                {64, 1},
                                {65, 2},
                                {200, 4},
                                {256, 4}}) {
    KernelShape shape;
    shape.add("T", 20, /*isTokens=*/true);
    shape.add("G", 4);
    shape.add("S", 3);
    shape.add("R", rank);
    KernelLaunchPlan planned = plan(*entry, shape, /*window=*/32);
    EXPECT_EQ(evaluate(planned.grid[0], shape), 8 * mostTiles(20, 4, 16));
    EXPECT_EQ(evaluate(planned.grid[1], shape), 3);
    EXPECT_EQ(evaluate(planned.grid[2], shape), clusters) << rank;
    EXPECT_EQ(evaluate(planned.cluster[0], shape), 8);
  }
}

TEST_F(LoraKernelsTest, BlocksOfExpandDivideTheColumns) {
  const KernelEntry *entry =
      lookup("frit.lora_expand", "cuda.lora_flow32_16_expand_steps3");
  ASSERT_NE(entry, nullptr);
  for (int64_t parts : {1, 6, 19}) {
    KernelShape shape;
    shape.add("T", 1000, /*isTokens=*/true);
    shape.add("G", 4);
    shape.add("S", 3);
    KernelLaunchPlan planned =
        plan(*entry, shape, /*window=*/int64_t(1) << 31, parts);
    EXPECT_EQ(evaluate(planned.grid[0], shape), mostTiles(1000, 4, 32));
    EXPECT_EQ(evaluate(planned.grid[2], shape), parts);
    EXPECT_TRUE(planned.cluster[0].isAbsent());
  }
}

TEST_F(LoraKernelsTest, GroupingClustersArePowersOfTwo) {
  const KernelEntry *entry = lookup("frit.lora_group", "cuda.lora_group");
  ASSERT_NE(entry, nullptr);
  for (auto [tokens, blocks] : {std::pair<int64_t, int64_t>{0, 1},
                                {1, 1},
                                {512, 1},
                                {513, 2},
                                {1024, 2},
                                {1025, 4},
                                {2048, 4},
                                {2049, 8},
                                {65536, 8}}) {
    KernelShape shape;
    shape.add("T", tokens, /*isTokens=*/true);
    shape.add("starts", 2313);
    KernelLaunchPlan planned = plan(*entry, shape, /*window=*/0);
    EXPECT_EQ(evaluate(planned.grid[0], shape), blocks) << tokens;
    EXPECT_EQ(evaluate(planned.cluster[0], shape), blocks) << tokens;
    // What a block may have on 9.0, less the kernel's own.
    EXPECT_LE(evaluate(planned.dynamicSharedMemory, shape), 231424);
    EXPECT_GE(evaluate(planned.dynamicSharedMemory, shape),
              4 * (16 * 2313 + (blocks + 1) * 2316));
  }
}

TEST_F(LoraKernelsTest, SharedMemoryHoldsEveryRankThatAnEntryTakes) {
  std::string text = R"(
    func.func @f(%x: tensor<4x64xbf16>, %ids: tensor<4xi32>, %a: tensor<2xRANKx64xbf16>, %h: tensor<1x4xRANKxf32>) -> tensor<1x4xRANKxf32> {
      %0 = frit.lora_shrink ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>) weights(%a : tensor<2xRANKx64xbf16>) outs(%h : tensor<1x4xRANKxf32>) -> tensor<1x4xRANKxf32>
      return %0 : tensor<1x4xRANKxf32>
    })";
  auto parse = [&](int64_t rank) {
    std::string module = text, name = "RANK";
    for (size_t at; (at = module.find(name)) != std::string::npos;)
      module.replace(at, name.size(), std::to_string(rank));
    return context.parseOp(module);
  };
  int64_t numEntries = 0;
  for (const KernelEntry *entry : context.getTable().getEntries()) {
    if (entry->op != "frit.lora_shrink" ||
        !(StringRef(entry->id).starts_with("cuda.lora_tile") ||
          StringRef(entry->id).starts_with("cuda.lora_f32_tile")))
      continue;
    ++numEntries;
    for (int64_t rank : {0, 1, 16, 17, 64, 352, 353, 1024, 1025}) {
      KernelOpInterface op = parse(rank);
      ASSERT_TRUE(op);
      KernelShape shape = op.getKernelShape();
      bool takes = true;
      for (const KernelCondition &condition : entry->conditions)
        if (condition.id == "rank")
          for (const KernelRequirement &requirement :
               condition.check(op, shape).requirements)
            takes &= decideRequirement(requirement, shape) == KernelTruth::Yes;
      int64_t bytes =
          entry->params(op).getAs<IntegerAttr>("sharedBytes").getInt();
      EXPECT_EQ(takes, rank >= 1 && rank <= 1024 && bytes <= 231424)
          << entry->id << " " << rank;
    }
  }
  EXPECT_EQ(numEntries, 13);
}

} // namespace
