//===- KernelSelectionTest.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decisions as data: what tools show as an explanation.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Kernels/TestKernels.h"
#include "KernelTestContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

class KernelSelectionTest : public ::testing::Test {
protected:
  KernelSelectionTest() {
    DialectRegistry registry;
    registerTestKernels(registry);
    context.get()->appendDialectRegistry(registry);
  }

  /// "id outcome condition" of every candidate of a silu; an outcome is its
  /// first letter.
  std::string decide(StringRef function) {
    KernelOpInterface op = context.parseOp(function);
    FailureOr<KernelDecision> decision =
        decideKernel(op, context.getTable(), options);
    if (failed(decision))
      return "";
    std::string text;
    for (const KernelVerdict &verdict : decision->candidates)
      text += verdict.entry->id + " " +
              "PGAR"[static_cast<int>(verdict.outcome)] + " " +
              verdict.condition + ";";
    return text;
  }

  KernelTestContext context;
  KernelSelectionOptions options;
};

TEST_F(KernelSelectionTest, NamesTheConditionThatFailed) {
  EXPECT_EQ(decide(makeSilu("20", "52", "104", "bf16")),
            "test.few_tokens R test.tokens;test.wide R test.d_by_8;"
            "native.simt R ;native.vector P ;native.linalg A ;");
}

TEST_F(KernelSelectionTest, DoesNotChangeTheOp) {
  KernelOpInterface op = context.parseOp(makeSilu("?", "?", "?", "bf16"));
  FailureOr<KernelDecision> decision =
      decideKernel(op, context.getTable(), options);
  ASSERT_TRUE(succeeded(decision));
  EXPECT_FALSE(op.getKernel());
  EXPECT_EQ(decision->getPick().entry->id, "native.vector");
}

TEST_F(KernelSelectionTest, TellsWhatIsAdmissibleFromWhatIsRefused) {
  options.priorities["native.linalg"] = 20;
  KernelOpInterface op = context.parseOp(makeSilu("?", "32", "64", "f32"));
  FailureOr<KernelDecision> decision =
      decideKernel(op, context.getTable(), options);
  ASSERT_TRUE(succeeded(decision));
  const KernelVerdict &last = decision->candidates.back();
  EXPECT_EQ(last.outcome, KernelVerdict::Outcome::Admissible);
  EXPECT_EQ(last.reason, "admissible, but of the same priority as "
                         "'native.linalg' (20), whose name comes first");
}

TEST_F(KernelSelectionTest, PrintsATable) {
  KernelOpInterface op = context.parseOp(makeSilu("?", "32", "64", "f32"));
  auto decisions = decideKernels(op->getParentOfType<ModuleOp>(),
                                 context.getTable(), options);
  ASSERT_TRUE(succeeded(decisions));
  std::string text;
  llvm::raw_string_ostream os(text);
  printKernelDecisions(os, *decisions);
  EXPECT_EQ(
      text,
      "op                        kernel           outcome     reason\n"
      "frit.act_and_mul at 1:85  test.few_tokens  refused     takes bf16, but "
      "the element type is f32\n"
      "                          test.wide        refused     needs d to be "
      "at least 64, but d is 32\n"
      "                          native.simt      refused     runs on sm_80 "
      "and later, but the target is cpu\n"
      "                          native.vector    picked      admissible, with "
      "priority 20\n"
      "                          native.linalg    admissible  but of lower "
      "priority than 'native.vector' (10 to 20)\n");
}

TEST_F(KernelSelectionTest, PlansOfAnEntryAreOverItsShape) {
  KernelOpInterface op = context.parseOp(R"(
    func.func @f(%x: tensor<10x64xbf16>, %y: tensor<10x32xbf16>) -> tensor<10x32xbf16> {
      %0 = frit.gelu_and_mul_sparse ins(%x : tensor<10x64xbf16>) outs(%y : tensor<10x32xbf16>)
             std_multiplier = 1.0 -> tensor<10x32xbf16>
      return %0 : tensor<10x32xbf16>
    })");
  const KernelEntry *entry =
      context.getTable().lookup("frit.gelu_and_mul_sparse", "test.absent");
  ASSERT_NE(entry, nullptr);
  KernelShape shape = op.getKernelShape();
  KernelPlanSizes sizes(shape, /*elementBytes=*/2, /*params=*/{},
                        context.get());
  KernelLaunchPlan plan = entry->launchPlan(sizes);
  EXPECT_EQ(shape.substituteStatic(plan.grid[0].expressions[0]),
            getAffineConstantExpr(3, context.get()));
  EXPECT_EQ(shape.substituteStatic(plan.dynamicSharedMemory.expressions[0]),
            getAffineConstantExpr(64, context.get()));
  EXPECT_TRUE(plan.cluster[0].isAbsent());
  EXPECT_EQ(entry->argumentPlan(op, sizes).size(), 10u);
  EXPECT_TRUE(sizes.getUnknown().empty());
}

TEST_F(KernelSelectionTest, PlansWithoutAnOpNameTheirSizes) {
  KernelPlanSizes sizes(context.get());
  KernelLaunchPlan plan;
  plan.grid[0] = {sizes("T") * 2, sizes.getMultiprocessors()};
  plan.block[0] = (sizes("d") * sizes.getElementBytes()).ceilDiv(16);
  plan.block[1] = sizes.getConstant(2);
  EXPECT_EQ(plan.str(sizes), "grid min(T * 2, multiprocessors), block (d * "
                             "sizeof(E)) ceildiv 16 x 2");
}

TEST_F(KernelSelectionTest, PlansNoteSizesThatAnOpLacks) {
  KernelShape shape;
  shape.add("T", 4);
  KernelPlanSizes sizes(shape, /*elementBytes=*/2, /*params=*/{},
                        context.get());
  EXPECT_EQ(sizes("T"), getAffineSymbolExpr(0, context.get()));
  EXPECT_EQ(sizes.getMultiprocessors(), getAffineSymbolExpr(1, context.get()));
  EXPECT_TRUE(sizes.getUnknown().empty());
  sizes("K");
  ASSERT_EQ(sizes.getUnknown().size(), 1u);
  EXPECT_EQ(sizes.getUnknown()[0], "K");

  // What selection fixed is a size too.
  Builder builder(context.get());
  NamedAttribute blocks =
      builder.getNamedAttr("blocks", builder.getI64IntegerAttr(4));
  KernelPlanSizes fixed(shape, /*elementBytes=*/2,
                        builder.getDictionaryAttr(blocks), context.get());
  EXPECT_EQ(fixed("blocks"), getAffineConstantExpr(4, context.get()));
  EXPECT_TRUE(fixed.getUnknown().empty());
}

} // namespace
