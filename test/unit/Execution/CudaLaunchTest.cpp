//===- CudaLaunchTest.cpp - What compiled functions launch ----------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles functions for a GPU, calls them in this process on the stub driver,
// and looks at the launches: grid, arguments, order, and what a second call
// asks the driver for.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Kernels/TestKernels.h"
#include "../Runtime/DeviceTest.h"

#include "frit/Execution/Executable.h"
#include "frit/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <array>
#include <set>

using namespace mlir;
using namespace mlir::frit;

namespace stub = ::frit::stub;

namespace {

/// Memrefs of rank 2, 1 and 3 as entry points take them.
struct Matrix {
  void *allocated;
  void *aligned;
  int64_t offset;
  int64_t sizes[2];
  int64_t strides[2];

  Matrix(void *memory, int64_t rows, int64_t columns, int64_t stride = 0,
         int64_t offset = 0)
      : allocated(memory), aligned(memory), offset(offset),
        sizes{rows, columns}, strides{stride ? stride : columns, 1} {}

  uint64_t getAddress(int64_t element = 0) const {
    return reinterpret_cast<uint64_t>(aligned) + 2 * (offset + element);
  }
};

struct Vector {
  void *allocated, *aligned;
  int64_t offset = 0, size, stride = 1;

  Vector(void *memory, int64_t size)
      : allocated(memory), aligned(memory), size(size) {}
};

struct Tensor {
  void *allocated, *aligned;
  int64_t offset = 0;
  std::array<int64_t, 3> sizes, strides;

  Tensor(void *memory, std::array<int64_t, 3> sizes,
         std::array<int64_t, 3> strides)
      : allocated(memory), aligned(memory), sizes(sizes), strides(strides) {}
};

class CudaLaunchTest : public DeviceTest {
protected:
  CudaLaunchTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerAllButFusedKernels(registry);
    test::registerTestKernels(registry);
    mlirContext.appendDialectRegistry(registry);
  }

  /// Compiles a module. PTX, so that the stub driver can load it.
  std::unique_ptr<Executable> compile(StringRef text, StringRef policy) {
    module = parseSourceString<ModuleOp>(text, &mlirContext);
    PassManager pm(&mlirContext);
    CudaPipelineOptions options;
    options.policy = policy.str();
    options.ptxOnly = true;
    buildCudaPipeline(pm, options);
    if (!module || failed(pm.run(*module)))
      return nullptr;
    auto target = CpuTarget::getHost();
    if (!target)
      return nullptr;
    auto executable = Executable::compile(*module, *target);
    if (executable)
      return std::move(*executable);
    ADD_FAILURE() << llvm::toString(executable.takeError());
    return nullptr;
  }

  FritStatus call(Executable &executable, FritContext *context,
                  ArrayRef<void *> arguments) {
    auto entry = executable.lookup("main");
    if (entry)
      return (*entry)(context, const_cast<void **>(arguments.data()));
    ADD_FAILURE() << llvm::toString(entry.takeError());
    return FRIT_STATUS_INTERNAL;
  }

  MLIRContext mlirContext;
  OwningOpRef<ModuleOp> module;
};

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

TEST_F(CudaLaunchTest, AFusedKernelGetsItsPlan) {
  std::unique_ptr<Executable> executable = compile(kSparse, "require=cuda");
  ASSERT_NE(executable, nullptr);
  DeviceContext context;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 1 << 16, &memory), FRIT_STATUS_OK);
  // Rows of a larger tensor, from an odd element on.
  Matrix x(memory, 5, 256, /*stride=*/300, /*offset=*/7);
  Matrix y(memory, 5, 128);
  ASSERT_EQ(call(*executable, context, {&x, &y}), FRIT_STATUS_OK);

  ASSERT_EQ(stub::getLaunches().size(), 1u);
  stub::Launch launch = stub::getLaunches().front();
  EXPECT_EQ(launch.function, "test_sparse_bf16");
  EXPECT_EQ(launch.grid[0], 10u);
  EXPECT_EQ(launch.grid[1], 1u);
  EXPECT_EQ(launch.block[0], 256u);
  EXPECT_EQ(launch.cluster[0], 2u);
  EXPECT_EQ(launch.cluster[1], 1u);
  EXPECT_EQ(launch.sharedBytes, 0u);
  EXPECT_TRUE(launch.programmatic);
  ASSERT_EQ(launch.arguments.size(), 10u);
  EXPECT_EQ(launch.arguments[0], x.getAddress());
  EXPECT_EQ(launch.arguments[1], x.getAddress(128));
  EXPECT_EQ(launch.arguments[2], y.getAddress());
  EXPECT_EQ(launch.arguments[3], 5u);
  EXPECT_EQ(launch.arguments[4], 128u);
  EXPECT_EQ(launch.arguments[5], 300u);
  EXPECT_EQ(launch.arguments[6], 300u);
  EXPECT_EQ(launch.arguments[7], 128u);
  EXPECT_EQ(launch.arguments[8], 0x3fc00000u);
  EXPECT_NE(launch.arguments[9], 0u);

  // As many clusters as the device holds, no more.
  Matrix many(memory, 1000, 256), result(memory, 1000, 128);
  ASSERT_EQ(call(*executable, context, {&many, &result}), FRIT_STATUS_OK);
  int64_t multiprocessors =
      fritDeviceAttribute(context, FRIT_DEVICE_MULTIPROCESSORS);
  EXPECT_EQ(stub::getLaunches().back().grid[0], 2 * multiprocessors);

  Matrix none(memory, 0, 256), empty(memory, 0, 128);
  ASSERT_EQ(call(*executable, context, {&none, &empty}), FRIT_STATUS_OK);
  EXPECT_EQ(stub::getLaunches().size(), 2u);
}

TEST_F(CudaLaunchTest, WeightsWithGapsAreCopied) {
  std::unique_ptr<Executable> executable = compile(
      R"mlir(
    func.func @main(%x: tensor<5x64xf16>, %ids: tensor<5xi32>, %a: tensor<2x8x64xf16>) -> tensor<1x5x8xf16> {
      %e = tensor.empty() : tensor<1x5x8xf16>
      %h = frit.lora_shrink ins(%x, %ids : tensor<5x64xf16>, tensor<5xi32>) weights(%a : tensor<2x8x64xf16>)
             outs(%e : tensor<1x5x8xf16>) -> tensor<1x5x8xf16>
      return %h : tensor<1x5x8xf16>
    })mlir",
      "auto");
  ASSERT_NE(executable, nullptr);
  DeviceContext context;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 1 << 16, &memory), FRIT_STATUS_OK);
  Matrix x(memory, 5, 64);
  Vector ids(memory, 5);
  Tensor a(memory, {2, 8, 64}, {512, 64, 1}), h(memory, {1, 5, 8}, {40, 8, 1});
  auto getShrinks = [&] {
    std::vector<stub::Launch> shrinks = stub::getLaunches();
    llvm::erase_if(shrinks, [](const stub::Launch &launch) {
      return launch.function != "test_shrink_f16";
    });
    return shrinks;
  };
  auto countOthers = [&] {
    return stub::getLaunches().size() - getShrinks().size();
  };
  ASSERT_EQ(call(*executable, context, {&x, &ids, &a, &h}), FRIT_STATUS_OK);
  ASSERT_EQ(getShrinks().size(), 1u);
  EXPECT_EQ(getShrinks().back().arguments[0], x.getAddress());
  // Of each call, before it: kernels that group the tokens.
  size_t each = countOthers(), numOthers = each;

  // Rows apart, and adapters apart: one kernel more, which copies.
  for (const std::array<int64_t, 3> &strides :
       {std::array<int64_t, 3>{1024, 128, 1}, {2048, 64, 1}}) {
    Tensor gaps(memory, {2, 8, 64}, strides);
    ASSERT_EQ(call(*executable, context, {&x, &ids, &gaps, &h}),
              FRIT_STATUS_OK);
    EXPECT_NE(getShrinks().back().arguments[0], x.getAddress());
    numOthers += each + 1;
    EXPECT_EQ(countOthers(), numOthers);
  }
  EXPECT_EQ(getShrinks().size(), 3u);
}

TEST_F(CudaLaunchTest, GeneratedKernelsRunInOrder) {
  std::unique_ptr<Executable> executable = compile(kSparse, "native");
  ASSERT_NE(executable, nullptr);
  DeviceContext context;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 1 << 16, &memory), FRIT_STATUS_OK);
  Matrix x(memory, 5, 256), y(memory, 5, 128);
  ASSERT_EQ(call(*executable, context, {&x, &y}), FRIT_STATUS_OK);

  std::vector<stub::Launch> launches = stub::getLaunches();
  ASSERT_FALSE(launches.empty());
  EXPECT_EQ(countCalls("cuModuleLoadDataEx"), 1);
  for (const stub::Launch &launch : launches) {
    EXPECT_NE(launch.arguments.size(), 0u);
    EXPECT_LE(launch.block[0], 1024u);
  }
  // The last one writes the result.
  const std::vector<uint64_t> &last = launches.back().arguments;
  EXPECT_NE(llvm::find(last, y.getAddress()), last.end());
}

TEST_F(CudaLaunchTest, ASecondCallOnlyLaunches) {
  for (StringRef policy : {"native", "require=cuda"}) {
    size_t numLaunches = stub::getLaunches().size();
    std::unique_ptr<Executable> executable = compile(kSparse, policy);
    ASSERT_NE(executable, nullptr);
    DeviceContext context;
    void *memory = nullptr;
    ASSERT_EQ(fritDeviceMalloc(context, 1 << 16, &memory), FRIT_STATUS_OK);
    Matrix x(memory, 5, 256), y(memory, 5, 128);
    ASSERT_EQ(call(*executable, context, {&x, &y}), FRIT_STATUS_OK);
    std::vector<stub::Launch> before = stub::getLaunches();
    before.erase(before.begin(), before.begin() + numLaunches);
    size_t numCalls = stub::getCalls().size();
    ASSERT_EQ(call(*executable, context, {&x, &y}), FRIT_STATUS_OK);
    std::vector<std::string> calls = stub::getCalls();
    for (size_t i = numCalls; i < calls.size(); ++i)
      EXPECT_TRUE(calls[i] == "cuLaunchKernelEx" ||
                  StringRef(calls[i]).starts_with("cuCtx") ||
                  StringRef(calls[i]).starts_with("cuStream"))
          << calls[i];
    std::vector<stub::Launch> after = stub::getLaunches();
    after.erase(after.begin(), after.begin() + numLaunches + before.size());
    ASSERT_EQ(after.size(), before.size());
    for (size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(after[i].function, before[i].function);
      EXPECT_EQ(after[i].arguments, before[i].arguments);
    }

    // So that it can be captured.
    FritGraph *graph = nullptr;
    ASSERT_EQ(fritGraphBeginCapture(context), FRIT_STATUS_OK);
    EXPECT_EQ(call(*executable, context, {&x, &y}), FRIT_STATUS_OK);
    ASSERT_EQ(fritGraphEndCapture(context, &graph), FRIT_STATUS_OK);
    fritGraphDestroy(graph);
  }
}

TEST_F(CudaLaunchTest, AFailingLaunchReturnsItsStatus) {
  std::unique_ptr<Executable> executable = compile(kSparse, "native");
  ASSERT_NE(executable, nullptr);
  DeviceContext context;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 1 << 16, &memory), FRIT_STATUS_OK);
  Matrix x(memory, 5, 256), y(memory, 5, 128);
  stub::failNamed("cuLaunchKernelEx", 719);
  EXPECT_EQ(call(*executable, context, {&x, &y}), FRIT_STATUS_DEVICE_ERROR);
  EXPECT_TRUE(stub::getLaunches().empty());
  context.expectError(FRIT_STATUS_DEVICE_ERROR,
                      {"cuLaunchKernelEx", "main_kernel"});
  fritContextClearError(context);
  EXPECT_EQ(call(*executable, context, {&x, &y}), FRIT_STATUS_OK);
}

TEST_F(CudaLaunchTest, EqualKernelsAreCompiledOnce) {
  std::unique_ptr<Executable> executable = compile(R"mlir(
    func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<64x64xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
      %a = linalg.matmul ins(%x, %y : tensor<64x64xf32>, tensor<64x64xf32>)
             outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
      %b = linalg.matmul ins(%a, %y : tensor<64x64xf32>, tensor<64x64xf32>)
             outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
      %c = linalg.matmul ins(%b, %y : tensor<64x64xf32>, tensor<64x64xf32>)
             outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
      %d = linalg.matmul ins(%c, %y : tensor<64x64xf32>, tensor<64x64xf32>)
             outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
      return %d : tensor<64x64xf32>
    })mlir",
                                                   "native");
  ASSERT_NE(executable, nullptr);
  DeviceContext context;
  void *memory = nullptr;
  ASSERT_EQ(fritDeviceMalloc(context, 1 << 16, &memory), FRIT_STATUS_OK);
  Matrix x(memory, 64, 64);
  ASSERT_EQ(call(*executable, context, {&x, &x, &x}), FRIT_STATUS_OK);
  std::set<std::string> products;
  int64_t numProducts = 0;
  for (const stub::Launch &launch : stub::getLaunches())
    if (launch.arguments.size() > 14) {
      products.insert(launch.function);
      ++numProducts;
    }
  EXPECT_EQ(numProducts, 4);
  // From arguments of any strides; from buffer to buffer, twice; to the result.
  EXPECT_EQ(products.size(), 3u);
}

} // namespace
