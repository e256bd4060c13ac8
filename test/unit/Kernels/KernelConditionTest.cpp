//===- KernelConditionTest.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requirements on sizes: answers at compile time, sentences, and joining.
//
//===----------------------------------------------------------------------===//

#include "KernelTestContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

using Kind = KernelRequirement::Kind;

class KernelConditionTest : public ::testing::Test {
protected:
  /// The one requirement of a condition on a silu.
  KernelRequirement require(const KernelCondition &condition,
                            const KernelShape &shape) {
    KernelFinding finding = condition.check(op, shape);
    EXPECT_EQ(finding.failure, "");
    EXPECT_EQ(finding.requirements.size(), 1u);
    return finding.requirements.front();
  }

  KernelTruth decide(const KernelCondition &condition, StringRef rows,
                     StringRef columns, StringRef packed) {
    op = context.parseOp(makeSilu(rows, columns, packed, "f32"));
    shape = op.getKernelShape();
    return decideRequirement(require(condition, shape), shape);
  }

  KernelTestContext context;
  KernelOpInterface op;
  KernelShape shape;
};

TEST_F(KernelConditionTest, AnswersStaticSizes) {
  struct Case {
    KernelCondition condition;
    KernelTruth at96;
  };
  for (const Case &test : std::initializer_list<Case>{
           {KernelCondition::multipleOf("c", "d", 32), KernelTruth::Yes},
           {KernelCondition::multipleOf("c", "d", 64), KernelTruth::No},
           {KernelCondition::atMost("c", "d", 96), KernelTruth::Yes},
           {KernelCondition::atMost("c", "d", 95), KernelTruth::No},
           {KernelCondition::atLeast("c", "d", 96), KernelTruth::Yes},
           {KernelCondition::atLeast("c", "d", 97), KernelTruth::No},
           {KernelCondition::equalTo("c", "d", 96), KernelTruth::Yes},
           {KernelCondition::equalTo("c", "d", 95), KernelTruth::No}}) {
    EXPECT_EQ(decide(test.condition, "?", "96", "192"), test.at96)
        << test.condition.needs;
    EXPECT_EQ(decide(test.condition, "4", "?", "?"), KernelTruth::Unknown)
        << test.condition.needs;
  }
}

TEST_F(KernelConditionTest, ZeroIsAMultipleOfAll) {
  EXPECT_EQ(decide(KernelCondition::multipleOf("c", "d", 8), "4", "0", "0"),
            KernelTruth::Yes);
  EXPECT_EQ(decide(KernelCondition::atMost("c", "T", 0), "?x0", "4", "8"),
            KernelTruth::Yes);
}

TEST_F(KernelConditionTest, KnownFactorsDecideMultiples) {
  // Tokens are 6 * ? here.
  EXPECT_EQ(decide(KernelCondition::multipleOf("c", "T", 3), "2x?x3", "4", "8"),
            KernelTruth::Yes);
  EXPECT_EQ(decide(KernelCondition::multipleOf("c", "T", 4), "2x?x3", "4", "8"),
            KernelTruth::Unknown);
}

TEST_F(KernelConditionTest, SentencesHaveTheValues) {
  KernelCondition condition = KernelCondition::multipleOf("c", "d", 64);
  (void)decide(condition, "4", "96", "192");
  EXPECT_EQ(condition.needs, "d to be a multiple of 64");
  EXPECT_EQ(describeSizes(require(condition, shape), shape), "d is 96");
  (void)decide(condition, "4", "?", "?");
  EXPECT_EQ(describeSizes(require(condition, shape), shape),
            "d is known only at run time");
}

TEST_F(KernelConditionTest, SizesThatAnOpLacksFail) {
  (void)decide(KernelCondition::atMost("c", "d", 1), "4", "96", "192");
  KernelFinding finding = KernelCondition::atMost("c", "K", 1).check(op, shape);
  EXPECT_EQ(finding.failure,
            "needs K to be at most 1, but the op has no size of that name");
}

TEST_F(KernelConditionTest, Combines) {
  AffineExpr d = getAffineSymbolExpr(1, context.get());
  AffineExpr t = getAffineSymbolExpr(0, context.get());
  SmallVector<KernelRequirement> requirements{
      {d, Kind::MultipleOf, 8, "a"},  {d, Kind::AtMost, 64, "b"},
      {d, Kind::MultipleOf, 16, "c"}, {t, Kind::AtMost, 32, "d"},
      {d, Kind::MultipleOf, 12, "e"}, {d, Kind::AtMost, 128, "f"},
      {d, Kind::AtLeast, 2, "g"},     {d, Kind::AtLeast, 4, "h"},
      {t, Kind::EqualTo, 3, "i"},     {t, Kind::EqualTo, 4, "j"},
      {t, Kind::EqualTo, 3, "k"}};
  combineRequirements(requirements);
  std::string text;
  for (const KernelRequirement &requirement : requirements)
    text += requirement.needs + "=" + std::to_string(requirement.value) + " ";
  EXPECT_EQ(text, "c and e=48 b=64 d=32 h=4 i=3 j=4 ");
}

TEST_F(KernelConditionTest, KnowsWhatFollowsTokens) {
  (void)decide(KernelCondition::atMost("c", "d", 1), "?", "96", "192");
  AffineExpr d = shape.getSymbol("d", context.get());
  AffineExpr t = shape.getSymbol("T", context.get());
  EXPECT_FALSE(shape.dependsOnTokens(d));
  EXPECT_TRUE(shape.dependsOnTokens(t));
  EXPECT_TRUE(shape.dependsOnTokens(d + t * 2));
  EXPECT_EQ(shape.getSymbol("K", context.get()), AffineExpr());
}

} // namespace
