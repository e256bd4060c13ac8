//===- AdapterConfigTest.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Configurations of adapters: ranks and factors of modules, and what is
// refused.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/AdapterConfig.h"

#include "IOTestUtils.h"

#include <cmath>

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
/// A configuration with more fields.
std::string makeConfig(llvm::StringRef fields) {
  std::string config = R"({"peft_type": "LORA", "r": 8, "lora_alpha": 16)";
  if (!fields.empty())
    config += ", ";
  return config + fields.str() + "}";
}

/// What parsing it says, without the name in front.
std::string getError(llvm::StringRef json) {
  std::string message = getMessage(AdapterConfig::parse(json, "x"));
  llvm::StringRef text = message;
  EXPECT_TRUE(text == "success" || text.consume_front("x: ")) << message;
  return text.str();
}

std::string parse(llvm::StringRef fields) {
  return getError(makeConfig(fields));
}

/// Whether a pattern matches; the message where it is none.
std::string match(llvm::StringRef pattern, llvm::StringRef module) {
  llvm::Expected<ModulePattern> parsed = ModulePattern::parse(pattern);
  if (!parsed)
    return llvm::toString(parsed.takeError());
  return parsed->matches(module) ? "yes" : "no";
}
} // namespace

TEST(AdapterConfigTest, RanksAndFactors) {
  AdapterConfig config = getValue(AdapterConfig::parse(makeConfig(""), "x"));
  EXPECT_EQ(config.getRank("a.b"), 8);
  EXPECT_EQ(config.getScale("a.b"), 2.0);
  EXPECT_TRUE(config.isTarget("a.b"));

  config = getValue(AdapterConfig::parse(
      makeConfig(R"("use_rslora": true, "rank_pattern": {"q": 4, "a.q": 16,
                    "[ab].k": 2}, "alpha_pattern": {"q": 3.5})"),
      "x"));
  // The first that matches, in the order of the file.
  EXPECT_EQ(config.getRank("a.q"), 4);
  EXPECT_EQ(config.getRank("b.k"), 2);
  EXPECT_EQ(config.getRank("c.k"), 8);
  EXPECT_EQ(config.getScale("a.q"), 3.5 / 2);
  EXPECT_EQ(config.getScale("b.k"), 16 / std::sqrt(2.0));
}

TEST(AdapterConfigTest, Targets) {
  AdapterConfig config = getValue(AdapterConfig::parse(
      makeConfig(R"("target_modules": ["q", "mlp.up"])"), "x"));
  EXPECT_TRUE(config.isTarget("q"));
  EXPECT_TRUE(config.isTarget("a.mlp.up"));
  EXPECT_FALSE(config.isTarget("seq"));
  EXPECT_FALSE(config.isTarget("up"));
  EXPECT_EQ(parse(R"("target_modules": ".*_proj")"), "success");
  EXPECT_EQ(parse(R"("target_modules": 3)"),
            "field 'target_modules': expected an array of names, found the "
            "number 3");
  EXPECT_EQ(parse(R"("target_modules": [3])"),
            "field 'target_modules': expected names, found the number 3");
}

TEST(AdapterConfigTest, Numbers) {
  EXPECT_EQ(getError("{}"), "expected the fields peft_type, r and lora_alpha, "
                            "found no peft_type");
  EXPECT_EQ(getError(R"({"peft_type": "LORA", "r": 0, "lora_alpha": 1})"),
            "field 'r': expected a rank from 1 to 2147483647, found the number "
            "0");
  EXPECT_EQ(getError(R"({"peft_type": "LORA", "r": 8, "lora_alpha": "1"})"),
            "field 'lora_alpha': expected a number, found the string '1'");
  EXPECT_EQ(parse(R"("rank_pattern": {"q": -1})"),
            "field 'rank_pattern.q': expected a rank from 1 to 2147483647, "
            "found the number -1");
  EXPECT_EQ(parse(R"("alpha_pattern": {"q": null})"),
            "field 'alpha_pattern.q': expected a number, found null");
  EXPECT_EQ(parse(R"("rank_pattern": [1])"),
            "field 'rank_pattern': expected an object, found an array");
  EXPECT_EQ(parse(R"("use_rslora": 1)"),
            "field 'use_rslora': expected true or false, found the number 1");
  EXPECT_EQ(parse(R"("use_rslora": false, "use_rslora": true)"),
            "key 'use_rslora' is there twice, expected once");
  EXPECT_EQ(parse("\"a\": \"" + std::string(1 << 18, 'a') + "\""),
            "expected a configuration of at most 262144 bytes, found 262200");
}

TEST(AdapterConfigTest, RefusesWhatIsMoreThanAProduct) {
  EXPECT_EQ(getError(R"({"peft_type": "LOHA", "r": 8, "lora_alpha": 1})"),
            "field 'peft_type': expected 'LORA', found the string 'LOHA'");
  EXPECT_EQ(parse(R"("bias": "all")"),
            "field 'bias': expected 'none' (trained biases belong to the "
            "base), found the string 'all'");
  EXPECT_EQ(parse(R"("init_lora_weights": "pissa")"),
            "field 'init_lora_weights': expected true, false, 'gaussian', "
            "'eva' or 'orthogonal' (others may change the base's weights), "
            "found the string 'pissa'");
  const std::pair<llvm::StringRef, llvm::StringRef> fields[] = {
      {"use_dora", "DoRA scales each column by a trained magnitude"},
      {"lora_bias", "B has a bias"},
      {"fan_in_fan_out", "the base's weights are stored transposed"},
      {"modules_to_save", "whole modules are replaced"},
      {"layer_replication", "layers are repeated"},
      {"use_qalora", "activations are pooled before A"},
      {"alora_invocation_tokens", "the adapter starts at a token"},
      {"trainable_token_indices", "rows of an embedding are replaced"},
      {"target_parameters", "parameters of no linear layer are adapted"},
      {"of_the_future", "the field is not known, and may change the result"}};
  for (auto [field, reason] : fields) {
    for (llvm::StringRef unused : {"null", "false", "[]", "{}", "\"\""})
      EXPECT_EQ(parse(("\"" + field + "\": " + unused).str()), "success");
    EXPECT_EQ(parse(("\"" + field + "\": [3]").str()),
              ("field '" + field + "': expected null, false or empty (" +
               reason + "), found an array")
                  .str());
  }
  EXPECT_EQ(parse(R"("lora_dropout": 0.1, "task_type": "CAUSAL_LM")"),
            "success");
}

TEST(ModulePatternTest, MatchesAsPythonDoes) {
  EXPECT_EQ(match("q_proj", "a.q_proj"), "yes");
  EXPECT_EQ(match("q_proj", "q_proj"), "yes");
  EXPECT_EQ(match("q_proj", "a.eq_proj"), "no");
  EXPECT_EQ(match("q_proj", "q_proj.a"), "no");
  EXPECT_EQ(match("^q", "a.q"), "no");
  EXPECT_EQ(match("^a\\.q", "a.q"), "yes");
  EXPECT_EQ(match("layers\\.\\d+\\.(q|k)", "m.layers.10.k"), "yes");
  EXPECT_EQ(match("layers\\.\\d+\\.(q|k)", "m.layers.x.k"), "no");
  EXPECT_EQ(match("layers.[0-9]\\.\\w+", "layers.3.q_1"), "yes");
  EXPECT_EQ(match("[^a]q?", "b"), "yes");
}

TEST(ModulePatternTest, RefusesWhatIsPythonsOwn) {
  for (llvm::StringRef pattern : {"q{2}", "(?:q)", "q*?", "q++", "\\bq",
                                  "(q)\\1", "[\\d]", "[[:alpha:]]", "q\\"})
    EXPECT_TRUE(llvm::StringRef(match(pattern, "q"))
                    .starts_with("expected letters, . * + ? | ( ) [ ] ^ $, "
                                 "escaped punctuation, \\d and \\w in the "
                                 "pattern '"))
        << pattern.str();
  EXPECT_EQ(match("(q", "q"),
            "the pattern '(q' is no regular expression: parentheses not "
            "balanced");
  EXPECT_EQ(match("", "q"), "expected a pattern of 1 to 1000 bytes, found 0");
}
