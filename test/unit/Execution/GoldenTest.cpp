//===- GoldenTest.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gelu_and_mul_sparse through every kernel of the CPU against stored results
// of PyTorch eager. Of each case: zeros exactly where PyTorch has them, and in
// f16 and bf16 at most 1 of 1000 nonzero elements different, by at most 2 ulp.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "frit/IO/Compare.h"
#include "frit/IO/Safetensors.h"
#include "frit/Pipelines/Pipelines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::frit;

namespace {

/// One stored case.
struct Case {
  std::string name;
  std::string function;
  HostTensor input, expected;
};

/// All cases, and functions that compute them.
struct Golden {
  std::vector<Case> cases;
  /// Text of each function by name, without the kernel's attribute.
  std::map<std::string, std::string> functions;
};

/// A function over packed input of any sizes; `%0` in the text stands for the
/// op's attributes.
std::string makeFunction(llvm::StringRef name, llvm::StringRef type,
                         unsigned rank, llvm::StringRef attributes) {
  std::string shape;
  for (unsigned i = 0; i < rank; ++i)
    shape += "?x";
  std::string tensor = "tensor<" + shape + type.str() + ">";
  std::string text, sizes;
  llvm::raw_string_ostream stream(text);
  stream << "func.func @" << name << "(%x: " << tensor << ") -> " << tensor
         << " {\n  %two = arith.constant 2 : index\n";
  for (unsigned i = 0; i < rank; ++i) {
    stream << "  %c" << i << " = arith.constant " << i << " : index\n  %d" << i
           << " = tensor.dim %x, %c" << i << " : " << tensor << "\n";
    if (i + 1 < rank)
      sizes += "%d" + std::to_string(i) + ", ";
  }
  stream << "  %d = arith.divui %d" << rank - 1 << ", %two : index\n"
         << "  %y = tensor.empty(" << sizes << "%d) : " << tensor << "\n"
         << "  %r = frit.gelu_and_mul_sparse ins(%x : " << tensor
         << ") outs(%y : " << tensor << ") " << attributes << " KERNEL -> "
         << tensor << "\n  return %r : " << tensor << "\n}\n";
  return text;
}

void load(llvm::StringRef part, Golden &golden) {
  auto file = llvm::cantFail(SafetensorsFile::open(
      (llvm::Twine(FRIT_TEST_DATA_DIR) + "/golden/gelu_and_mul_sparse_" + part +
       ".safetensors")
          .str()));
  for (const auto &[name, text] : file.getMetadata()) {
    if (name == "torch")
      continue;
    llvm::json::Value value = llvm::cantFail(llvm::json::parse(text));
    const llvm::json::Object &meta = *value.getAsObject();
    auto multiplier = static_cast<float>(*meta.getNumber("std_multiplier"));
    bool isTanh = *meta.getString("approximate") == "tanh";
    llvm::StringRef type = *meta.getString("dtype");
    HostTensor input = llvm::cantFail(file.read(name + ".x"));
    auto bits = llvm::bit_cast<uint32_t>(multiplier);
    std::string function =
        llvm::formatv("f_{0}_{1}_{2}_{3:x-8}", type, input.getRank(),
                      isTanh ? "tanh" : "erf", bits);
    std::string attributes =
        llvm::formatv("std_multiplier = {0:x8} approximate = {1}", bits,
                      isTanh ? "tanh" : "erf");
    golden.functions.emplace(
        function, makeFunction(function, type, input.getRank(), attributes));
    golden.cases.push_back({name, function, std::move(input),
                            llvm::cantFail(file.read(name + ".cpu"))});
  }
}

/// Loaded once for all tests.
Golden &getGolden() {
  static Golden golden = [] {
    Golden golden;
    for (llvm::StringRef part : {"small", "special", "gemma"})
      load(part, golden);
    return golden;
  }();
  return golden;
}

/// Compiles all functions with a kernel attribute and runs all cases.
void runAll(llvm::StringRef what, llvm::StringRef kernel,
            llvm::function_ref<void(OpPassManager &)> buildPipeline) {
  Golden &golden = getGolden();
  std::string text;
  for (const auto &entry : golden.functions) {
    llvm::StringRef function = entry.second;
    auto [before, after] = function.split("KERNEL");
    text += before;
    if (!kernel.empty())
      text += "{frit.kernel = #frit.kernel<\"" + kernel.str() + "\">}";
    text += after;
  }
  auto compiled = CompiledText::compile(text, buildPipeline);
  ASSERT_TRUE(static_cast<bool>(compiled))
      << llvm::toString(compiled.takeError());

  int64_t elements = 0, nonzero = 0, unequal = 0, wrongZeros = 0;
  for (Case &test : golden.cases) {
    SCOPED_TRACE(test.name);
    HostTensor actual =
        llvm::cantFail(HostTensor::allocate(test.expected.getSpec()));
    // What was there before must not matter.
    for (int64_t i = 0; i < actual.getNumElements(); ++i)
      actual.setDouble(i, 7);
    llvm::Error error = compiled->call(test.function, {&test.input, &actual});
    ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));

    CompareOptions options;
    options.tolerance = Tolerance::getDefault(actual.getType());
    Comparison comparison =
        llvm::cantFail(compareTensors(actual, test.expected, options));
    EXPECT_EQ(comparison.numMismatched, 0);
    EXPECT_EQ(comparison.numZeroMismatched, 0);
    EXPECT_EQ(comparison.numNanMismatched, 0);
    elements += comparison.numElements;
    wrongZeros += comparison.numZeroMismatched;
    if (actual.getType() == ElementType::F32)
      continue;
    EXPECT_LE(comparison.maxUlps, 2U);
    nonzero += comparison.numElements - comparison.numZerosExpected;
    unequal += comparison.numUnequal;
  }
  EXPECT_LE(unequal * 1000, nonzero);
  llvm::outs() << what << ": " << golden.cases.size() << " cases, " << elements
               << " elements, " << wrongZeros
               << " zero-mask mismatches; f16 and bf16: " << unequal << " of "
               << nonzero << " nonzero elements differ\n";
}

void runCpu(llvm::StringRef kernel, unsigned vectorWidth) {
  CpuPipelineOptions options;
  options.vectorWidth = vectorWidth;
  runAll((kernel + " at " + llvm::Twine(vectorWidth) + " bits").str(), kernel,
         [&](OpPassManager &pm) { buildCpuPipeline(pm, options); });
}

TEST(GoldenTest, NativeVector256) { runCpu("native.vector", 256); }

TEST(GoldenTest, NativeVector512) { runCpu("native.vector", 512); }

TEST(GoldenTest, NativeLinalg) { runCpu("native.linalg", 256); }

TEST(GoldenTest, NativeReference) {
  runAll("frit-native-reference", "", [](OpPassManager &pm) {
    buildReferencePipeline(pm, ReferencePipelineOptions());
  });
}

} // namespace
