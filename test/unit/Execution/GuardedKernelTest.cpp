//===- GuardedKernelTest.cpp ----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel whose conditions depend on dynamic sizes, executed on both sides of
// its guard. The kernel belongs to a third party: it fills its result with a
// number that tells it from the native one.
//
//===----------------------------------------------------------------------===//

#include "CompiledText.h"

#include "frit/Dialect/Frit/IR/Frit.h"
#include "frit/Dialect/Frit/Transforms/Passes.h"
#include "frit/Kernels/KernelTable.h"
#include "frit/Pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/Pass.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace mlir::frit;

namespace {

constexpr llvm::StringLiteral kernelId = "test.fill";
constexpr float mark = 7;

void addFillKernel(KernelTable &table) {
  (void)table.add({kernelId.str(),
                   "frit.act_and_mul",
                   KernelProvider::Library,
                   KernelTargets::cpu(),
                   {"f32"},
                   /*priority=*/60,
                   {KernelCondition::multipleOf("test.d", "d", 8),
                    KernelCondition::atMost("test.tokens", "T", 4)}});
}

/// The lowering of the third party.
struct LowerFillPass : PassWrapper<LowerFillPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerFillPass)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect>();
  }

  void runOnOperation() override {
    getOperation()->walk([](ActAndMulOp op) {
      if (op.getKernel().getId() != kernelId)
        return;
      OpBuilder builder(op);
      Value number = arith::ConstantOp::create(builder, op.getLoc(),
                                               builder.getF32FloatAttr(mark));
      auto fill =
          linalg::FillOp::create(builder, op.getLoc(), number, op.getOut());
      op->replaceAllUsesWith(fill);
      op->erase();
    });
  }
};

TEST(GuardedKernelTest, BothSides) {
  auto compiled = CompiledText::compile(
      R"(
    func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %r = frit.act_and_mul silu ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
      return %r : tensor<?x?xf32>
    })",
      [](OpPassManager &pm) {
        SelectKernelsPassOptions options;
        options.target = "cpu";
        pm.addPass(createSelectKernelsPass(options));
        pm.addPass(std::make_unique<LowerFillPass>());
        buildCpuPipeline(pm, CpuPipelineOptions());
      },
      addFillKernel);
  ASSERT_TRUE(static_cast<bool>(compiled))
      << llvm::toString(compiled.takeError());

  struct Case {
    int64_t tokens, d;
    bool isFilled;
  };
  for (Case test : {Case{3, 16, true}, Case{4, 8, true}, Case{5, 16, false},
                    Case{3, 12, false}, Case{0, 16, true}}) {
    SCOPED_TRACE(std::to_string(test.tokens) + " x " + std::to_string(test.d));
    auto make = [&](int64_t width) {
      return llvm::cantFail(
          HostTensor::allocate({ElementType::F32, {test.tokens, width}}));
    };
    HostTensor x = make(2 * test.d), y = make(test.d), result = make(test.d);
    for (int64_t i = 0; i < x.getNumElements(); ++i)
      x.setDouble(i, 0.5);
    ASSERT_FALSE(llvm::errorToBool(compiled->call("f", {&x, &y, &result})));
    double expected = test.isFilled ? mark : 0.5 / (1 + std::exp(-0.5)) * 0.5;
    for (int64_t i = 0; i < result.getNumElements(); ++i)
      ASSERT_NEAR(result.getDouble(i), expected, 1e-6);
  }
}

} // namespace
