//===- ArchitecturesTest.cpp - Code for several GPU architectures ---------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph that was compiled for two architectures, on drivers that have one
// each: which kernel is launched shows which code ran.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Kernels/TestKernels.h"
#include "../Runtime/DeviceTest.h"

#include "frit/Execution/Compiler.h"
#include "frit/Execution/Executable.h"
#include "frit/InitAll.h"

#include "frit-c/Entry.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::frit;

namespace stub = ::frit::stub;

namespace {

constexpr StringLiteral kSparse = R"mlir(
func.func @main(%x: tensor<?x256xbf16>) -> tensor<?x128xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %y = tensor.empty(%t) : tensor<?x128xbf16>
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<?x256xbf16>) outs(%y : tensor<?x128xbf16>)
         std_multiplier = 1.5 -> tensor<?x128xbf16>
  return %r : tensor<?x128xbf16>
}
)mlir";

class ArchitecturesTest : public DeviceTest {
protected:
  ArchitecturesTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllButFusedKernels(registry);
    test::registerTestKernels(registry);
    mlirContext.appendDialectRegistry(registry);
  }

  /// Compiles kSparse for all of `text`: for the first with a generated kernel,
  /// for the others with the hand-written `test_sparse_bf16`.
  void compile(StringRef text) {
    auto names = parseTargetList(text);
    ASSERT_TRUE(bool(names)) << llvm::toString(names.takeError());
    SmallVector<CompileTarget> targets;
    SmallVector<OwningOpRef<ModuleOp>> modules;
    CompileOptions options;
    options.policy = "native";
    // So that the stub driver can load it.
    options.ptxOnly = true;
    for (const TargetName &name : *names) {
      auto target = name.resolve(TargetName::Use::Write);
      ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
      targets.push_back(*target);
      modules.push_back(parseSourceString<ModuleOp>(kSparse, &mlirContext));
      ASSERT_TRUE(succeeded(lowerModule(*modules.back(), *target, options)));
      options.policy = "require=cuda";
    }
    ASSERT_TRUE(succeeded(joinArchitectures(modules, targets)));
    auto compiled = Executable::compile(*modules.front(), targets.front().cpu);
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    executable = std::move(*compiled);
    auto found = executable->lookupEntry("main");
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    entry = *found;
  }

  FritStatus call(FritContext *context) {
    void *memory = nullptr;
    if (FritStatus status = fritDeviceMalloc(context, 1 << 16, &memory))
      return status;
    int64_t xSizes[] = {5, 256};
    int64_t ySizes[] = {5, 128};
    FritTensor x = fritHostTensor(memory, FRIT_TYPE_BF16, xSizes, 2);
    FritTensor y = fritHostTensor(static_cast<char *>(memory) + (1 << 15),
                                  FRIT_TYPE_BF16, ySizes, 2);
    x.device = y.device = fritContextDevice(context);
    const FritTensor *values[] = {&x, &y};
    FritStatus status = fritEntryCall(context, entry, values, 2);
    fritDeviceRelease(context, memory);
    return status;
  }

  MLIRContext mlirContext;
  std::unique_ptr<Executable> executable;
  const FritEntry *entry = nullptr;
};

TEST_F(ArchitecturesTest, EachDeviceRunsItsOwnCode) {
  compile("cuda:sm_89,sm_90a");
  EXPECT_STREQ(entry->target, "cuda:sm_89,sm_90a");
  ASSERT_EQ(entry->numVariants, 2);
  EXPECT_STREQ(entry->variants[0]->target, "cuda:sm_89");
  EXPECT_STREQ(entry->variants[1]->target, "cuda:sm_90a");
  for (int32_t sm : {89, 90}) {
    stub::reset();
    stub::setSm(sm);
    DeviceContext context(0);
    ASSERT_EQ(call(context), FRIT_STATUS_OK) << context.getMessage();
    ASSERT_EQ(stub::getLaunches().size(), 1u);
    EXPECT_EQ(stub::getLaunches().front().function == "test_sparse_bf16",
              sm == 90)
        << stub::getLaunches().front().function;
  }
}

TEST_F(ArchitecturesTest, ADeviceOfNeitherIsRefused) {
  compile("cuda:sm_90a,sm_89");
  stub::setSm(120);
  DeviceContext context(0);
  EXPECT_EQ(call(context), FRIT_STATUS_DEVICE_UNAVAILABLE);
  EXPECT_EQ(context.getMessage(),
            "'main': is compiled for cuda:sm_90a,sm_89, of which none runs on "
            "the context's device, an sm_120");
  EXPECT_EQ(stub::getLaunches().size(), 0u);
}

} // namespace
