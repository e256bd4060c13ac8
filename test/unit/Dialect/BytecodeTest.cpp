//===- BytecodeTest.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytecode of the dialect: what is read is what was written, and files of a
// newer version and unknown numbers are refused.
//
//===----------------------------------------------------------------------===//

#include "frit/Dialect/Frit/IR/Bytecode.h"
#include "frit/InitAll.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

class BytecodeTest : public testing::Test {
protected:
  BytecodeTest() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadDialect<FritDialect>();
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { messages += diagnostic.str() + "\n"; });
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAll(registry);
    registry.insert<func::FuncDialect>();
    return registry;
  }

  /// Writes a module as bytecode of a version.
  std::string write(StringRef text, uint64_t version) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    BytecodeWriterConfig config;
    config.setDialectVersion<FritDialect>(
        std::make_unique<FritDialectVersion>(version));
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, stream, config)));
    return bytes;
  }

  MLIRContext context;
  std::string messages;
};

const char text[] = R"(
func.func @f(%x: tensor<?x8xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {
    a = #frit<approximate erf>, b = #frit<rounding final>, c = #frit<lora_rounding sum>,
    d = #frit<intermediate element>, e = #frit<activation gelu_erf>, f = #frit<fp_mode fma>,
    g = #frit.kernel<"a">, h = #frit.origin<"frit.x", strict>} {
  %0 = frit.act_and_mul silu ins(%x : tensor<?x8xf32>) outs(%y : tensor<?x4xf32>)
      {frit.kernel = #frit.kernel<"b", {tile = 4 : i64}>} -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
)";

TEST_F(BytecodeTest, RoundTripsEveryAttribute) {
  std::string bytes = write(text, FritDialectVersion::kCurrent);
  // The encoding is binary: no attribute is stored as its text.
  EXPECT_EQ(bytes.find("lora_rounding"), std::string::npos);
  EXPECT_EQ(bytes.find("#frit"), std::string::npos);
  OwningOpRef<ModuleOp> read = parseSourceString<ModuleOp>(bytes, &context);
  ASSERT_TRUE(read) << messages;
  OwningOpRef<ModuleOp> expected = parseSourceString<ModuleOp>(text, &context);
  std::string readText, expectedText;
  llvm::raw_string_ostream readStream(readText), expectedStream(expectedText);
  read->print(readStream);
  expected->print(expectedStream);
  EXPECT_EQ(readText, expectedText);
}

TEST_F(BytecodeTest, RefusesANewerVersion) {
  std::string bytes = write(text, FritDialectVersion::kCurrent + 6);
  EXPECT_FALSE(parseSourceString<ModuleOp>(bytes, &context));
  EXPECT_NE(messages.find("the file has version 7 of the frit dialect, but "
                          "this build reads up to 1"),
            std::string::npos)
      << messages;
}

TEST_F(BytecodeTest, RefusesAnUnknownCase) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  (*module)->setAttr("a",
                     ActivationAttr::get(&context, static_cast<Activation>(9)));
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  ASSERT_TRUE(succeeded(writeBytecodeToFile(*module, stream)));
  EXPECT_FALSE(parseSourceString<ModuleOp>(bytes, &context));
  EXPECT_NE(
      messages.find("the enumeration 'activation' has no case of number 9"),
      std::string::npos)
      << messages;
}

} // namespace
