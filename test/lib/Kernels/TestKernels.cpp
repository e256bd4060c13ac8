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

static KernelLaunchPlan planLaunch(const KernelPlanSizes &sizes) {
  return {{sizes("T").ceilDiv(4)},
          {sizes.getConstant(128)},
          /*cluster=*/{},
          sizes("d") * sizes.getElementBytes()};
}

/// Persistent: a cluster of two blocks a row, as many as the device holds.
static KernelLaunchPlan planPersistent(const KernelPlanSizes &sizes) {
  return {{KernelPlanValue{sizes("T") * 2, sizes.getMultiprocessors() * 2}},
          {sizes.getConstant(256)},
          {sizes.getConstant(2)},
          /*dynamicSharedMemory=*/{},
          /*isProgrammatic=*/true};
}

static std::vector<KernelArgument> planArguments(KernelOpInterface op,
                                                 const KernelPlanSizes &sizes) {
  auto sparse = cast<GeluAndMulSparseOp>(op.getOperation());
  using Argument = KernelArgument;
  bool isPacked = sparse.isPacked();
  unsigned up = isPacked ? 0 : 1;
  unsigned out = op->getNumOperands() - 1;
  return {Argument::pointer(0),
          Argument::pointer(up, isPacked ? sizes("d") : AffineExpr()),
          Argument::pointer(out),
          Argument::size(sizes("T")),
          Argument::size(sizes("d")),
          Argument::stride(0, 0),
          Argument::stride(up, 0),
          Argument::stride(out, 0),
          Argument::number(sparse.getStdMultiplierAttr()),
          Argument::workspace()};
}

static std::string getFunction(KernelOpInterface op) {
  std::string name = "test_sparse_";
  llvm::raw_string_ostream(name) << op.getKernelElementType();
  return name;
}

/// Kernels of the right parameters that do nothing.
static constexpr char kCode[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry test_sparse_f16(.param .u64 a, .param .u64 b, .param .u64 c,
    .param .u64 d, .param .u64 e, .param .u64 f, .param .u64 g, .param .u64 h,
    .param .f32 i, .param .u64 j) { ret; }
.visible .entry test_sparse_bf16(.param .u64 a, .param .u64 b, .param .u64 c,
    .param .u64 d, .param .u64 e, .param .u64 f, .param .u64 g, .param .u64 h,
    .param .f32 i, .param .u64 j) { ret; }
.visible .entry test_shrink_f16(.param .u64 a, .param .u64 b) { ret; }
)";

static KernelEntry makeCuda(StringRef id, KernelTargets targets,
                            std::vector<KernelImage> images) {
  KernelEntry entry{id.str(),
                    "frit.gelu_and_mul_sparse",
                    KernelProvider::Cuda,
                    targets,
                    {"f16", "bf16"},
                    /*priority=*/100};
  entry.launchPlan = planLaunch;
  entry.argumentPlan = planArguments;
  entry.function = getFunction;
  entry.workspace = [](const KernelPlanSizes &sizes) { return sizes("T") * 8; };
  entry.images = std::move(images);
  return entry;
}

/// Takes weights without gaps only: (A of slice 0, h).
static KernelEntry makeContiguous() {
  KernelEntry entry{"test.contiguous",
                    "frit.lora_shrink",
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(80),
                    {"f16"},
                    /*priority=*/100};
  entry.launchPlan = [](const KernelPlanSizes &sizes) {
    return KernelLaunchPlan{{sizes("T")}, {sizes.getConstant(32)}};
  };
  entry.argumentPlan = [](KernelOpInterface op, const KernelPlanSizes &) {
    return std::vector<KernelArgument>{
        KernelArgument::pointer(2),
        KernelArgument::pointer(op->getNumOperands() - 1)};
  };
  entry.contiguousOperands = [](KernelOpInterface) {
    return SmallVector<unsigned>{2};
  };
  entry.function = [](KernelOpInterface) {
    return std::string("test_shrink_f16");
  };
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
  static const auto *code = reinterpret_cast<const unsigned char *>(kCode);
  (void)table.add(makeCuda("test.absent", KernelTargets::minimumSm(80), {}));
  (void)table.add(
      makeCuda("test.specific", KernelTargets::exactSm(90),
               {{"sparse_90a", code, sizeof(kCode), 0xc0ffee, "90a"}}));
  KernelEntry generic =
      makeCuda("test.generic", KernelTargets::minimumSm(80),
               {{"sparse", code, sizeof(kCode), 0xfacade, "80,90a"}});
  generic.launchPlan = planPersistent;
  (void)table.add(std::move(generic));
  KernelEntry contiguous = makeContiguous();
  contiguous.images = {{"shrink", code, sizeof(kCode), 0xbead, "80,90a"}};
  (void)table.add(std::move(contiguous));

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
