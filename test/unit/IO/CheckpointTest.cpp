//===- CheckpointTest.cpp -------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checkpoints in several files, and each kind of bad index.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/Checkpoint.h"

#include "IOTestUtils.h"

#include "frit/IO/OutputFile.h"

using namespace mlir::frit;
using namespace mlir::frit::test;

namespace {
std::string getModelPath() {
  return std::string(FRIT_TEST_DATA_DIR) + "/checkpoint/model";
}

/// What parsing such an index says, without the name in front.
std::string parse(llvm::StringRef json) {
  std::string message = getMessage(CheckpointIndex::parse(json, "x"));
  llvm::StringRef text = message;
  EXPECT_TRUE(text == "success" || text.consume_front("x: ")) << message;
  return text.str();
}

/// What is said of an index with one shard of this name.
std::string parseShard(llvm::StringRef shard) {
  return parse((R"({"weight_map": {"a": ")" + shard + "\"}}").str());
}

void write(const std::string &path, llvm::StringRef text) {
  EXPECT_EQ(getMessage(writeFileAtomically(
                path, [&](llvm::raw_ostream &os) { os << text; })),
            "success");
}

/// A folder with the shards s0 (tensors a and b) and s1 (c).
class ShardsTest : public ::testing::Test {
protected:
  void SetUp() override {
    HostTensor tensor = makePattern(ElementType::F32, {2, 3});
    for (const auto &[shard, names] :
         {std::pair("s0", std::vector<llvm::StringRef>{"a", "b"}),
          std::pair("s1", std::vector<llvm::StringRef>{"c"})}) {
      std::vector<NamedTensor> tensors;
      for (llvm::StringRef name : names)
        tensors.push_back({name, &tensor});
      EXPECT_EQ(getMessage(writeSafetensors(folder.getFile(shard), tensors)),
                "success");
    }
  }

  llvm::Expected<Checkpoint> open(llvm::StringRef json) {
    write(folder.getFile("i.json"), json);
    return Checkpoint::open(folder.getFile("i.json"));
  }

  /// The message without the folder's path.
  std::string getError(llvm::StringRef json) {
    std::string message = getMessage(open(json));
    const std::string prefix = folder.getFile("");
    for (size_t at; (at = message.find(prefix)) != std::string::npos;)
      message.erase(at, prefix.size());
    return message;
  }

  TemporaryFolder folder;
};
} // namespace

TEST(CheckpointTest, ReadsTheShardsOfAnIndex) {
  Checkpoint checkpoint = getValue(Checkpoint::open(getModelPath()));
  EXPECT_EQ(checkpoint.getFiles().size(), 2u);
  EXPECT_EQ(checkpoint.getWarnings().size(), 0u);
  for (const std::string &name : checkpoint.getNames()) {
    EXPECT_TRUE(checkpoint.contains(name));
    HostTensor tensor = getValue(checkpoint.read(name));
    EXPECT_EQ(tensor.getType(), ElementType::F32);
  }
  // From the mapping, not from a copy.
  HostTensor first = getValue(checkpoint.read(checkpoint.getNames().front()));
  HostTensor again = getValue(checkpoint.read(checkpoint.getNames().front()));
  EXPECT_EQ(first.getData(), again.getData());
}

TEST(CheckpointTest, ReadsOneFile) {
  Checkpoint checkpoint =
      getValue(Checkpoint::open(getDataPath("all.safetensors")));
  EXPECT_EQ(checkpoint.getFiles().size(), 1u);
  EXPECT_EQ(checkpoint.getNames().size(), 15u);
  EXPECT_EQ(checkpoint.describe("scalar"),
            getDataPath("all.safetensors") + "#scalar");
  EXPECT_TRUE(
      llvm::StringRef(getMessage(checkpoint.read("scalars")))
          .contains("no tensor 'scalars' among 15; did you mean 'scalar'?"));
}

TEST(CheckpointTest, FindsItsFiles) {
  const std::string index = getModelPath() + "/model.safetensors.index.json";
  const std::string shard = getModelPath() + "/model-0000";
  const std::vector<std::string> files = {index,
                                          shard + "1-of-00002.safetensors",
                                          shard + "2-of-00002.safetensors"};
  EXPECT_EQ(getValue(Checkpoint::findFiles(getModelPath())), files);
  EXPECT_EQ(getValue(Checkpoint::findFiles(index)), files);
  EXPECT_EQ(getValue(Checkpoint::findFiles(files[1])),
            std::vector<std::string>{files[1]});
}

TEST(CheckpointIndexTest, TheBaseOfTheseTestsIsGood) {
  CheckpointIndex index = getValue(CheckpointIndex::parse(
      R"({"metadata": {"total_size": 12, "x": [{}]}, "weight_map": {"a": "s"}})",
      "x"));
  EXPECT_EQ(index.totalSize, 12u);
  EXPECT_EQ(index.shards, (std::map<std::string, std::string>{{"a", "s"}}));
  EXPECT_EQ(parseShard("model-00001-of-00002.safetensors"), "success");
}

TEST(CheckpointIndexTest, Json) {
  EXPECT_EQ(parse(""), "not valid JSON at byte 1: found the end");
  EXPECT_EQ(parse("{\"a\":\"\xff\"}"),
            "not valid JSON at byte 7: found '\\22\\FF'");
  EXPECT_EQ(parse("{} {}"), "not valid JSON at byte 4: found '{} {'");
  EXPECT_EQ(parse("[]"), "expected an object, found an array");
  EXPECT_EQ(parse("7"), "expected an object, found a number");
  EXPECT_EQ(parse(R"({"weight_map": {"a": "s", "a": "t"}})"),
            "'weight_map': key 'a' is there twice, expected once");
  EXPECT_EQ(parse(R"({"weight_map": {}, "weight_map": {}})"),
            "key 'weight_map' is there twice, expected once");
  EXPECT_EQ(parse("{\"a\":" + std::string(5000000, '[')),
            "expected at most 64 objects and arrays in each other, found more");
}

TEST(CheckpointIndexTest, Fields) {
  EXPECT_EQ(parse("{}"), "expected the field 'weight_map', found none");
  EXPECT_EQ(parse(R"({"weight_map": [1]})"),
            "field 'weight_map': expected an object, found an array");
  EXPECT_EQ(parse(R"({"weight_map": {"a": 3}})"),
            "weight_map entry 'a': expected the name of a file beside the "
            "index, found the number 3");
  EXPECT_EQ(parse(R"({"metadata": null, "weight_map": {}})"),
            "field 'metadata': expected an object, found null");
  EXPECT_EQ(parse(R"({"metadata": {"total_size": -1}, "weight_map": {}})"),
            "field 'metadata.total_size': expected a number of bytes, found "
            "the number -1");
  EXPECT_EQ(parse(R"({"metadata": {"total_size": 1.5}, "weight_map": {}})"),
            "field 'metadata.total_size': expected a number of bytes, found "
            "the number 1.5");
  // Some writers have floats.
  EXPECT_EQ(
      getValue(
          CheckpointIndex::parse(
              R"({"metadata": {"total_size": 1e3}, "weight_map":{}})", "x"))
          .totalSize,
      1000u);
}

TEST(CheckpointIndexTest, ShardsAreBesideTheIndex) {
  for (llvm::StringRef shard :
       {"", ".", "..", "../s", "/s", "a/../s", "a/s", "a\\\\s", "s\\u0000"})
    EXPECT_TRUE(llvm::StringRef(parseShard(shard))
                    .starts_with("weight_map entry 'a': expected the name of a "
                                 "file beside the index, found the string"))
        << shard.str();
  EXPECT_EQ(parseShard("..s"), "success");
}

TEST_F(ShardsTest, FitTheirIndex) {
  Checkpoint checkpoint = getValue(open(
      R"({"metadata": {"total_size": 72}, "weight_map": {"c": "s1", "b": "s0",
          "a": "s0"}})"));
  EXPECT_EQ(checkpoint.getNames().vec(),
            (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(checkpoint.getWarnings().size(), 0u);
  expectPattern(getValue(checkpoint.read("c")));
  EXPECT_EQ(checkpoint.describe("c"), folder.getFile("s1#c"));
}

TEST_F(ShardsTest, DoNotFitTheirIndex) {
  EXPECT_EQ(getError(R"({"weight_map": {"a": "s2"}})"),
            "i.json: weight_map entry 'a': s2: cannot read: No such file or "
            "directory");
  EXPECT_EQ(getError(R"({"weight_map": {"a": "i.json"}})"),
            "i.json: weight_map entry 'a': i.json: header length: expected at "
            "most 100000000 bytes, found 8388068008349082235");
  EXPECT_EQ(getError(R"({"weight_map": {"a": "s0", "c": "s0", "b": "s1"}})"),
            "i.json: weight_map entry 'b': expected in 's0', which has it, "
            "found 's1'");
  EXPECT_EQ(getError(R"({"weight_map": {"a": "s0", "d": "s1"}})"),
            "i.json: weight_map entry 'd': s1: no tensor 'd' among 1: 'c'");
}

TEST_F(ShardsTest, HaveATensorOnce) {
  HostTensor tensor = makePattern(ElementType::F32, {2, 3});
  EXPECT_EQ(getMessage(writeSafetensors(folder.getFile("s1"),
                                        {{"a", &tensor}, {"c", &tensor}})),
            "success");
  EXPECT_EQ(
      getError(R"({"weight_map": {"a": "s0", "b": "s0", "c": "s1"}})"),
      "i.json: tensor 'a': expected in one shard, found in 's0' and 's1'");
}

TEST_F(ShardsTest, GiveWarnings) {
  Checkpoint checkpoint = getValue(
      open(R"({"metadata": {"total_size": 40}, "weight_map": {"a": "s0"}})"));
  const std::string path = folder.getFile("i.json");
  EXPECT_EQ(checkpoint.getWarnings().vec(),
            (std::vector<std::string>{
                path + ": the weight_map leaves out 1 tensors of 's0', the "
                       "first is 'b'",
                path + ": metadata.total_size is 40, but the tensors have 24 "
                       "bytes"}));
  EXPECT_FALSE(checkpoint.contains("b"));
}
