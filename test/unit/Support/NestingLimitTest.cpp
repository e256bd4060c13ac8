//===- NestingLimitTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts as nesting in IR text, and what does not.
//
//===----------------------------------------------------------------------===//

#include "frit/Support/NestingLimit.h"

#include "gtest/gtest.h"

using namespace mlir::frit;

namespace {

/// The message for a text under limits of 3 brackets and 4 operators; empty
/// where it is within them.
std::string check(llvm::StringRef text) {
  NestingLimits limits;
  limits.depth = 3;
  limits.operators = 4;
  std::optional<NestingError> error = findNestingError(text, limits);
  if (!error)
    return "";
  return std::to_string(error->line) + ":" + std::to_string(error->column) +
         ": " + error->message;
}

const char tooDeep[] = "brackets are nested 4 deep, but the limit is 3";
const char tooLong[] = "an expression has 5 operators, but the limit is 4";

TEST(NestingLimitTest, CountsEveryBracket) {
  EXPECT_EQ(check("([{}])"), "");
  EXPECT_EQ(check("([{<"), std::string("1:4: ") + tooDeep);
  EXPECT_EQ(check("(((\n  ("), std::string("2:3: ") + tooDeep);
  EXPECT_EQ(check("()()()()[]{}<>"), "");
}

TEST(NestingLimitTest, SkipsStringsAndComments) {
  EXPECT_EQ(check("\"((((\" // ((((\n((("), "");
  EXPECT_EQ(check("\"\\\"((((\""), "");
  EXPECT_EQ(check("\"((((\n(((("), std::string("2:4: ") + tooDeep);
}

TEST(NestingLimitTest, ArrowsAndComparisonsAreNoBrackets) {
  EXPECT_EQ(check("() -> (), () -> (), () -> (), () -> ()"), "");
  EXPECT_EQ(check("<(d0) : (d0 >= 0, d0 <= 9, d0 <= 8, d0 <= 7)>((("),
            std::string(""));
  EXPECT_EQ(check("a < b\n a < b\n a < b\n}}\n((("), "");
  EXPECT_EQ(check("a < b\n a < b\n a < b\n}}\n(((("),
            std::string("5:4: ") + tooDeep);
}

TEST(NestingLimitTest, AClosingBracketClosesAnglesInside) {
  EXPECT_EQ(check("(<)(<)(<)(<)"), "");
  EXPECT_EQ(check(")]}>((("), "");
}

TEST(NestingLimitTest, CountsOperatorsOfOneExpression) {
  EXPECT_EQ(check("a + b * c - d mod e"), "");
  EXPECT_EQ(check("a + b * c - d mod e floordiv f"),
            std::string("1:21: ") + tooLong);
  EXPECT_EQ(check("-----a"), std::string("1:5: ") + tooLong);
  EXPECT_EQ(check("a + (b + c) + (d + e) + f"), "");
  EXPECT_EQ(check("-1, -2, -3, -4, -5, -6"), "");
  EXPECT_EQ(check("%a = x -1 : y\n%b = x -1 : y\n%c = x -1 : y\n"
                  "%d = x -1 : y\n%e = x -1 : y\n"),
            "");
  EXPECT_EQ(check("my.mod modulo mod.x a$mod"), "");
}

TEST(NestingLimitTest, AnAliasIsAsDeepAsItsDefinition) {
  EXPECT_EQ(check("!a = <<i1>>\n!b = !a\n<!b>\n"), "");
  EXPECT_EQ(check("!a = <<i1>>\n!b = !a\n<<!b>>\n"),
            std::string("3:3: ") + tooDeep);
  EXPECT_EQ(check("#a = (\n(1))\n#b =\n (#a)\n#c = (#b)\n"),
            std::string("5:7: ") + tooDeep);
  // What follows a definition is not a part of it.
  EXPECT_EQ(check("#a = 1\nmodule {{{ #a }}}\n"), "");
  EXPECT_EQ(check("#unknown (((#unknown)))"), "");
}

TEST(NestingLimitTest, DefaultsAdmitOrdinaryDepths) {
  std::string text(400, '(');
  EXPECT_FALSE(findNestingError(text));
  text += std::string(200, '[');
  std::optional<NestingError> error = findNestingError(text);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->column, 513u);
}

} // namespace
