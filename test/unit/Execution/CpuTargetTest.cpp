//===- CpuTargetTest.cpp - What code says that it needs -------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions that compiled code records, and those that the runtime finds
// in this machine, beside LLVM's view of both.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/CpuTarget.h"

#include "frit-c/Entry.h"
#include "frit-c/Runtime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TargetParser/Host.h"

#include "gtest/gtest.h"

using namespace mlir::frit;

namespace {

#if defined(__x86_64__)

struct Feature {
  unsigned number;
  llvm::StringRef name;
};

constexpr Feature kFeatures[] = {
#define FRIT_PROCESSOR_FEATURE(number, name, identifier, leaf, subleaf, word,  \
                               bit, state)                                     \
  {number, name},
#include "frit-c/ProcessorFeatures.def"
};

/// What the runtime says of code that needs one feature; empty if it has it.
std::string findMissing(unsigned number) {
  FritEntry entry = {};
  entry.size = sizeof(FritEntry);
  entry.name = "f";
  entry.target = "cpu";
  entry.processorFeatures[number / 64] = uint64_t(1) << number % 64;
  FritContext *context = nullptr;
  EXPECT_EQ(fritContextCreate(nullptr, &context), FRIT_STATUS_OK);
  FritStatus status = fritEntryCheck(context, &entry, nullptr, 0);
  std::string message = status ? fritContextErrorMessage(context) : "";
  fritContextDestroy(context);
  return message;
}

TEST(CpuTargetTest, TheRuntimeSeesWhatLLVMSees) {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  for (const Feature &feature : kFeatures) {
    ASSERT_TRUE(host.contains(feature.name)) << feature.name.str();
    EXPECT_EQ(findMissing(feature.number),
              host.lookup(feature.name)
                  ? ""
                  : "'f': its code for the host is for another processor than "
                    "this machine's, which lacks " +
                        feature.name.str());
  }
}

/// Instructions that the code generator does not pick by itself, and those that
/// every x86-64 has. Whatever LLVM learns to see must be here or in
/// ProcessorFeatures.def.
TEST(CpuTargetTest, EveryFeatureOfLLVMIsClassified) {
  const llvm::StringSet<> others = {
      "64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2",
      // Refused: they treat subnormals as zero.
      "avx512bf16", "avxneconvert", "amx-avx512", "amx-bf16", "amx-complex",
      "amx-fp16", "amx-fp8", "amx-int8", "amx-movrs", "amx-tf32", "amx-tile",
      "amx-transpose", "avx10.2",
      // No more than what their parts are.
      "avx10.1",
      // For the system, other processes and the cache.
      "cldemote", "clflushopt", "clwb", "clzero", "crc32", "enqcmd", "fsgsbase",
      "hreset", "invpcid", "kl", "lwp", "movdir64b", "movdiri", "movrs",
      "mwaitx", "pconfig", "pku", "prefetchi", "prfchw", "ptwrite", "rdpid",
      "rdpru", "rdrnd", "rdseed", "rtm", "serialize", "sgx", "shstk", "sm3",
      "sm4", "tsxldtrk", "uintr", "usermsr", "waitpkg", "wbnoinvd", "widekl",
      "xsave", "xsavec", "xsaveopt", "xsaves"};
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    EXPECT_TRUE(others.contains(feature.getKey()) ||
                llvm::any_of(kFeatures,
                             [&](const Feature &known) {
                               return known.name == feature.getKey();
                             }))
        << feature.getKey().str();
}

TEST(CpuTargetTest, ATargetRecordsWhatItAddsToTheBaseline) {
  auto get = [](llvm::StringRef cpu) {
    auto target = CpuTarget::get(cpu);
    EXPECT_TRUE(bool(target));
    auto features = target->getProcessorFeatures();
    EXPECT_TRUE(bool(features));
    return *features;
  };
  EXPECT_TRUE(get(CpuTarget::getBaselineName()).empty());
  llvm::SmallVector<llvm::StringRef> v3 = get("x86-64-v3");
  for (llvm::StringRef name :
       {"sse4.2", "avx2", "fma", "f16c", "bmi2", "movbe"})
    EXPECT_TRUE(llvm::is_contained(v3, name)) << name.str();
  EXPECT_FALSE(llvm::is_contained(v3, "avx512f"));
  EXPECT_TRUE(llvm::is_contained(get("sapphirerapids"), "avx512fp16"));
}

/// A virtual machine hides what is for the system, and its processor is still
/// the one that it is.
TEST(CpuTargetTest, OnlyWhatCodeUsesKeepsItFromRunning) {
  auto target = CpuTarget::get(CpuTarget::getBaselineName());
  ASSERT_TRUE(bool(target));
  target->features += ",+mwaitx,+pku,+rdpru,+wbnoinvd,+sgx,+pconfig";
  llvm::Error error = target->checkRunsHere();
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  for (const Feature &feature : kFeatures) {
    if (host.lookup(feature.name))
      continue;
    target->features += (",+" + feature.name).str();
    std::string message = llvm::toString(target->checkRunsHere());
    EXPECT_NE(message.find(feature.name), std::string::npos) << message;
  }
}

#endif

} // namespace
