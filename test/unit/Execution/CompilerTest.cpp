//===- CompilerTest.cpp - The compile driver ------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that tools and embedding programs take, as a program takes them.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Compiler.h"
#include "frit/Execution/Executable.h"
#include "frit/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::frit;

namespace {

class CompilerTest : public testing::Test {
protected:
  CompilerTest() : context(getRegistry(), MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return success();
    });
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                                llvm::SMLoc());
    return parseModule(sources, context);
  }

  static DialectRegistry getRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAll(registry);
    return registry;
  }

  MLIRContext context;
  std::string messages;
};

/// The message of an error; empty if there is none.
template <typename T> std::string getMessage(llvm::Expected<T> value) {
  return value ? std::string() : llvm::toString(value.takeError());
}

constexpr StringLiteral kDouble = R"mlir(
  func.func @double(%x: tensor<?xf32> {frit.tensor = "x"}) -> tensor<?xf32> {
    %y = arith.addf %x, %x : tensor<?xf32>
    return %y : tensor<?xf32>
  }
)mlir";

TEST_F(CompilerTest, TextToACall) {
  OwningOpRef<ModuleOp> module = parse(kDouble);
  ASSERT_TRUE(module) << messages;
  auto name = TargetName::parse("cpu");
  ASSERT_TRUE(bool(name)) << llvm::toString(name.takeError());
  auto target = name->resolve(TargetName::Use::Call);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  ASSERT_TRUE(succeeded(lowerModule(*module, *target, CompileOptions())))
      << messages;
  auto executable = Executable::compile(*module, target->cpu);
  ASSERT_TRUE(bool(executable)) << llvm::toString(executable.takeError());
  EXPECT_EQ((*executable)->getEntryNames(), ArrayRef<std::string>{"double"});

  auto entry = (*executable)->lookupEntry("double");
  ASSERT_TRUE(bool(entry)) << llvm::toString(entry.takeError());
  EXPECT_STREQ((*entry)->name, "double");
  EXPECT_STREQ((*entry)->target, "cpu");
  EXPECT_STREQ((*entry)->values[0].name, "x");
  // The size of the result is the argument's.
  EXPECT_EQ((*entry)->resultSizes, nullptr);
  FritContext *runtime = nullptr;
  ASSERT_EQ(fritContextCreate(nullptr, &runtime), FRIT_STATUS_OK);
  float in[] = {1, 2, 3};
  float out[] = {0, 0, 0};
  int64_t size = 3;
  FritTensor x = fritHostTensor(in, FRIT_TYPE_F32, &size, 1);
  FritTensor y = fritHostTensor(out, FRIT_TYPE_F32, &size, 1);
  const FritTensor *values[] = {&x, &y};
  EXPECT_EQ(fritEntryCall(runtime, *entry, values, 2), FRIT_STATUS_OK)
      << fritContextErrorMessage(runtime);
  EXPECT_EQ(out[2], 6);
  fritContextDestroy(runtime);

  EXPECT_EQ(getMessage((*executable)->lookupEntry("triple")),
            "the code has no function '@triple' to call; it has @double");
}

TEST_F(CompilerTest, WhatDoesNotParseIsDiagnosed) {
  EXPECT_FALSE(parse("func.func @f("));
  EXPECT_NE(messages.find("expected"), std::string::npos) << messages;
}

TEST_F(CompilerTest, FindsFunctions) {
  OwningOpRef<ModuleOp> module = parse(R"mlir(
    func.func private @hidden()
    func.func @a() { return }
    func.func @b() { return }
  )mlir");
  ASSERT_TRUE(module) << messages;
  EXPECT_EQ(getMessage(findFunction(*module, "a")), "");
  EXPECT_EQ(getMessage(findFunction(*module, "c")),
            "the module has no func.func '@c'; it has @a, @b");
  EXPECT_EQ(getMessage(findFunction(*module, "hidden")),
            "the function '@hidden' has no body");
  EXPECT_EQ(getMessage(findMainFunction(*module)),
            "the module has no @main and 2 public functions "
            "with a body; it has @a, @b");
  exportOnly(*module, {*findFunction(*module, "b")});
  auto left = findMainFunction(*module);
  ASSERT_TRUE(bool(left)) << llvm::toString(left.takeError());
  EXPECT_EQ(left->getName(), "b");
}

TEST_F(CompilerTest, PoliciesAreChecked) {
  CompileOptions options;
  EXPECT_FALSE(bool(options.checkPolicy(context)));
  options.policy = "fast";
  llvm::Error error = options.checkPolicy(context);
  ASSERT_TRUE(bool(error));
  std::string message = llvm::toString(std::move(error));
  EXPECT_NE(message.find("unknown policy 'fast'"), std::string::npos)
      << message;
  EXPECT_EQ(messages, "");
}

TEST(TargetNameTest, Reads) {
  auto cpu = TargetName::parse("cpu:x86-64-v3");
  ASSERT_TRUE(bool(cpu)) << llvm::toString(cpu.takeError());
  EXPECT_EQ(cpu->kind, TargetName::Kind::Cpu);
  EXPECT_EQ(cpu->march, "x86-64-v3");
  auto device = TargetName::parse("cuda:3");
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  EXPECT_EQ(device->kind, TargetName::Kind::Cuda);
  EXPECT_EQ(device->device, 3);
  auto chip = TargetName::parse("cuda:sm_90a");
  ASSERT_TRUE(bool(chip)) << llvm::toString(chip.takeError());
  EXPECT_EQ(chip->chip, "sm_90a");
  for (StringRef text :
       {"", "cpu:", "cuda:", "cuda:-1", "cuda:x", "tpu", "cuda:99999999999"})
    EXPECT_EQ(getMessage(TargetName::parse(text)),
              "expected cpu, cpu:MARCH, cpu+onednn[:MARCH], cuda, cuda:N or "
              "cuda:sm_XX, not '" +
                  text.str() + "'");
}

TEST(TargetNameTest, CodeOfAnArchitectureCannotBeCalled) {
  auto name = TargetName::parse("cuda:sm_90a");
  ASSERT_TRUE(bool(name)) << llvm::toString(name.takeError());
  EXPECT_EQ(getMessage(name->resolve(TargetName::Use::Call)),
            "code for the architecture sm_90a can only be "
            "written; to call it, name a device");
  auto target = name->resolve(TargetName::Use::Write);
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  EXPECT_EQ(target->getKernelTarget(), "cuda:sm_90a");
  EXPECT_EQ(target->getDevice(), FRIT_NO_DEVICE);
}

} // namespace
