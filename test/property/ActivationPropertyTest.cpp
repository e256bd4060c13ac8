//===- ActivationPropertyTest.cpp -----------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random shapes, layouts, values and attributes of the gated activations.
//
//===----------------------------------------------------------------------===//

#include "ActivationReference.h"
#include "PropertyTest.h"

#include <cmath>

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

/// Shapes and text that both activations share.
struct GatedProgram {
  ElementType type;
  std::vector<Dim> leading;
  Dim width;
  bool isPacked;

  GatedProgram(ElementType type, Random &random) : type(type) {
    int64_t rank = random.pick({0, 1, 1, 1, 1, 2, 3});
    for (int64_t i = 0; i < rank; ++i)
      leading.push_back(Dim::random(random, 0, rank == 1 ? 12 : 4));
    width = Dim::random(random, 0, random.pick({3, 40, 300, 300, 3000}));
    isPacked = random.chance(0.5);
  }

  std::string getType(int64_t factor) const {
    std::vector<std::string> dims;
    dims.reserve(leading.size() + 1);
    for (const Dim &dim : leading)
      dims.push_back(dim.str());
    dims.push_back(width.str(factor));
    return tensorType(dims, type);
  }

  std::string getText(const std::string &op,
                      const std::string &attributes) const {
    std::string half = getType(1), x = isPacked ? getType(2) : half;
    std::string upArgument = isPacked ? "" : ", %up: " + half;
    std::string ins =
        isPacked ? "%x : " + x : "%x, %up : " + half + ", " + half;
    return "func.func @f(%x: " + x + upArgument + ", %y: " + half + ") -> " +
           half + " {\n  %0 = frit." + op + " ins(" + ins +
           ") outs(%y : " + half + ") " + attributes + " -> " + half +
           "\n  return %0 : " + half + "\n}\n";
  }
};

/// The operands of one call, with the gate and up of each row.
struct GatedCase {
  int64_t rows = 1, width;
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<double> gate, up;
  std::vector<Buffer> inputs;

  GatedCase(const GatedProgram &program, Random &random) {
    for (const Dim &dim : program.leading) {
      shape.push_back(dim.choose(random));
      rows *= shape.back();
    }
    width = program.width.choose(random);
    shape.push_back(width);
    fillRows(program.type, random);
    llvm::SmallVector<int64_t, 4> inputShape = shape;
    inputShape.back() *= program.isPacked ? 2 : 1;
    for (int i = 0; i < (program.isPacked ? 1 : 2); ++i)
      inputs.emplace_back(program.type, inputShape,
                          Layout::random(inputShape, random));
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < width; ++i) {
        int64_t at = row * width + i;
        if (program.isPacked) {
          inputs[0].set(row * 2 * width + i, gate[at]);
          inputs[0].set(row * 2 * width + width + i, up[at]);
        } else {
          inputs[0].set(at, gate[at]);
          inputs[1].set(at, up[at]);
        }
      }
  }

  /// Whether a row has numbers of the standard normal distribution, or a
  /// multiple: they seldom tie.
  std::vector<bool> isNormal;

  void fillRows(ElementType type, Random &random) {
    for (int64_t row = 0; row < rows; ++row) {
      double mean = random.pick({0.0, 0.0, 0.1, -3.0, 30.0});
      double deviation = random.pick({1.0, 1.0, 0.1, 10.0});
      int64_t kind = random.integer(0, 19);
      // 0: constant; 1: small integers, which tie; 2: NaN or inf in the gate;
      // 3: NaN or inf in up.
      isNormal.push_back(kind > 1 && width > 16 && mean == 0);
      double constant = random.normal();
      for (int64_t i = 0; i < width; ++i) {
        double value = mean + deviation * random.normal();
        if (kind == 0)
          value = constant;
        if (kind == 1)
          value = static_cast<double>(random.integer(-2, 2));
        gate.push_back(roundTo(type, value));
        up.push_back(roundTo(type, random.normal()));
      }
      if (width == 0 || kind < 2 || kind > 3)
        continue;
      std::vector<double> &target = kind == 2 ? gate : up;
      target[row * width + random.integer(0, width - 1)] =
          random.pick({double(NAN), double(INFINITY), -double(INFINITY)});
    }
  }

  using CheckRow = std::function<std::string(
      llvm::ArrayRef<double> gate, llvm::ArrayRef<double> up,
      llvm::ArrayRef<double> result, bool isNormal)>;

  /// Calls one variant and checks its rows.
  void run(const GatedProgram &program, const Compiled::Variant &variant,
           Random &random, const CheckRow &checkRow) {
    Buffer y(program.type, shape, Layout::random(shape, random));
    Buffer result(program.type, shape, Layout::random(shape, random));
    fillNormal(y, random);
    std::vector<Buffer *> arguments;
    arguments.reserve(inputs.size() + 2);
    for (Buffer &input : inputs)
      arguments.push_back(&input);
    arguments.push_back(&y);
    arguments.push_back(&result);
    ASSERT_EQ(variant.program->call(arguments), "") << variant.route.describe();
    std::vector<double> values;
    values.reserve(result.size());
    for (int64_t i = 0; i < result.size(); ++i)
      values.push_back(result.get(i));
    for (int64_t row = 0; row < rows; ++row) {
      auto slice = [&](const std::vector<double> &all) {
        return llvm::ArrayRef(all).slice(row * width, width);
      };
      std::string problem =
          checkRow(slice(gate), slice(up), slice(values), isNormal[row]);
      ASSERT_EQ(problem, "")
          << variant.route.describe() << ", row " << row << " of "
          << inputs[0].describe() << " -> " << result.describe();
    }
  }
};

class ActivationPropertyTest : public ::testing::TestWithParam<ElementType> {
protected:
  /// Limits on what a row may show, over all rows of a test.
  void checkTally(const char *name, const ActivationTally &tally,
                  double maxNearTies) {
    RecordProperty(std::string(name) + "_rows", std::to_string(tally.rows));
    RecordProperty(std::string(name) + "_near_ties",
                   std::to_string(tally.nearTies));
    RecordProperty(std::string(name) + "_off_by_one",
                   std::to_string(tally.offByOne));
    if (tally.rows >= 2000) {
      EXPECT_LE(static_cast<double>(tally.nearTies),
                maxNearTies * static_cast<double>(tally.rows));
    }
    if (tally.nonzeros >= 20000) {
      EXPECT_LE(tally.offByOne, tally.nonzeros / 1000);
    }
  }
};

TEST_P(ActivationPropertyTest, GeluAndMulSparse) {
  ElementType type = GetParam();
  ActivationTally normal, special;
  uint64_t test = 10 + static_cast<uint64_t>(type);
  forEachProgram(0.13, test, 20, [&](Random &random, int64_t cases) {
    GatedProgram program(type, random);
    SparseConfig config{type};
    config.multiplier =
        random.pick({1.6448535919f, 0.0f, -1.0f, 1e-3f, 3.0f, 1.6484375f,
                     static_cast<float>(random.normal())});
    config.isErf = random.chance(0.3);
    config.isStepwise = random.chance(0.7);
    config.correction = random.integer(0, 1);
    config.assumesFiniteUp = random.chance(0.2);
    std::string attributes =
        "std_multiplier = " + floatText(config.multiplier) +
        (config.isErf ? " approximate = erf" : "") +
        (config.isStepwise ? "" : " rounding = final") +
        (config.correction ? " correction = 1" : "") +
        (config.assumesFiniteUp ? " assume_finite_up" : "");
    std::string text = program.getText("gelu_and_mul_sparse", attributes);
    SCOPED_TRACE(text);
    auto compiled = Compiled::compile(text, random);
    for (int64_t i = 0; compiled && i < cases; ++i) {
      GatedCase test(program, random);
      for (const Compiled::Variant &variant : compiled->variants) {
        test.run(program, variant, random,
                 [&](llvm::ArrayRef<double> gate, llvm::ArrayRef<double> up,
                     llvm::ArrayRef<double> result, bool isNormal) {
                   return checkSparseRow(config, gate, up, result,
                                         isNormal && config.multiplier > 1.6f &&
                                                 config.multiplier < 1.7f
                                             ? normal
                                             : special);
                 });
        if (HasFailure())
          return;
      }
    }
  });
  checkTally("sparse", normal, type == ElementType::F16 ? 0.02 : 0.01);
}

TEST_P(ActivationPropertyTest, ActAndMul) {
  ElementType type = GetParam();
  ActivationTally tally;
  uint64_t test = 30 + static_cast<uint64_t>(type);
  forEachProgram(0.05, test, 20, [&](Random &random, int64_t cases) {
    GatedProgram program(type, random);
    int64_t kind = random.integer(0, 2);
    const char *const names[] = {"silu", "gelu_tanh", "gelu_erf"};
    std::string text =
        program.getText(std::string("act_and_mul ") + names[kind], "");
    SCOPED_TRACE(text);
    auto compiled = Compiled::compile(text, random);
    for (int64_t i = 0; compiled && i < cases; ++i) {
      GatedCase test(program, random);
      for (const Compiled::Variant &variant : compiled->variants) {
        test.run(program, variant, random,
                 [&](llvm::ArrayRef<double> gate, llvm::ArrayRef<double> up,
                     llvm::ArrayRef<double> result, bool) {
                   return checkGatedRow(type,
                                        static_cast<GatedActivation>(kind),
                                        gate, up, result, tally);
                 });
        if (HasFailure())
          return;
      }
    }
  });
  checkTally("gated", tally, 1);
}

INSTANTIATE_TEST_SUITE_P(Types, ActivationPropertyTest,
                         ::testing::Values(ElementType::F32, ElementType::F16,
                                           ElementType::BF16),
                         nameOfType);

} // namespace
