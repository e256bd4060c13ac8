//===- SwigluKernel.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds a kernel of this compiler to Frit's table. With a higher priority than
// Frit's own, it is what selection picks wherever its conditions hold.
//
//===----------------------------------------------------------------------===//

#include "Downstream.h"

#include "frit/Kernels/KernelTable.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::frit;

// The fatbin that nvcc made of swiglu.cu. A build without nvcc has none, and
// then Frit says so where it lists or refuses the kernel.
#ifdef DOWNSTREAM_SWIGLU_FATBIN
asm(".section .rodata\n"
    ".balign 16\n"
    "downstreamSwigluBegin:\n"
    ".incbin \"" DOWNSTREAM_SWIGLU_FATBIN "\"\n"
    "downstreamSwigluEnd:\n"
    ".previous\n");
extern "C" const unsigned char downstreamSwigluBegin[], downstreamSwigluEnd[];

static std::vector<KernelImage> getImages() {
  size_t size = downstreamSwigluEnd - downstreamSwigluBegin;
  uint64_t hash = llvm::xxh3_64bits({downstreamSwigluBegin, size});
  return {{"downstream_swiglu", downstreamSwigluBegin, size, hash,
           DOWNSTREAM_ARCHITECTURE}};
}
#else
static std::vector<KernelImage> getImages() { return {}; }
#endif

/// The kernel knows one activation.
static KernelCondition isSilu() {
  return {"downstream.silu", "the activation to be silu",
          [](KernelOpInterface op, const KernelShape &) {
            Activation activation =
                cast<ActAndMulOp>(op.getOperation()).getActivation();
            if (activation == Activation::Silu)
              return KernelFinding::met();
            return KernelFinding::notMet(
                "needs the activation to be silu, but it is " +
                stringifyActivation(activation).str());
          }};
}

/// A block for each row, as far as a grid goes.
static KernelLaunchPlan planLaunch(const KernelPlanSizes &sizes) {
  KernelLaunchPlan plan;
  plan.grid[0] = KernelPlanValue{sizes("T"), sizes.getConstant(1 << 20)};
  plan.block[0] = sizes.getConstant(256);
  return plan;
}

/// The parameters of the function in swiglu.cu, in order. Packed operands hold
/// gate and up in one row.
static std::vector<KernelArgument> planArguments(KernelOpInterface op,
                                                 const KernelPlanSizes &sizes) {
  bool isPacked = cast<ActAndMulOp>(op.getOperation()).isPacked();
  unsigned up = isPacked ? 0 : 1;
  unsigned out = op->getNumOperands() - 1;
  return {KernelArgument::pointer(0),
          KernelArgument::pointer(up, isPacked ? sizes("d") : AffineExpr()),
          KernelArgument::pointer(out),
          KernelArgument::size(sizes("T")),
          KernelArgument::size(sizes("d")),
          KernelArgument::stride(0, 0),
          KernelArgument::stride(up, 0),
          KernelArgument::stride(out, 0)};
}

static void addEntries(KernelTable &table) {
  KernelEntry entry{"downstream.swiglu",
                    "frit.act_and_mul",
                    KernelProvider::Cuda,
                    KernelTargets::minimumSm(90),
                    {"bf16"},
                    /*priority=*/100,
                    {isSilu()}};
  entry.launchPlan = planLaunch;
  entry.argumentPlan = planArguments;
  entry.function = [](KernelOpInterface) { return "downstream_swiglu_bf16"; };
  entry.images = getImages();
  // An entry that is not sound is reported and left out.
  (void)table.add(std::move(entry));
}

void downstream::registerKernels(DialectRegistry &registry) {
  frit::registerKernels(registry, addEntries);
}
