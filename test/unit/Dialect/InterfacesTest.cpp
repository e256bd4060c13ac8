//===- InterfacesTest.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interfaces of the ops that no pass of frit-opt reaches: bounds of sizes, and
// fusion of an op into the loop of its producer.
//
//===----------------------------------------------------------------------===//

#include "frit/InitAll.h"

#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

class InterfacesTest : public testing::Test {
protected:
  InterfacesTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAll(registry);
    context.appendDialectRegistry(registry);
  }

  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
  }

  template <typename OpTy> OpTy find() {
    OpTy found;
    module->walk([&](OpTy op) { found = op; });
    EXPECT_TRUE(found);
    return found;
  }

  static bool areEqual(Value a, int64_t aDim, Value b, int64_t bDim) {
    FailureOr<bool> equal =
        ValueBoundsConstraintSet::areEqual({a, aDim}, {b, bDim});
    return succeeded(equal) && *equal;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(InterfacesTest, BoundsOfGatedOps) {
  parse(R"(
func.func @f(%x: tensor<?x3x64xf32>, %y: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = frit.act_and_mul silu ins(%x : tensor<?x3x64xf32>) outs(%y : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
})");
  auto op = find<ActAndMulOp>();
  Value result = op->getResult(0);
  EXPECT_TRUE(areEqual(result, 0, op.getX(), 0));
  EXPECT_TRUE(areEqual(result, 0, op.getOut(), 0));
  FailureOr<int64_t> columns = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::EQ, {result, 2});
  ASSERT_TRUE(succeeded(columns));
  EXPECT_EQ(*columns, 32);
  FailureOr<int64_t> inner = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::EQ, {result, 1});
  ASSERT_TRUE(succeeded(inner));
  EXPECT_EQ(*inner, 3);
}

TEST_F(InterfacesTest, BoundsOfLoraOps) {
  parse(R"(
func.func @f(%x: tensor<7x16xf32>, %ids: tensor<?xi32>, %a: tensor<2x3x16xf32>, %b: tensor<2x8x3xf32>,
             %h0: tensor<?x?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %h = frit.lora_shrink ins(%x, %ids : tensor<7x16xf32>, tensor<?xi32>) weights(%a, %a : tensor<2x3x16xf32>, tensor<2x3x16xf32>)
      outs(%h0 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = frit.lora_expand ins(%h, %ids : tensor<?x?x?xf32>, tensor<?xi32>) weights(%b, %b : tensor<2x8x3xf32>, tensor<2x8x3xf32>)
      outs(%y : tensor<?x?xf32>) offset = 5 -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})");
  Value h = find<LoraShrinkOp>()->getResult(0);
  Value r = find<LoraExpandOp>()->getResult(0);
  auto bound = [](presburger::BoundType type, Value value, int64_t dim) {
    FailureOr<int64_t> size =
        ValueBoundsConstraintSet::computeConstantBound(type, {value, dim});
    return succeeded(size) ? *size : -1;
  };
  EXPECT_EQ(bound(presburger::BoundType::EQ, h, 0), 2);
  EXPECT_EQ(bound(presburger::BoundType::EQ, h, 1), 7);
  EXPECT_EQ(bound(presburger::BoundType::EQ, h, 2), 3);
  EXPECT_EQ(bound(presburger::BoundType::EQ, r, 0), 7);
  EXPECT_EQ(bound(presburger::BoundType::LB, r, 1), 21);
}

TEST_F(InterfacesTest, FusesIntoTheLoopOfItsProducer) {
  parse(R"(
func.func @f(%p: tensor<16x16xf32>, %q: tensor<16x16xf32>, %up: tensor<16x16xf32>, %y: tensor<16x16xf32>)
    -> tensor<16x16xf32> {
  %s0 = tensor.empty() : tensor<16x16xf32>
  %s = linalg.add ins(%p, %q : tensor<16x16xf32>, tensor<16x16xf32>) outs(%s0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = frit.gelu_and_mul_sparse ins(%s, %up : tensor<16x16xf32>, tensor<16x16xf32>) outs(%y : tensor<16x16xf32>)
      std_multiplier = 1.0 -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
})");
  IRRewriter rewriter(&context);
  auto producer = find<linalg::AddOp>();
  scf::SCFTilingOptions options;
  options.setTileSizes({rewriter.getIndexAttr(4)});
  rewriter.setInsertionPoint(producer);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(producer.getOperation()), options);
  ASSERT_TRUE(succeeded(tiled));
  rewriter.replaceOp(producer, tiled->replacements);
  ASSERT_TRUE(succeeded(scf::tileAndFuseConsumer(
      rewriter, find<GeluAndMulSparseOp>(), tiled->loops)));
  EXPECT_TRUE(succeeded(verify(*module)));
  bool isFused = false;
  module->walk([&](GeluAndMulSparseOp op) {
    isFused |= cast<ShapedType>(op.getX().getType()).getDimSize(0) == 4 &&
               op->getParentOfType<scf::ForOp>();
  });
  EXPECT_TRUE(isFused);
}

} // namespace
