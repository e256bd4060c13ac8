//===- ConstantDataTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large constants go past LLVM, and compiled code finds them.
//
//===----------------------------------------------------------------------===//

#include "ConstantData.h"

#include "CompiledText.h"

#include "frit/Pipelines/Pipelines.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mlir;
using namespace mlir::frit;

namespace {

/// The resource section of the text of a module: `big` has `count` floats, the
/// i-th of which is i / 4.
std::string makeResources(int64_t count) {
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i) / 4;
  std::string bytes("\4\0\0\0", 4); // the alignment
  bytes.append(reinterpret_cast<const char *>(values.data()),
               values.size() * sizeof(float));
  return "{-# dialect_resources: { builtin: { big: \"0x" + llvm::toHex(bytes) +
         "\" } } #-}\n";
}

std::string makeGlobals(int64_t count) {
  return llvm::formatv(
             "llvm.mlir.global private constant @weights(dense_resource<big> : "
             "tensor<{0}xf32>) {{alignment = 256 : i64} : !llvm.array<{0} x "
             "f32>\n"
             "llvm.mlir.global private constant @splat(dense<1.0> : "
             "tensor<{0}xf32>) : !llvm.array<{0} x f32>\n"
             "llvm.mlir.global private @variable(dense_resource<big> : "
             "tensor<{0}xf32>) : !llvm.array<{0} x f32>\n",
             count)
             .str() +
         makeResources(count);
}

TEST(ConstantDataTest, LiftsLargeConstants) {
  constexpr int64_t count = 1 << 14;
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect>();
  auto module = parseSourceString<ModuleOp>(makeGlobals(count), &context);
  ASSERT_TRUE(module);
  auto lifted = liftConstants(*module);
  ASSERT_TRUE(static_cast<bool>(lifted)) << llvm::toString(lifted.takeError());
  ASSERT_TRUE(lifted->module);
  ASSERT_EQ(lifted->constants.size(), 1u);
  const ConstantData &data = lifted->constants.front();
  EXPECT_EQ(data.getName(), "weights");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data.getAddress()) % 256, 0u);
  float last;
  std::memcpy(&last, static_cast<char *>(data.getAddress()) + (count - 1) * 4,
              4);
  EXPECT_EQ(last, (count - 1) / 4.0f);

  auto lookup = [](ModuleOp module, StringRef name) {
    return module.lookupSymbol<LLVM::GlobalOp>(name);
  };
  EXPECT_FALSE(lookup(*lifted->module, "weights").getValueOrNull());
  EXPECT_TRUE(lookup(*lifted->module, "splat").getValueOrNull());
  EXPECT_TRUE(lookup(*lifted->module, "variable").getValueOrNull());
  EXPECT_TRUE(lookup(*module, "weights").getValueOrNull());
}

TEST(ConstantDataTest, LeavesSmallConstants) {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect>();
  auto module = parseSourceString<ModuleOp>(makeGlobals(64), &context);
  ASSERT_TRUE(module);
  auto lifted = liftConstants(*module);
  ASSERT_TRUE(static_cast<bool>(lifted)) << llvm::toString(lifted.takeError());
  EXPECT_FALSE(lifted->module);
  EXPECT_TRUE(lifted->constants.empty());
}

TEST(ConstantDataTest, CodeFindsThem) {
  constexpr int64_t count = 1 << 14;
  auto compiled = CompiledText::compile(
      llvm::formatv(R"(
    func.func @f(%x: tensor<{0}xf32>) -> tensor<{0}xf32> {{
      %w = arith.constant dense_resource<big> : tensor<{0}xf32>
      %r = linalg.add ins(%x, %w : tensor<{0}xf32>, tensor<{0}xf32>) outs(%x : tensor<{0}xf32>) -> tensor<{0}xf32>
      return %r : tensor<{0}xf32>
    })",
                    count)
              .str() +
          makeResources(count),
      [](OpPassManager &pm) { buildCpuPipeline(pm, CpuPipelineOptions()); });
  ASSERT_TRUE(static_cast<bool>(compiled))
      << llvm::toString(compiled.takeError());
  auto make = [&] {
    return llvm::cantFail(HostTensor::allocate({ElementType::F32, {count}}));
  };
  HostTensor x = make(), result = make();
  for (int64_t i = 0; i < count; ++i)
    x.setDouble(i, 1);
  ASSERT_FALSE(llvm::errorToBool(compiled->call("f", {&x, &result})));
  for (int64_t i = 0; i < count; ++i)
    ASSERT_EQ(result.getDouble(i), 1 + static_cast<double>(i) / 4);
}

} // namespace
