//===- KernelTargetTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Targets as users write them, and which kernels run on them.
//
//===----------------------------------------------------------------------===//

#include "KernelTestContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

std::string parse(StringRef text, std::string &message) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  Messages messages(&context);
  FailureOr<KernelTarget> target = KernelTarget::parse(
      text, [&] { return emitError(UnknownLoc::get(&context)); });
  message = messages.str();
  return succeeded(target) ? target->str() : "";
}

TEST(KernelTargetTest, Parses) {
  std::string message;
  for (StringRef text : {"cpu", "cpu+onednn", "cuda:sm_80", "cuda:sm_89",
                         "cuda:sm_90", "cuda:sm_90a", "cuda:sm_100",
                         "cuda:sm_100a", "cuda:sm_103", "cuda:sm_120"}) {
    EXPECT_EQ(parse(text, message), text);
    EXPECT_EQ(message, "");
  }
}

TEST(KernelTargetTest, RefusesOthersWithTheAcceptedOnes) {
  for (StringRef text :
       {"", "CPU", "cuda", "cuda:", "cuda:sm_", "cuda:sm_50", "cuda:sm_90aa",
        "cuda:sm_ 90", "cuda:sm_+90", "sm_90", "cuda:sm_99999999999999999999",
        "cpu ", "cpu+", "cpu+blas", "onednn", "hip:gfx942"}) {
    std::string message;
    EXPECT_EQ(parse(text, message), "");
    EXPECT_EQ(message, ("unknown target '" + text +
                        "', expected 'cpu', 'cpu+onednn' or 'cuda:sm_XX' with "
                        "XX one of 80, 89, 90, 90a, 100, 100a, 103, 120\n")
                           .str());
  }
}

TEST(KernelTargetTest, Contains) {
  KernelTarget cpu = KernelTarget::getCpu();
  KernelTarget sm80 = KernelTarget::getCuda({80, false});
  KernelTarget sm90 = KernelTarget::getCuda({90, false});
  KernelTarget sm90a = KernelTarget::getCuda({90, true});
  KernelTarget sm100 = KernelTarget::getCuda({100, false});
  for (KernelTarget target : {cpu, sm80, sm90, sm90a, sm100})
    EXPECT_TRUE(KernelTargets::any().contains(target));
  EXPECT_TRUE(KernelTargets::cpu().contains(cpu));
  KernelTarget cpuWithOneDnn = KernelTarget::getCpuWithOneDnn();
  EXPECT_TRUE(KernelTargets::any().contains(cpuWithOneDnn));
  EXPECT_TRUE(KernelTargets::cpu().contains(cpuWithOneDnn));
  EXPECT_TRUE(KernelTargets::cpuWithOneDnn().contains(cpuWithOneDnn));
  EXPECT_FALSE(KernelTargets::cpuWithOneDnn().contains(cpu));
  EXPECT_FALSE(KernelTargets::cpuWithOneDnn().contains(sm90));
  EXPECT_FALSE(KernelTargets::cpu().contains(sm90));

  KernelTargets from90 = KernelTargets::minimumSm(90);
  EXPECT_FALSE(from90.contains(cpu));
  EXPECT_FALSE(from90.contains(sm80));
  EXPECT_TRUE(from90.contains(sm90));
  EXPECT_TRUE(from90.contains(sm90a));
  EXPECT_TRUE(from90.contains(sm100));

  KernelTargets only90a = KernelTargets::exactSm(90);
  EXPECT_FALSE(only90a.contains(cpu));
  EXPECT_FALSE(only90a.contains(sm90));
  EXPECT_TRUE(only90a.contains(sm90a));
  EXPECT_FALSE(only90a.contains(sm100));
}

TEST(KernelTargetTest, BinariesRunWithinTheirGeneration) {
  CudaArch sm80{80, false}, sm89{89, false}, sm90{90, false}, sm90a{90, true};
  EXPECT_TRUE(sm80.runsOn(sm80));
  EXPECT_TRUE(sm80.runsOn(sm89));
  EXPECT_FALSE(sm89.runsOn(sm80));
  EXPECT_FALSE(sm80.runsOn(sm90));
  EXPECT_TRUE(sm90.runsOn(sm90a));
  EXPECT_FALSE(sm90a.runsOn(sm90));
  EXPECT_TRUE(sm90a.runsOn(sm90a));
}

} // namespace
