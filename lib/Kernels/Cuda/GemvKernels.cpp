//===- GemvKernels.cpp ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmuls of few tokens by kernels/Matmul, of rows that one block holds at a
// time. They come after cuBLASLt: on an H200 it reads 32768 x 2048 weights at
// the speed of a copy for up to 16 tokens, too (docs/Performance.md), and these
// are what policy `require=cuda` has.
//
//===----------------------------------------------------------------------===//

#include "CudaKernels.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::frit;

/// Of the kernels: threads of a block, rows of a tile, bytes of a row that a
/// block keeps.
static constexpr int64_t kThreads = 256;
static constexpr int64_t kTileRows = 16;
static constexpr int64_t kRowBytes = 4096;

/// Bytes of weights in flight.
static int64_t getRingBytes(int64_t tokens) {
  return tokens == 8 ? 6 << 14 : 5 << 14;
}

static KernelCondition hasForm() {
  auto check = [](KernelOpInterface op, const KernelShape &) {
    auto matmul = cast<MatmulOp>(op.getOperation());
    auto needs = [](StringRef what) {
      return KernelFinding::notMet(("needs " + what).str());
    };
    if (matmul.isBatched())
      return needs("one matmul, but there is a batch");
    if (matmul.getTransposeA() || !matmul.getTransposeB())
      return needs("x by rows and weights [N, K], as transpose_b alone has it");
    if (matmul.getAccumulate() || matmul.getBias())
      return needs("a plain result, but there is something to add");
    if (matmul.getOutType().getElementType() != matmul.getKernelElementType())
      return needs("a result of the factors' type");
    return KernelFinding::met();
  };
  return {"form", "one matmul, transpose_b, nothing added, one element type",
          check};
}

static KernelCondition hasShortRows() {
  std::string needs =
      llvm::formatv("rows of 1 element to {0} bytes", kRowBytes);
  auto check = [needs](KernelOpInterface op, const KernelShape &shape) {
    AffineExpr terms = shape.getSymbol("K", op.getContext());
    int64_t bytes = op.getKernelElementType().getIntOrFloatBitWidth() / 8;
    using Kind = KernelRequirement::Kind;
    KernelFinding finding;
    finding.requirements = {
        {terms, Kind::AtLeast, 1, "K to be at least 1"},
        {terms * bytes, Kind::AtMost, kRowBytes,
         llvm::formatv("rows of at most {0} bytes", kRowBytes)}};
    return finding;
  };
  return {"rows", needs, check};
}

static KernelLaunchPlan planLaunch(int64_t tokens,
                                   const KernelPlanSizes &sizes) {
  KernelLaunchPlan plan;
  plan.isProgrammatic = true;
  plan.grid = {KernelPlanValue{sizes("N").ceilDiv(kTileRows),
                               sizes.getMultiprocessors()},
               sizes("T").ceilDiv(tokens),
               {}};
  plan.block[0] = sizes.getConstant(kThreads);
  // In f32 the tokens are there as well.
  plan.dynamicSharedMemory =
      getRingBytes(tokens) +
      sizes.getElementBytes().floorDiv(4) * (tokens * kRowBytes);
  return plan;
}

static std::vector<KernelArgument> planArguments(KernelOpInterface op,
                                                 const KernelPlanSizes &sizes) {
  auto matmul = cast<MatmulOp>(op.getOperation());
  unsigned x = matmul.getAMutable().getOperandNumber();
  unsigned w = matmul.getBMutable().getOperandNumber();
  unsigned out = matmul.getOutMutable().getOperandNumber();
  return {KernelArgument::pointer(x),       KernelArgument::pointer(w),
          KernelArgument::pointer(out),     KernelArgument::size(sizes("T")),
          KernelArgument::size(sizes("N")), KernelArgument::size(sizes("K")),
          KernelArgument::stride(x, 0),     KernelArgument::stride(w, 0),
          KernelArgument::stride(out, 0)};
}

static void addEntry(KernelTable &table, int64_t tokens, int64_t priority) {
  KernelEntry entry{llvm::formatv("cuda.gemv_tile{0}", tokens),
                    "frit.matmul",
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(90),
                    {"f32", "f16", "bf16"},
                    priority};
  entry.conditions = {hasForm(), KernelCondition::atMost("tokens", "T", tokens),
                      hasShortRows()};
  entry.launchPlan = [tokens](const KernelPlanSizes &sizes) {
    return planLaunch(tokens, sizes);
  };
  entry.argumentPlan = planArguments;
  entry.function = [tokens](KernelOpInterface op) -> std::string {
    return llvm::formatv("frit_matmul_gemv_{0}_tile{1}",
                         getTypeName(op.getKernelElementType()), tokens);
  };
  entry.images = findImages({"matmul_gemv"});
  (void)table.add(std::move(entry));
}

void frit::addGemvKernels(KernelTable &table) {
  addEntry(table, 8, 16);
  addEntry(table, 16, 15);
}
