//===- LoraPropertyTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random shapes, layouts, ranks, ids and modes of the LoRA ops.
//
//===----------------------------------------------------------------------===//

#include "LoraReference.h"
#include "PropertyTest.h"

#include <cmath>
#include <numeric>
#include <optional>

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

/// What is fixed in the text of a program.
struct LoraProgram {
  enum class Kind { Matmul, Shrink, Expand };
  enum class Grouping { None, AllAdapters, Active };

  Kind kind;
  ElementType type, weightType, hiddenType;
  Dim tokens, adapters, k, r, columns;
  std::vector<Dim> n;
  bool hasScales, isElementIntermediate = false;
  int64_t ranksDims;
  Grouping grouping;
  float scale;
  int64_t offset = 0;
  LoraCase::Rounding rounding = LoraCase::Rounding::Final;
  bool accumulate = true;

  LoraProgram(Kind kind, ElementType type, Random &random)
      : kind(kind), type(type) {
    weightType = random.chance(0.25) ? ElementType::F32 : type;
    hiddenType = random.chance(0.5) ? ElementType::F32 : weightType;
    tokens = Dim::random(random, 0, 24);
    adapters = Dim::random(random, random.chance(0.1) ? 0 : 1, 5);
    k = Dim::random(random, 0, random.pick({9, 70, 300}));
    r = Dim::random(random, 0, random.pick({4, 20, 70}));
    int64_t slices = random.pick({1, 1, 2, 3});
    for (int64_t s = 0; s < slices; ++s)
      n.push_back(Dim::random(random, 0, random.pick({5, 40, 100})));
    // The destination's width is chosen at run time: it has room for all.
    columns = Dim{-1, 0, 0};
    hasScales = random.chance(0.4);
    ranksDims = random.pick({0, 0, 1, 2});
    grouping = random.pick({Grouping::None, Grouping::None,
                            Grouping::AllAdapters, Grouping::Active});
    scale = random.pick({1.0f, 0.5f, 1.5f / std::sqrt(8.0f), 0.0f, -0.7f,
                         static_cast<float>(random.normal())});
    if (kind == Kind::Shrink)
      return;
    offset = random.pick({0, 0, 1, 7});
    rounding = random.pick({LoraCase::Rounding::Final, LoraCase::Rounding::Sum,
                            LoraCase::Rounding::Stepwise});
    accumulate = random.chance(0.75);
    isElementIntermediate = kind == Kind::Matmul &&
                            rounding != LoraCase::Rounding::Stepwise &&
                            random.chance(0.4);
  }

  bool hasA() const { return kind != Kind::Expand; }
  bool hasB() const { return kind != Kind::Shrink; }

  std::string getText() const;
};

/// Collects names and types of operands.
struct OperandList {
  std::string arguments, names, types;

  void add(const std::string &name, const std::string &type) {
    arguments += (arguments.empty() ? "" : ", ") + name + ": " + type;
    names += (names.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + type;
  }
  std::string str() const { return "(" + names + " : " + types + ")"; }
};

std::string LoraProgram::getText() const {
  OperandList all;
  auto makeGroup = [&](const std::string &keyword,
                       std::vector<std::pair<std::string, std::string>> list) {
    OperandList group;
    for (auto &[name, operandType] : list) {
      group.add(name, operandType);
      all.add(name, operandType);
    }
    return list.empty() ? "" : keyword + group.str() + " ";
  };
  std::string t = tokens.str(), l = adapters.str();
  std::string slices = std::to_string(n.size());
  std::string hidden = tensorType({slices, t, r.str()}, hiddenType);
  std::string text = makeGroup(
      "ins",
      {hasA() ? std::pair(std::string("%x"), tensorType({t, k.str()}, type))
              : std::pair(std::string("%h"), hidden),
       {"%ids", tensorType({t}, ElementType::I32)}});
  std::vector<std::pair<std::string, std::string>> weights;
  for (size_t s = 0; s < n.size(); ++s) {
    if (hasA())
      weights.emplace_back("%a" + std::to_string(s),
                           tensorType({l, r.str(), k.str()}, weightType));
    if (hasB())
      weights.emplace_back("%b" + std::to_string(s),
                           tensorType({l, n[s].str(), r.str()}, weightType));
  }
  text += makeGroup("weights", weights);
  if (hasScales)
    text +=
        makeGroup("scales", {{"%scales", tensorType({l}, ElementType::F32)}});
  if (ranksDims == 1)
    text += makeGroup("ranks", {{"%ranks", tensorType({l}, ElementType::I32)}});
  if (ranksDims == 2)
    text += makeGroup("ranks",
                      {{"%ranks", tensorType({slices, l}, ElementType::I32)}});
  if (grouping != Grouping::None) {
    std::vector<std::pair<std::string, std::string>> operands{
        {"%order", tensorType({t}, ElementType::I32)},
        {"%starts", tensorType({"?"}, ElementType::I32)}};
    if (grouping == Grouping::Active)
      operands.emplace_back("%active", tensorType({"?"}, ElementType::I32));
    text += makeGroup("grouping", operands);
  }
  std::string out = hasB() ? tensorType({t, "?"}, type) : hidden;
  text += makeGroup("outs", {{"%y", out}});
  text += "scale = " + floatText(scale);
  if (hasB()) {
    text += " offset = " + std::to_string(offset);
    if (isElementIntermediate)
      text += " intermediate = element";
    if (rounding != LoraCase::Rounding::Final)
      text += rounding == LoraCase::Rounding::Sum ? " rounding = sum"
                                                  : " rounding = stepwise";
    if (!accumulate)
      text += " accumulate = false";
  }
  const char *const names[] = {"lora_matmul", "lora_shrink", "lora_expand"};
  return "func.func @f(" + all.arguments + ") -> " + out + " {\n  %0 = frit." +
         names[static_cast<int>(kind)] + " " + text + " -> " + out +
         "\n  return %0 : " + out + "\n}\n";
}

/// The operands of one call. Tokens may be rearranged to see that none depends
/// on its place.
struct LoraOperands {
  int64_t tokens, adapters, k, r;
  std::vector<int64_t> n;
  std::optional<Buffer> x, h, ids, scales, ranks, order, starts, active, y;
  std::vector<Buffer> a, b;

  LoraOperands(const LoraProgram &program, Random &random);

  /// Groups tokens by adapter, as lora_group or as an engine does.
  void group(const LoraProgram &program, Random &random);

  LoraCase getCase(const LoraProgram &program) const;
  std::vector<Buffer *> getArguments(const LoraProgram &program);
};

LoraOperands::LoraOperands(const LoraProgram &program, Random &random) {
  tokens = program.tokens.choose(random);
  adapters = program.adapters.choose(random);
  k = program.k.choose(random);
  r = program.r.choose(random);
  int64_t width = program.offset + random.integer(0, 3);
  for (const Dim &dim : program.n) {
    n.push_back(dim.choose(random));
    width += n.back();
  }
  auto slices = static_cast<int64_t>(n.size());
  auto make = [&](ElementType type, llvm::ArrayRef<int64_t> shape,
                  double deviation = 1) {
    Buffer buffer(type, shape, Layout::random(shape, random));
    if (type != ElementType::I32)
      fillNormal(buffer, random, 0, deviation);
    return buffer;
  };
  ids = make(ElementType::I32, {tokens});
  for (int64_t i = 0; i < tokens; ++i)
    ids->set(i,
             random.chance(0.1)
                 ? static_cast<double>(random.pick<int64_t>(
                       {-1, -7, adapters, adapters + 3, INT32_MIN, INT32_MAX}))
                 : static_cast<double>(random.integer(-1, adapters - 1)));
  if (program.ranksDims != 0) {
    ranks = program.ranksDims == 1 ? make(ElementType::I32, {adapters})
                                   : make(ElementType::I32, {slices, adapters});
    for (int64_t i = 0; i < ranks->size(); ++i)
      ranks->set(i, static_cast<double>(random.integer(0, r)));
  }
  if (program.hasScales)
    scales = make(ElementType::F32, {adapters});
  double weightDeviation = 1 / std::sqrt(static_cast<double>(k + 1));
  for (int64_t s = 0; s < slices; ++s) {
    if (program.hasA())
      a.push_back(make(program.weightType, {adapters, r, k}, weightDeviation));
    if (program.hasB())
      b.push_back(make(program.weightType, {adapters, n[s], r}));
  }
  if (program.hasA())
    x = make(program.type, {tokens, k});
  else
    h = make(program.hiddenType, {slices, tokens, r});
  y = program.hasB() ? make(program.type, {tokens, width})
                     : make(program.hiddenType, {slices, tokens, r});

  // What must not be read is NaN: beyond the true ranks, rows without adapter.
  LoraCase test = getCase(program);
  for (int64_t s = 0; s < slices; ++s) {
    for (int64_t l = 0; l < adapters; ++l)
      for (int64_t i = test.getRank(s, l); i < r; ++i) {
        for (int64_t j = 0; program.hasA() && j < k; ++j)
          a[s].set({l, i, j}, NAN);
        for (int64_t j = 0; program.hasB() && j < n[s]; ++j)
          b[s].set({l, j, i}, NAN);
      }
    for (int64_t t = 0; h && t < tokens; ++t) {
      std::optional<int64_t> adapter = test.getAdapter(t);
      for (int64_t i = adapter ? test.getRank(s, *adapter) : 0; i < r; ++i)
        h->set({s, t, i}, NAN);
    }
  }
  for (int64_t t = 0; !program.accumulate && t < tokens; ++t)
    for (int64_t column = 0; column < width; ++column)
      y->set({t, column}, NAN);
  group(program, random);
}

void LoraOperands::group(const LoraProgram &program, Random &random) {
  if (program.grouping == LoraProgram::Grouping::None)
    return;
  bool isActive = program.grouping == LoraProgram::Grouping::Active;
  LoraCase test = getCase(program);
  std::vector<int64_t> groups(adapters);
  std::iota(groups.begin(), groups.end(), 0);
  if (isActive) {
    // An engine's groups: those with tokens, in any order, and none for -1.
    std::vector<int64_t> used;
    for (int64_t l : groups)
      for (int64_t t = 0; t < tokens; ++t)
        if (test.getAdapter(t) == l) {
          used.insert(used.begin() + random.integer(0, used.size()), l);
          break;
        }
    used.insert(used.begin() + random.integer(0, used.size()), -1);
    groups = used;
  }
  auto numGroups = static_cast<int64_t>(groups.size());
  order.emplace(ElementType::I32, llvm::ArrayRef<int64_t>{tokens});
  starts.emplace(ElementType::I32, llvm::ArrayRef<int64_t>{numGroups + 1});
  if (isActive)
    active.emplace(ElementType::I32, llvm::ArrayRef<int64_t>{numGroups});
  int64_t position = 0;
  auto append = [&](int64_t adapter) {
    for (int64_t t = 0; t < tokens; ++t)
      if (test.getAdapter(t).value_or(-1) == adapter)
        order->set(position++, static_cast<double>(t));
  };
  for (int64_t g = 0; g < numGroups; ++g) {
    starts->set(g, static_cast<double>(position));
    if (active)
      active->set(g, static_cast<double>(groups[g]));
    append(groups[g]);
  }
  starts->set(numGroups, static_cast<double>(position));
  if (!isActive)
    append(-1);
}

LoraCase LoraOperands::getCase(const LoraProgram &program) const {
  LoraCase test;
  auto get = [](const std::optional<Buffer> &buffer) {
    return buffer ? &*buffer : nullptr;
  };
  test.x = get(x);
  test.h = get(h);
  test.ids = get(ids);
  test.scales = get(scales);
  test.ranks = get(ranks);
  for (const Buffer &buffer : a)
    test.a.push_back(&buffer);
  for (const Buffer &buffer : b)
    test.b.push_back(&buffer);
  test.numAdapters = adapters;
  test.maxRank = r;
  test.scale = program.scale;
  test.offset = program.offset;
  test.isElementIntermediate = program.isElementIntermediate;
  test.rounding = program.rounding;
  test.accumulate = program.accumulate;
  return test;
}

std::vector<Buffer *> LoraOperands::getArguments(const LoraProgram &program) {
  std::vector<Buffer *> arguments{x ? &*x : &*h, &*ids};
  for (size_t s = 0; s < n.size(); ++s) {
    if (program.hasA())
      arguments.push_back(&a[s]);
    if (program.hasB())
      arguments.push_back(&b[s]);
  }
  for (std::optional<Buffer> *buffer :
       {&scales, &ranks, &order, &starts, &active, &y})
    if (*buffer)
      arguments.push_back(&**buffer);
  return arguments;
}

class LoraPropertyTest : public ::testing::TestWithParam<ElementType> {
protected:
  void run(LoraProgram::Kind kind, double share) {
    uint64_t test = 50 + static_cast<uint64_t>(GetParam()) * 10 +
                    static_cast<uint64_t>(kind);
    forEachProgram(share, test, 30, [&](Random &random, int64_t cases) {
      LoraProgram program(kind, GetParam(), random);
      std::string text = program.getText();
      SCOPED_TRACE(text);
      auto compiled = Compiled::compile(text, random);
      for (int64_t i = 0; compiled && i < cases && !HasFailure(); ++i) {
        LoraOperands operands(program, random);
        LoraCase test = operands.getCase(program);
        LoraExpectation expectation = program.hasB()
                                          ? expectExpanded(test, *operands.y)
                                          : expectShrunk(test, *operands.y);
        for (const Compiled::Variant &variant : compiled->variants)
          check(program, operands, expectation, variant, random);
      }
    });
  }

private:
  void check(const LoraProgram &program, LoraOperands &operands,
             const LoraExpectation &expectation,
             const Compiled::Variant &variant, Random &random) {
    if (HasFailure())
      return;
    Buffer result(operands.y->getType(), operands.y->getShape(),
                  Layout::random(operands.y->getShape(), random));
    std::vector<Buffer *> arguments = operands.getArguments(program);
    arguments.push_back(&result);
    ASSERT_EQ(variant.program->call(arguments), "") << variant.route.describe();
    ASSERT_EQ(expectation.check(*operands.y, result), "")
        << variant.route.describe() << ", T " << operands.tokens << " L "
        << operands.adapters << " K " << operands.k << " R " << operands.r;
    if (program.tokens.known < 0 && operands.tokens > 0 && operands.x &&
        program.hasB() && !operands.order)
      checkAlone(operands, variant, random.integer(0, operands.tokens - 1),
                 result);
  }

  /// A token gets the same bits in a batch of its own.
  void checkAlone(LoraOperands &operands, const Compiled::Variant &variant,
                  int64_t token, const Buffer &result) {
    auto getRow = [&](std::optional<Buffer> &all) {
      llvm::SmallVector<int64_t, 4> shape(all->getShape());
      shape[0] = 1;
      std::optional<Buffer> row(std::in_place, all->getType(), shape);
      for (int64_t i = 0; i < row->size(); ++i)
        row->set(i, all->get(token * row->size() + i));
      return row;
    };
    std::optional<Buffer> x = getRow(operands.x), ids = getRow(operands.ids),
                          y = getRow(operands.y), alone = getRow(operands.y);
    std::vector<Buffer *> arguments{&*x, &*ids};
    for (size_t s = 0; s < operands.n.size(); ++s) {
      arguments.push_back(&operands.a[s]);
      arguments.push_back(&operands.b[s]);
    }
    for (std::optional<Buffer> *buffer : {&operands.scales, &operands.ranks})
      if (*buffer)
        arguments.push_back(&**buffer);
    arguments.push_back(&*y);
    arguments.push_back(&*alone);
    ASSERT_EQ(variant.program->call(arguments), "") << variant.route.describe();
    for (int64_t i = 0; i < alone->size(); ++i)
      ASSERT_EQ(alone->getBits(i), result.getBits(token * alone->size() + i))
          << variant.route.describe() << ": token " << token
          << " depends on the batch";
  }
};

TEST_P(LoraPropertyTest, Matmul) { run(LoraProgram::Kind::Matmul, 0.09); }
TEST_P(LoraPropertyTest, Shrink) { run(LoraProgram::Kind::Shrink, 0.035); }
TEST_P(LoraPropertyTest, Expand) { run(LoraProgram::Kind::Expand, 0.035); }

/// The grouping itself is exact.
TEST(LoraGroupPropertyTest, Groups) {
  constexpr ElementType i32 = ElementType::I32;
  forEachProgram(0.02, 90, 16, [&](Random &random, int64_t cases) {
    Dim tokens = Dim::random(random, 0, 60), starts = Dim::random(random, 1, 6);
    std::string t = tensorType({tokens.str()}, i32),
                g = tensorType({starts.str()}, i32);
    std::string text = "func.func @f(%ids: " + t + ", %o: " + t + ", %s: " + g +
                       ") -> (" + t + ", " + g +
                       ") { %0:2 = frit.lora_group ins(%ids : " + t +
                       ") outs(%o, %s : " + t + ", " + g + ") -> " + t + ", " +
                       g + " return %0#0, %0#1 : " + t + ", " + g + " }";
    SCOPED_TRACE(text);
    auto compiled = Compiled::compile(text, random);
    for (int64_t i = 0; compiled && i < cases; ++i) {
      int64_t numTokens = tokens.choose(random);
      int64_t numGroups = starts.choose(random) - 1;
      Buffer ids(i32, {numTokens}), order(i32, {numTokens}),
          begins(i32, {numGroups + 1});
      for (int64_t j = 0; j < numTokens; ++j)
        ids.set(j, static_cast<double>(random.integer(-2, numGroups + 1)));
      std::vector<double> expectedOrder, expectedStarts;
      for (int64_t group = 0; group <= numGroups; ++group) {
        expectedStarts.push_back(static_cast<double>(expectedOrder.size()));
        for (int64_t j = 0; j < numTokens; ++j) {
          auto id = static_cast<int64_t>(ids.get(j));
          bool isNone = id < 0 || id >= numGroups;
          if (group < numGroups ? id == group : isNone)
            expectedOrder.push_back(static_cast<double>(j));
        }
      }
      for (const Compiled::Variant &variant : compiled->variants) {
        Buffer order2(i32, {numTokens}), starts2(i32, {numGroups + 1});
        ASSERT_EQ(
            variant.program->call({&ids, &order, &begins, &order2, &starts2}),
            "");
        for (int64_t j = 0; j < numTokens; ++j)
          ASSERT_EQ(order2.get(j), expectedOrder[j]);
        for (int64_t j = 0; j <= numGroups; ++j)
          ASSERT_EQ(starts2.get(j), expectedStarts[j]);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Types, LoraPropertyTest,
                         ::testing::Values(ElementType::F32, ElementType::F16,
                                           ElementType::BF16),
                         nameOfType);

} // namespace
