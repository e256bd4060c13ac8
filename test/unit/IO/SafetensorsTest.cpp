//===- SafetensorsTest.cpp ------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files of the safetensors library are read, and what is written reads back.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Safetensors.h"

#include "IOTestUtils.h"

using namespace mlir::frit;
using namespace mlir::frit::test;

TEST(SafetensorsTest, ReadsEveryTypeOfTheLibrary) {
  SafetensorsFile file =
      getValue(SafetensorsFile::open(getDataPath("all.safetensors")));
  EXPECT_EQ(file.getEntries().size(), 15u);
  for (ElementType type : allElementTypes) {
    HostTensor tensor = getValue(file.read(getName(type)));
    EXPECT_EQ(tensor.getSpec(), (TensorSpec{type, {2, 3}}));
    expectPattern(tensor);
  }
  expectPattern(getValue(file.read("scalar")));
  EXPECT_EQ(getValue(file.read("empty")).getSpec().str(), "0x7xbf16");
  EXPECT_EQ(
      file.getMetadata(),
      (std::map<std::string, std::string>{
          {"format", "np"}, {"note", "\xc3\xa4\xc3\xb6\xc3\xbc \"quoted\""}}));
}

TEST(SafetensorsTest, ReadsAFileWithoutTensors) {
  SafetensorsFile file =
      getValue(SafetensorsFile::open(getDataPath("nothing.safetensors")));
  EXPECT_TRUE(file.getEntries().empty());
  EXPECT_TRUE(file.getMetadata().empty());
}

TEST(SafetensorsTest, TensorsOutliveTheFile) {
  HostTensor tensor =
      getValue(getValue(SafetensorsFile::open(getDataPath("all.safetensors")))
                   .read("f64"));
  expectPattern(tensor);
}

TEST(SafetensorsTest, SuggestsTheNearestNameOrListsThem) {
  SafetensorsFile file =
      getValue(SafetensorsFile::open(getDataPath("all.safetensors")));
  EXPECT_EQ(getMessage(file.read("scalr")),
            getDataPath("all.safetensors") +
                ": no tensor 'scalr' among 15; did you mean 'scalar'?");
  EXPECT_EQ(getMessage(file.read("entirely else")),
            getDataPath("all.safetensors") +
                ": no tensor 'entirely else' among 15: 'ui64', 'i64', 'f64', "
                "'f32', 'scalar', 'ui32', 'i32', 'bf16' and 7 more");
  EXPECT_EQ(describeAbsent("tensor", "w", {}), "no tensor 'w' among 0");
  EXPECT_EQ(describeAbsent("tensor", "else", {"a", "b"}),
            "no tensor 'else' among 2: 'a', 'b'");
}

TEST(SafetensorsTest, WritesWhatItReads) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("a.safetensors");
  std::vector<HostTensor> tensors;
  std::vector<std::string> names;
  std::vector<NamedTensor> named;
  names.reserve(std::size(allElementTypes));
  tensors.reserve(std::size(allElementTypes));
  for (ElementType type : allElementTypes) {
    names.push_back("layer." + getName(type).str());
    tensors.push_back(makePattern(type, {3, 1, 5}));
  }
  named.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i)
    named.push_back({names[i], &tensors[i]});
  const std::map<std::string, std::string> metadata = {{"a", "\"\n\\"},
                                                       {"b", ""}};
  ASSERT_EQ(getMessage(writeSafetensors(path, named, metadata)), "success");
  const std::string bytes = readBytes(path);

  SafetensorsFile file = getValue(SafetensorsFile::open(path));
  EXPECT_EQ(file.getMetadata(), metadata);
  for (size_t i = 0; i < tensors.size(); ++i) {
    HostTensor tensor = getValue(file.read(names[i]));
    EXPECT_EQ(tensor.getSpec(), tensors[i].getSpec());
    EXPECT_EQ(tensor.getContiguousBytes(), tensors[i].getContiguousBytes());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.getData()) %
                  getElementBytes(tensor.getType()),
              0u);
  }

  // The bytes do not depend on the order of the arguments.
  std::reverse(named.begin(), named.end());
  ASSERT_EQ(getMessage(writeSafetensors(path, named, metadata)), "success");
  EXPECT_EQ(readBytes(path), bytes);
}

TEST(SafetensorsTest, RefusesNamesThatTheFormatForbids) {
  TemporaryFolder folder;
  const std::string path = folder.getFile("a.safetensors");
  HostTensor tensor = makePattern(ElementType::F32, {2});
  EXPECT_EQ(getMessage(writeSafetensors(path, {{"__metadata__", &tensor}})),
            path + ": cannot write: the name '__metadata__' is reserved");
  EXPECT_EQ(
      getMessage(writeSafetensors(path, {{"a", &tensor}, {"a", &tensor}})),
      path + ": cannot write: two tensors are named 'a'");
  EXPECT_EQ(getMessage(writeSafetensors(path, {{"\xff", &tensor}})),
            path + ": cannot write: the name '\\FF' is not UTF-8");
  EXPECT_EQ(getMessage(writeSafetensors(path, {}, {{"k", "\xff"}})),
            path + ": cannot write: the metadata entry 'k' is not UTF-8");
  EXPECT_TRUE(folder.list().empty());
}
