//===- TestKernels.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries. None of them has code: selection needs none.
//
//===----------------------------------------------------------------------===//

#include "TestKernels.h"

#include "frit/Kernels/KernelTable.h"

using namespace mlir;
using namespace mlir::frit;

static KernelLaunchPlan planLaunch(const KernelShape &shape,
                                   MLIRContext *context) {
  AffineExpr one = getAffineConstantExpr(1, context);
  AffineExpr rows = shape.getSymbol("T", context);
  return {{rows.ceilDiv(4), one, one},
          {getAffineConstantExpr(128, context), one, one},
          {},
          shape.getSymbol("d", context) * 4};
}

static std::vector<KernelArgument> planArguments(KernelOpInterface op) {
  return {{KernelArgument::Kind::Pointer, 0},
          {KernelArgument::Kind::Stride, 0, 0},
          {KernelArgument::Kind::Pointer, 1}};
}

static KernelEntry makeCuda(StringRef id, KernelTargets targets,
                            std::optional<KernelImage> image) {
  KernelEntry entry{id.str(),
                    "frit.gelu_and_mul_sparse",
                    KernelProvider::Cuda,
                    targets,
                    {"f16", "bf16"},
                    /*priority=*/100};
  entry.launchPlan = planLaunch;
  entry.argumentPlan = planArguments;
  entry.image = std::move(image);
  return entry;
}

/// On the sizes of weights, which may be dynamic.
static KernelCondition weightsFit() {
  std::string needs = "R * K to be at most 65536";
  return {"test.weights_fit", needs,
          [needs](KernelOpInterface op, const KernelShape &shape) {
            MLIRContext *context = op.getContext();
            AffineExpr expr =
                shape.getSymbol("R", context) * shape.getSymbol("K", context);
            return KernelFinding{
                "", {{expr, KernelRequirement::Kind::AtMost, 65536, needs}}};
          }};
}

/// On an attribute, which is always known.
static KernelCondition isTanh() {
  return {"test.tanh", "approximate to be tanh",
          [](KernelOpInterface op, const KernelShape &) {
            auto sparse = cast<GeluAndMulSparseOp>(op.getOperation());
            Approximate form = sparse.getApproximate();
            if (form == Approximate::Tanh)
              return KernelFinding::met();
            return KernelFinding::notMet(
                "needs approximate to be tanh, but it is " +
                stringifyApproximate(form).str());
          }};
}

static void addTestKernels(KernelTable &table) {
  (void)table.add(makeCuda("test.absent", KernelTargets::minimumSm(80), {}));
  (void)table.add(
      makeCuda("test.specific", KernelTargets::exactSm(90),
               KernelImage{"sparse_90a", "00c0ffee", {CudaArch{90, true}}}));
  (void)table.add(makeCuda(
      "test.generic", KernelTargets::minimumSm(80),
      KernelImage{
          "sparse", "00facade", {CudaArch{80, false}, CudaArch{90, true}}}));

  KernelEntry tanhOnly{"test.tanh_only",
                       "frit.gelu_and_mul_sparse",
                       KernelProvider::Library,
                       KernelTargets::cpu(),
                       {"f32"},
                       /*priority=*/50,
                       {isTanh()}};
  tanhOnly.params = [](KernelOpInterface op) {
    Builder builder(op.getContext());
    return builder.getDictionaryAttr(
        builder.getNamedAttr("rows", builder.getI64IntegerAttr(4)));
  };
  (void)table.add(std::move(tanhOnly));

  (void)table.add({"test.wide",
                   "frit.act_and_mul",
                   KernelProvider::Library,
                   KernelTargets::cpu(),
                   {"f32", "bf16"},
                   /*priority=*/60,
                   {KernelCondition::multipleOf("test.d_by_8", "d", 8),
                    KernelCondition::multipleOf("test.d_by_16", "d", 16),
                    KernelCondition::atLeast("test.d_min", "d", 64)}});
  (void)table.add({"test.few_tokens",
                   "frit.act_and_mul",
                   KernelProvider::Library,
                   KernelTargets::cpu(),
                   {"bf16"},
                   /*priority=*/70,
                   {KernelCondition::atMost("test.tokens", "T", 16)}});
  (void)table.add(
      {"test.resident",
       "frit.lora_matmul",
       KernelProvider::Library,
       KernelTargets::cpu(),
       {"bf16"},
       /*priority=*/60,
       {weightsFit(), KernelCondition::equalTo("test.rank", "R", 16)}});
}

void frit::test::registerTestKernels(DialectRegistry &registry) {
  registerKernels(registry, addTestKernels);
}
