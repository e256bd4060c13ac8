//===- AdapterStackTest.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adapters from folders, and their stacked form.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/AdapterStack.h"

#include "IOTestUtils.h"

#include "frit/IO/OutputFile.h"
#include "frit/IO/Safetensors.h"

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
constexpr std::nullopt_t open = std::nullopt;

/// Folders of adapters with given tensors.
class AdapterStackTest : public ::testing::Test {
protected:
  using Tensors = std::vector<std::pair<std::string, TensorSpec>>;

  static std::string getName(llvm::StringRef module, char letter) {
    return ("base_model.model." + module + ".lora_" + llvm::Twine(letter) +
            ".weight")
        .str();
  }

  /// A [rank, k] and B [n, rank] of a module.
  static Tensors makeModule(llvm::StringRef module, int64_t rank, int64_t k,
                            int64_t n, ElementType type = ElementType::F32) {
    return {{getName(module, 'A'), TensorSpec{type, {rank, k}}},
            {getName(module, 'B'), TensorSpec{type, {n, rank}}}};
  }

  std::string write(llvm::StringRef name, llvm::StringRef config,
                    const Tensors &tensors) {
    std::string path = folder.getFile(name);
    EXPECT_FALSE(llvm::sys::fs::create_directory(path));
    EXPECT_EQ(getMessage(writeFileAtomically(path + "/adapter_config.json",
                                             [&](llvm::raw_ostream &os) {
                                               os << R"({"peft_type": "LORA", )"
                                                  << config << "}";
                                             })),
              "success");
    std::vector<HostTensor> values;
    values.reserve(tensors.size());
    std::vector<NamedTensor> named;
    for (const auto &[tensor, spec] : tensors) {
      values.push_back(makePattern(spec.type, spec.shape));
      named.push_back({tensor, &values.back()});
    }
    EXPECT_EQ(getMessage(
                  writeSafetensors(path + "/adapter_model.safetensors", named)),
              "success");
    return path;
  }

  /// The message of opening it, without the path of its folder.
  std::string getError(llvm::StringRef name, llvm::StringRef config,
                       const Tensors &tensors) {
    std::string path = write(name, config, tensors) + "/";
    std::string message = getMessage(Adapter::open(name, folder.getFile(name)));
    size_t at = message.find(path);
    if (at != std::string::npos)
      message.erase(at, path.size());
    return message;
  }

  void add(llvm::StringRef name, llvm::StringRef config,
           const Tensors &tensors) {
    Adapter adapter =
        getValue(Adapter::open(name, write(name, config, tensors)));
    EXPECT_EQ(getMessage(stack.add(std::move(adapter))), "success");
  }

  HostTensor make(llvm::StringRef name,
                  llvm::ArrayRef<std::optional<int64_t>> sizes) {
    std::optional<StackedOperand> operand = StackedOperand::parse(name);
    EXPECT_TRUE(operand) << name.str();
    return getValue(stack.make(*operand, sizes));
  }

  std::string refuse(llvm::StringRef name,
                     llvm::ArrayRef<std::optional<int64_t>> sizes) {
    return getMessage(stack.make(*StackedOperand::parse(name), sizes));
  }

  TemporaryFolder folder;
  AdapterStack stack;
};

std::vector<double> getValues(const HostTensor &tensor) {
  std::vector<double> values;
  values.reserve(tensor.getNumElements());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    values.push_back(tensor.getDouble(i));
  return values;
}
} // namespace

TEST_F(AdapterStackTest, PadsWithZeros) {
  add("one", R"("r": 2, "lora_alpha": 3)", makeModule("m", 2, 2, 3));
  add("two", R"("r": 1, "lora_alpha": 5)", makeModule("m", 1, 2, 3));
  // Values of a pattern count from -1 in halves.
  HostTensor a = make("m.lora_A", {3, open, 2});
  EXPECT_EQ(a.getSpec().str(), "3x2x2xf32");
  EXPECT_EQ(getValues(a),
            (std::vector<double>{-1, -.5, 0, .5, -1, -.5, 0, 0, 0, 0, 0, 0}));
  HostTensor b = make("m.lora_B", {open, 3, 3});
  EXPECT_EQ(b.getSpec().str(), "2x3x3xf32");
  EXPECT_EQ(getValues(b), (std::vector<double>{-1, -.5, 0, 0, .5, 0, 1, 1.5, 0,
                                               -1, 0, 0, -.5, 0, 0, 0, 0, 0}));
  HostTensor ranks = make("m.lora_ranks", {3});
  EXPECT_EQ(ranks.getSpec().str(), "3xi32");
  EXPECT_EQ(getValues(ranks), (std::vector<double>{2, 1, 0}));
  HostTensor scales = make("lora_scales", {open});
  EXPECT_EQ(scales.getSpec().str(), "2xf32");
  EXPECT_EQ(getValues(scales), (std::vector<double>{1.5, 5}));
}

TEST_F(AdapterStackTest, LeavesOutModules) {
  Tensors both = makeModule("m", 2, 2, 3);
  llvm::append_range(both, makeModule("n", 2, 4, 1));
  add("one", R"("r": 2, "lora_alpha": 4)", both);
  add("two", R"("r": 1, "lora_alpha": 1)", makeModule("n", 1, 4, 1));
  EXPECT_EQ(stack.getModules(), (std::vector<std::string>{"m", "n"}));
  EXPECT_TRUE(stack.has(*StackedOperand::parse("x,m.lora_ranks")));
  EXPECT_FALSE(stack.has(*StackedOperand::parse("x.lora_ranks")));
  EXPECT_EQ(getValues(make("m,n.lora_ranks", {2, 2})),
            (std::vector<double>{2, 0, 2, 1}));
  EXPECT_EQ(getValues(make("m.lora_scales", {2})), (std::vector<double>{2, 0}));
  EXPECT_EQ(getValues(make("m.lora_A", {2, 2, 2})),
            (std::vector<double>{-1, -.5, 0, .5, 0, 0, 0, 0}));
}

TEST_F(AdapterStackTest, RefusesSizesAndNumbersThatDiffer) {
  Tensors both = makeModule("m", 2, 2, 3);
  llvm::append_range(both, makeModule("n", 1, 4, 1));
  add("one", R"("r": 2, "lora_alpha": 4, "rank_pattern": {"n": 1})", both);
  add("two", R"("r": 1, "lora_alpha": 1)", makeModule("m", 1, 2, 3));
  EXPECT_EQ(refuse("m.lora_A", {1, 2, 2}),
            "expected room for 2 adapters in dimension 0, found 1");
  EXPECT_EQ(refuse("m,n.lora_ranks", {2, 1}),
            "expected room for 2 adapters in dimension 1, found 1");
  EXPECT_EQ(refuse("m.lora_B", {2, 3, 1}),
            "expected ranks up to 1, found 2 in 'one'");
  EXPECT_EQ(refuse("m.lora_B", {2, 3}), "expected 3 dimensions, found 2");
  EXPECT_EQ(refuse("x.lora_B", {2, 3, 1}), "no adapter has the module 'x'");
  EXPECT_EQ(refuse("lora_ranks", {2}),
            "adapter 'one' has the rank 2 for 'm', but 1 for 'n': expected one "
            "for all modules");
  EXPECT_EQ(llvm::StringRef(refuse("m,n.lora_scales", {2})).substr(0, 49),
            "adapter 'one' has the factor 2.000000e+00 for 'm'");
}

TEST_F(AdapterStackTest, RefusesAdaptersThatDoNotFit) {
  add("one", R"("r": 2, "lora_alpha": 4)", makeModule("m", 2, 2, 3));
  auto refuseToAdd = [&](llvm::StringRef name, llvm::StringRef folderName,
                         const Tensors &tensors) {
    Adapter adapter = getValue(Adapter::open(
        name, write(folderName, R"("r": 2, "lora_alpha": 4)", tensors)));
    return getMessage(stack.add(std::move(adapter)));
  };
  EXPECT_EQ(refuseToAdd("one", "f0", makeModule("x", 2, 2, 3)),
            "two adapters have the name 'one'");
  EXPECT_EQ(refuseToAdd("two", "f1", makeModule("m", 2, 4, 3)),
            "module 'm': A and B are 2x2xf32 and 3x2xf32 in 'one', but 2x4xf32 "
            "and 3x2xf32 in 'two'");
  EXPECT_EQ(
      refuseToAdd("two", "f2", makeModule("m", 2, 2, 3, ElementType::BF16)),
      "module 'm': A and B are 2x2xf32 and 3x2xf32 in 'one', but 2x2xbf16 and "
      "3x2xbf16 in 'two'");
}

TEST_F(AdapterStackTest, RefusesTensors) {
  const std::string config = R"("r": 2, "lora_alpha": 4)";
  const std::string file = "adapter_model.safetensors: ";
  const TensorSpec spec{ElementType::F32, {2, 2}};
  for (const char *tensor :
       {"base_model.model.m.lora_magnitude_vector",
        "base_model.model.m.lora_embedding_A", "m.lora_A.weight",
        "base_model.model..lora_A.weight", "base_model.model.m.weight"})
    EXPECT_EQ(getError(tensor, config, {{tensor, spec}}),
              (llvm::Twine(file) + "tensor '" + tensor +
               "': expected base_model.model.MODULE.lora_A.weight or "
               ".lora_B.weight")
                  .str());
  EXPECT_EQ(getError("a", config, {{getName("m", 'A'), spec}}),
            file + "module 'm': expected lora_A and lora_B, found no lora_B");
  EXPECT_EQ(getError("b", config, {{getName("m", 'B'), spec}}),
            file + "module 'm': expected lora_A and lora_B, found no lora_A");
  EXPECT_EQ(getError("c", config, makeModule("m", 3, 2, 2)),
            file + "module 'm': expected rank 2 as the configuration has it, "
                   "found A 3x2xf32 and B 2x3xf32");
  EXPECT_EQ(getError("d", config, makeModule("m", 2, 2, 2, ElementType::I8)),
            file + "module 'm': expected A and B of one float type, found "
                   "2x2xi8 and 2x2xi8");
  EXPECT_EQ(getError("e", config,
                     {{getName("m", 'A'), TensorSpec{ElementType::F32, {2}}},
                      {getName("m", 'B'), spec}}),
            file + "module 'm': expected A and B of two dimensions, found "
                   "2xf32 and 2x2xf32");
  EXPECT_EQ(getError("f", config + R"(, "target_modules": ["q"])",
                     makeModule("m", 2, 2, 2)),
            file + "module 'm': expected one that target_modules names, which "
                   "begins with 'q'");
}

TEST_F(AdapterStackTest, SaysWhatAPickleNeeds) {
  std::string path = write("a", R"("r": 2, "lora_alpha": 4)", {});
  EXPECT_FALSE(llvm::sys::fs::rename(path + "/adapter_model.safetensors",
                                     path + "/adapter_model.bin"));
  EXPECT_EQ(getMessage(Adapter::open("a", path)),
            path + ": expected adapter_model.safetensors, found "
                   "adapter_model.bin: saving with safe_serialization=True "
                   "writes the former");
}

TEST(StackedOperandTest, Names) {
  using Kind = StackedOperand::Kind;
  auto operand = StackedOperand::parse("a.b.lora_B");
  ASSERT_TRUE(operand);
  EXPECT_EQ(operand->kind, Kind::B);
  EXPECT_EQ(operand->modules, (std::vector<std::string>{"a.b"}));
  operand = StackedOperand::parse("a,b.c.lora_scales");
  ASSERT_TRUE(operand);
  EXPECT_EQ(operand->kind, Kind::Scales);
  EXPECT_EQ(operand->modules, (std::vector<std::string>{"a", "b.c"}));
  operand = StackedOperand::parse("lora_ranks");
  ASSERT_TRUE(operand);
  EXPECT_EQ(operand->kind, Kind::Ranks);
  EXPECT_TRUE(operand->modules.empty());
  for (llvm::StringRef name : {"", "a.weight", "lora_A", "a,b.lora_A",
                               ".lora_A", "a,.lora_ranks", "alora_ranks"})
    EXPECT_FALSE(StackedOperand::parse(name)) << name.str();
}
