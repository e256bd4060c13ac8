//===- ElementaryTest.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The error of the polynomial tanh, erf and exp against libm in double, over a
// dense sweep of all floats, and bf16 conversions over the same.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "frit/Pipelines/Pipelines.h"

#include "llvm/ADT/bit.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace mlir::frit;

namespace {

/// Odd, so that the low bits of the floats vary; about 690,000 floats.
constexpr uint32_t stride = 6217;

/// @name applies OP to each element, with an origin that lets it be expanded.
std::string makeFunction(llvm::StringRef name, llvm::StringRef op,
                         llvm::StringRef result) {
  std::string type = "tensor<?x" + result.str() + ">";
  return "func.func @" + name.str() + "(%x: tensor<?xf32>) -> " + type +
         " {\n  %c0 = arith.constant 0 : index\n"
         "  %n = tensor.dim %x, %c0 : tensor<?xf32>\n"
         "  %y = tensor.empty(%n) : " +
         type +
         "\n  %r = linalg.generic {indexing_maps = ["
         "affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
         "iterator_types = [\"parallel\"]} ins(%x : tensor<?xf32>) outs(%y : " +
         type + ") {\n  ^bb0(%e: f32, %o: " + result.str() +
         "):\n    %v = " + op.str() +
         " loc(fused<#frit.origin<\"frit.act_and_mul\", fma>>[\"f\":1:1])\n"
         "    linalg.yield %v : " +
         result.str() + "\n  } -> " + type + "\n  return %r : " + type +
         "\n}\n";
}

class ElementaryTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    std::string text =
        makeFunction("tanh", "math.tanh %e : f32", "f32") +
        makeFunction("erf", "math.erf %e : f32", "f32") +
        makeFunction("exp", "math.exp %e : f32", "f32") +
        makeFunction("round", "arith.truncf %e : f32 to bf16", "bf16");
    CpuPipelineOptions options;
    compiled = new CompiledText(llvm::cantFail(CompiledText::compile(
        text, [&](OpPassManager &pm) { buildCpuPipeline(pm, options); })));
    int64_t count = (uint64_t(1) << 32) / stride + 1;
    inputs = new HostTensor(
        llvm::cantFail(HostTensor::allocate({ElementType::F32, {count + 8}})));
    auto *data = inputs->getDataAs<uint32_t>();
    for (int64_t i = 0; i < count; ++i)
      data[i] = static_cast<uint32_t>(i) * stride;
    const float special[] = {0.0F,      -0.0F, INFINITY, -INFINITY,
                             0x1p-149F, 1e38F, -1e38F,   NAN};
    std::copy(std::begin(special), std::end(special),
              inputs->getDataAs<float>() + count);
  }
  static void TearDownTestSuite() {
    delete compiled;
    delete inputs;
  }

  static HostTensor apply(llvm::StringRef name, ElementType type) {
    HostTensor output =
        llvm::cantFail(HostTensor::allocate({type, inputs->getSpec().shape}));
    llvm::cantFail(compiled->call(name, {inputs, &output}));
    return output;
  }

  /// The largest error in ulp of inputs whose magnitude is in [low, high).
  static double getError(llvm::StringRef name, double (*reference)(double),
                         float low = 0, float high = INFINITY) {
    HostTensor output = apply(name, ElementType::F32);
    double worst = 0;
    for (int64_t i = 0; i < output.getNumElements(); ++i) {
      float x = inputs->getDataAs<float>()[i];
      float y = output.getDataAs<float>()[i];
      double exact = reference(x);
      auto rounded = static_cast<float>(exact);
      if (std::isnan(rounded) || std::isinf(rounded) || std::isinf(x)) {
        EXPECT_TRUE(std::isnan(rounded) ? std::isnan(y) : y == rounded)
            << name.str() << " of " << x << " is " << y;
        continue;
      }
      if (std::fabs(x) < low || std::fabs(x) >= high)
        continue;
      EXPECT_FALSE(std::isnan(y)) << name.str() << " of " << x;
      EXPECT_EQ(std::signbit(y), std::signbit(rounded))
          << name.str() << " of " << x;
      int exponent;
      std::frexp(exact, &exponent);
      double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
      worst = std::max(worst, std::fabs(y - exact) / ulp);
    }
    return worst;
  }

  static CompiledText *compiled;
  static HostTensor *inputs;
};

CompiledText *ElementaryTest::compiled = nullptr;
HostTensor *ElementaryTest::inputs = nullptr;

TEST_F(ElementaryTest, Tanh) {
  EXPECT_LT(getError("tanh", std::tanh), 1.4);
  EXPECT_LT(getError("tanh", std::tanh, 0, 0.55F), 0.8);
}

TEST_F(ElementaryTest, Erf) { EXPECT_LT(getError("erf", std::erf), 1.3); }

TEST_F(ElementaryTest, Exp) { EXPECT_LT(getError("exp", std::exp), 1.1); }

// To nearest even; NaN stays a quiet NaN, subnormals stay.
TEST_F(ElementaryTest, RoundToBF16) {
  HostTensor output = apply("round", ElementType::BF16);
  for (int64_t i = 0; i < output.getNumElements(); ++i) {
    auto bits = inputs->getDataAs<uint32_t>()[i];
    uint16_t actual = output.getDataAs<uint16_t>()[i];
    if (std::isnan(inputs->getDataAs<float>()[i])) {
      EXPECT_EQ(actual & 0x7FC0U, 0x7FC0U);
      continue;
    }
    uint32_t lower = bits & 0xFFFFU, upper = bits >> 16;
    bool up = lower > 0x8000U || (lower == 0x8000U && (upper & 1U));
    EXPECT_EQ(actual, upper + (up ? 1 : 0)) << std::hex << bits;
  }
}

} // namespace
