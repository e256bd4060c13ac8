//===- ActivationFaultTest.cpp --------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Public faults of gated activations elsewhere, whose kinds must not exist
// here.
//
//===----------------------------------------------------------------------===//

#include "ActivationReference.h"
#include "PropertyTest.h"

#include <cmath>

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

constexpr ElementType bf16 = ElementType::BF16;

/// The sparse op on any packed bf16 rows, compiled once in all ways.
const Compiled &getSparse() {
  static const std::unique_ptr<Compiled> compiled = [] {
    Random random(1, 1000, 0);
    return Compiled::compile(
        "func.func @f(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> "
        "tensor<?x?xbf16> { %0 = frit.gelu_and_mul_sparse ins(%x : "
        "tensor<?x?xbf16>) outs(%y : tensor<?x?xbf16>) std_multiplier = "
        "1.64485359 -> tensor<?x?xbf16> return %0 : tensor<?x?xbf16> }",
        random);
  }();
  return *compiled;
}

/// Runs the sparse op on normal numbers in a layout, and checks every row.
void runSparse(int64_t rows, int64_t width, const Layout &layout,
               double mean = 0, double deviation = 1) {
  Random random(1, 1001, static_cast<uint64_t>(width));
  Buffer x(bf16, {rows, 2 * width}, layout);
  fillNormal(x, random, mean, deviation);
  for (const Compiled::Variant &variant : getSparse().variants) {
    Buffer y(bf16, {rows, width}), result(bf16, {rows, width});
    ASSERT_EQ(variant.program->call({&x, &y, &result}), "");
    ActivationTally tally;
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<double> gate, up, values;
      for (int64_t i = 0; i < width; ++i) {
        gate.push_back(x.get({row, i}));
        up.push_back(x.get({row, width + i}));
        values.push_back(result.get({row, i}));
      }
      ASSERT_EQ(checkSparseRow({bf16, 1.64485359f}, gate, up, values, tally),
                "")
          << variant.route.describe() << " row " << row;
    }
  }
}

TEST(ActivationFaultTest, NoRowsThenTheNextCallSucceeds) {
  runSparse(0, 64, Layout::contiguous({0, 128}));
  runSparse(3, 64, Layout::contiguous({3, 128}));
}

TEST(ActivationFaultTest, WidthsAndBasesThatAreNotAligned) {
  for (int64_t width : {3420, 1234, 31, 1})
    for (int64_t offset : {0, 1}) {
      Layout layout = Layout::contiguous({3, 2 * width});
      layout.offset = offset;
      runSparse(3, width, layout);
    }
}

TEST(ActivationFaultTest, ViewsWithRowStrides) {
  Layout layout = Layout::contiguous({5, 512});
  layout.strides[0] = 2304;
  runSparse(5, 256, layout);
}

TEST(ActivationFaultTest, MasksAreThoseOfEveryRounding) {
  runSparse(64, 512, Layout::contiguous({64, 1024}), 30, 0.1);
}

TEST(ActivationFaultTest, GeluOfLargeGatesIsNoNaN) {
  const double gates[] = {10.5, 11, 40, 1e4, -13, -13.24, -40, -1e4};
  auto width = static_cast<int64_t>(std::size(gates));
  for (const char *kind : {"gelu_tanh", "gelu_erf", "silu"}) {
    Random random(1, 1002, 0);
    auto compiled = Compiled::compile(
        std::string("func.func @f(%g: tensor<?xbf16>, %u: tensor<?xbf16>, %y: "
                    "tensor<?xbf16>) -> tensor<?xbf16> { %0 = "
                    "frit.act_and_mul ") +
            kind +
            " ins(%g, %u : tensor<?xbf16>, tensor<?xbf16>) outs(%y : "
            "tensor<?xbf16>) -> tensor<?xbf16> return %0 : tensor<?xbf16> }",
        random);
    ASSERT_NE(compiled, nullptr);
    for (const Compiled::Variant &variant : compiled->variants) {
      Buffer gate(bf16, {width}), up(bf16, {width}), y(bf16, {width}),
          result(bf16, {width});
      for (int64_t i = 0; i < width; ++i) {
        gate.set(i, gates[i]);
        up.set(i, 1);
      }
      ASSERT_EQ(variant.program->call({&gate, &up, &y, &result}), "");
      for (int64_t i = 0; i < width; ++i) {
        double expected = gates[i] > 0 ? gate.get(i) : 0;
        EXPECT_NEAR(result.get(i), expected, gates[i] > 0 ? 0 : 1e-4)
            << kind << " of " << gates[i] << ", " << variant.route.describe();
      }
    }
  }
}

} // namespace
