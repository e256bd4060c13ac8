//===- KernelTableTest.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel table: what may be added, by whom, and in which order it is tried.
//
//===----------------------------------------------------------------------===//

#include "KernelTestContext.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {

KernelEntry makeEntry(StringRef id, StringRef op) {
  return {
      id.str(),      op.str(), KernelProvider::Library, KernelTargets::cpu(),
      {"f32"},
      /*priority=*/5};
}

/// Adds an entry to a fresh table, and gives what was reported.
std::string add(KernelEntry entry, bool expectSuccess) {
  KernelTestContext context;
  Messages messages(context.get());
  EXPECT_EQ(succeeded(context.getMutableTable().add(std::move(entry))),
            expectSuccess);
  return messages.str();
}

TEST(KernelTableTest, EveryOpOfTheDialectHasANativeKernel) {
  KernelTestContext context;
  for (RegisteredOperationName op :
       context.get()->getRegisteredOperationsByDialect("frit")) {
    if (!op.hasInterface<KernelOpInterface>())
      continue;
    EXPECT_NE(context.getTable().lookup(op.getStringRef(), "native.linalg"),
              nullptr)
        << op.getStringRef().str();
  }
}

TEST(KernelTableTest, IsOnePerContext) {
  KernelTestContext first, second;
  EXPECT_TRUE(succeeded(
      first.getMutableTable().add(makeEntry("a.kernel", "frit.act_and_mul"))));
  EXPECT_NE(first.getTable().lookup("frit.act_and_mul", "a.kernel"), nullptr);
  EXPECT_EQ(second.getTable().lookup("frit.act_and_mul", "a.kernel"), nullptr);
}

TEST(KernelTableTest, IsAbsentWithoutRegistration) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  EXPECT_EQ(KernelTable::get(&context), nullptr);
  context.loadDialect<FritDialect>();
  EXPECT_EQ(KernelTable::get(&context), nullptr);
}

TEST(KernelTableTest, ThirdPartiesAddOnceForEachContext) {
  auto addEntries = +[](KernelTable &table) {
    EXPECT_TRUE(
        succeeded(table.add(makeEntry("a.kernel", "frit.act_and_mul"))));
  };
  KernelTestContext context(addEntries);
  EXPECT_NE(context.getTable().lookup("frit.act_and_mul", "a.kernel"), nullptr);
  // Again, and together with others, into the loaded dialect.
  Messages messages(context.get());
  DialectRegistry registry;
  registerKernels(registry, addEntries);
  registerKernels(
      registry, +[](KernelTable &table) {
        EXPECT_TRUE(
            succeeded(table.add(makeEntry("b.kernel", "frit.act_and_mul"))));
      });
  context.get()->appendDialectRegistry(registry);
  EXPECT_EQ(messages.str(), "");
  EXPECT_NE(context.getTable().lookup("frit.act_and_mul", "b.kernel"), nullptr);
}

TEST(KernelTableTest, RefusesUnsoundEntries) {
  EXPECT_EQ(add(makeEntry("a.kernel", "frit.act_and_mul"), true), "");
  // An op of a dialect that is not loaded may still come.
  EXPECT_EQ(add(makeEntry("a.kernel", "other.op"), true), "");

  EXPECT_EQ(add(makeEntry("native.vector", "frit.act_and_mul"), false),
            "cannot add kernel 'native.vector' for op 'frit.act_and_mul': the "
            "table has an entry of this id already\n");
  EXPECT_EQ(add(makeEntry("", "frit.act_and_mul"), false),
            "cannot add kernel '' for op 'frit.act_and_mul': the id is "
            "empty\n");
  EXPECT_EQ(add(makeEntry("a.kernel", "frit.gelu"), false),
            "cannot add kernel 'a.kernel' for op 'frit.gelu': dialect 'frit' "
            "has no op 'frit.gelu'\n");
  EXPECT_EQ(add(makeEntry("a.kernel", "gelu"), false),
            "cannot add kernel 'a.kernel' for op 'gelu': 'gelu' is not the "
            "name of an op\n");

  KernelEntry untyped = makeEntry("a.kernel", "frit.act_and_mul");
  untyped.elementTypes.clear();
  EXPECT_EQ(add(std::move(untyped), false),
            "cannot add kernel 'a.kernel' for op 'frit.act_and_mul': it has no "
            "element type\n");

  KernelEntry twice = makeEntry("a.kernel", "frit.act_and_mul");
  twice.conditions = {KernelCondition::atMost("limit", "d", 8),
                      KernelCondition::atLeast("limit", "d", 2)};
  EXPECT_EQ(add(std::move(twice), false),
            "cannot add kernel 'a.kernel' for op 'frit.act_and_mul': it has "
            "two conditions 'limit'\n");

  KernelEntry unplanned = makeEntry("a.kernel", "frit.act_and_mul");
  unplanned.provider = KernelProvider::Cuda;
  unplanned.targets = KernelTargets::minimumSm(80);
  EXPECT_EQ(add(std::move(unplanned), false),
            "cannot add kernel 'a.kernel' for op 'frit.act_and_mul': a kernel "
            "of provider 'cuda' needs a launch plan, an argument plan and a "
            "function\n");

  KernelEntry imaged = makeEntry("a.kernel", "frit.act_and_mul");
  imaged.images = {{"image", nullptr, 0, 0, "90a"}};
  EXPECT_EQ(add(std::move(imaged), false),
            "cannot add kernel 'a.kernel' for op 'frit.act_and_mul': a kernel "
            "of provider 'library' has no image\n");

  auto makeCuda = [] {
    KernelEntry entry = makeEntry("a.kernel", "frit.act_and_mul");
    entry.provider = KernelProvider::Cuda;
    entry.targets = KernelTargets::minimumSm(80);
    entry.launchPlan = [](const KernelPlanSizes &) {
      return KernelLaunchPlan();
    };
    entry.argumentPlan = [](KernelOpInterface, const KernelPlanSizes &) {
      return std::vector<KernelArgument>();
    };
    entry.function = [](KernelOpInterface) { return "f"; };
    return entry;
  };
  KernelEntry unfinished = makeCuda();
  unfinished.laterSteps = {
      {unfinished.launchPlan, unfinished.argumentPlan, {}}};
  EXPECT_EQ(add(std::move(unfinished), false),
            "cannot add kernel 'a.kernel' for op 'frit.act_and_mul': a kernel "
            "of provider 'cuda' needs a launch plan, an argument plan and a "
            "function\n");
  KernelEntry partial = makeCuda();
  partial.elementTypes = {"f32", "f16", "bf16"};
  partial.images = {{"one", nullptr, 0, 0, "90a"},
                    {"two", nullptr, 0, 0, "90a"}};
  EXPECT_EQ(add(std::move(partial), false),
            "cannot add kernel 'a.kernel' for op 'frit.act_and_mul': it has 2 "
            "images for 3 element types\n");
  KernelEntry homeless = makeCuda();
  homeless.images = {{"image", nullptr, 0, 0, "x"}};
  EXPECT_EQ(add(std::move(homeless), false),
            "cannot add kernel 'a.kernel' for op 'frit.act_and_mul': its image "
            "'image' was built for 'x', which names no architecture\n");
}

TEST(KernelTableTest, CandidatesGoByPriorityThenId) {
  KernelTestContext context;
  KernelTable &table = context.getMutableTable();
  for (StringRef id : {"c.kernel", "a.kernel", "b.kernel"})
    ASSERT_TRUE(succeeded(table.add(makeEntry(id, "frit.act_and_mul"))));
  auto getIds = [&](const llvm::StringMap<int64_t> &priorities) {
    std::string ids;
    for (KernelCandidate candidate :
         table.getCandidates("frit.act_and_mul", priorities))
      ids +=
          candidate.entry->id + ":" + std::to_string(candidate.priority) + " ";
    return ids;
  };
  EXPECT_EQ(getIds({}),
            "native.simt:20 native.vector:20 native.linalg:10 a.kernel:5 "
            "b.kernel:5 c.kernel:5 ");
  llvm::StringMap<int64_t> priorities;
  priorities["c.kernel"] = 20;
  priorities["native.vector"] = -3;
  EXPECT_EQ(getIds(priorities),
            "c.kernel:20 native.simt:20 native.linalg:10 a.kernel:5 "
            "b.kernel:5 native.vector:-3 ");
}

TEST(KernelTableTest, ListingIsServedOnlyWhenAsked) {
  DialectRegistry registry;
  registerAll(registry);
  std::string text;
  llvm::raw_string_ostream os(text);
  char program[] = "frit-opt", other[] = "--help",
       list[] = "--frit-list-kernels";
  EXPECT_FALSE(listKernelsIfAsked({program, other}, registry, os));
  EXPECT_EQ(text, "");
  EXPECT_TRUE(listKernelsIfAsked({program, other, list}, registry, os));
  EXPECT_NE(text.find("| `frit.lora_matmul` | `native.vector` | native | cpu"),
            std::string::npos);
}

} // namespace
